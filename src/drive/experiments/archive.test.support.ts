import type { Archive } from './archive.js';

/** Archive that keeps nothing, for tests of sending. */
export const archiveOfNothing: Archive = {
  take: () => undefined,
  drain: async () => undefined,
  close: () => undefined,
  refusalBodies: () => [],
  certificateFaults: () => new Map(),
};
