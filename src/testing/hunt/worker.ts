import { parentPort, workerData } from 'node:worker_threads';
import type { Happening } from './hunt.js';
import { huntsOf } from './hunts.js';
import type { Share } from './shares.js';
import { search } from './search.js';

/** Worker of the hunt: runs the hunts of its share, and reports each case. */

const share = workerData as Share;
// A port of a worker has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const say = (happening: Happening): void => parentPort?.postMessage(happening);
const hunts = share.names.flatMap(huntsOf);

// The hunts share the time; one that ends early leaves its rest to the next.
for (const [at, hunt] of hunts.entries()) {
  const now = Date.now();
  const until = now + (share.until - now) / (hunts.length - at);
  await hunt((it) => search(it, { ...share, until }, say));
}
