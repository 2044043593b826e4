import type { Part } from './types.js';

/** Short titles of the interface document's nine parts. */
export const partTitles: Readonly<Record<Part, string>> = {
  1: 'Service',
  2: 'Resources',
  3: 'States',
  4: 'Endpoints',
  5: 'Authentication',
  6: 'Events',
  7: 'Errors',
  8: 'Limits',
  9: 'Versioning',
};
