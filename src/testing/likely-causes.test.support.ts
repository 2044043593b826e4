import type { Half } from '../proof/index.js';

/**
 * Mistakes of a limiter, and the cause that a run of such a server names; null for none. A limit for each
 * connection is not among them: how many connections a burst takes decides whether whole allowances show.
 */
const LIMITERS: Readonly<Record<string, string | null>> = {
  'two-that-count-apart': 'two-that-count-apart',
  'creations-not-counted': 'creations-not-counted',
  'fetches-not-limited': 'operation-not-counted',
  'limit-one-early': 'limit-one-early',
  'remaining-one-behind': 'remaining-one-behind',
  'counted-by-address': 'counted-by-address',
  'keys-share-one-counter': 'keys-share-one-counter',
  'refused-with-503': 'refused-with-503',
  'limit-one-over': 'limit-one-over',
  'only-reads-counted': 'creations-not-counted',
  'retry-after-rounded-down': 'retry-after-too-short',
  'one-of-two-without-limit': null,
  'every-fourth-leaks': null,
  'counted-per-operation': 'counted-per-operation',
  'counted-per-address-line': 'counted-per-operation',
  'remaining-constant': null,
  'counted-per-operation-without-headers': null,
  'remaining-falls-by-two': null,
  'retry-after-zero': null,
  'never-restored': null,
  'no-reset-on-429': null,
  'remaining-full-on-creations': null,
  'window-of-a-half': null,
  'limit-tenth-over': null,
  'counts-double': null,
  'no-limiter': null,
};

/** Mistakes of statuses and bodies. */
const OTHERS: Readonly<Record<string, string | null>> = {
  'default-limit-twenty-five': 'default-limit-twenty-five',
  'limit-one-too-many': null,
  'unknown-animal-as-html': 'errors-as-html',
  'created-category-snake-case': 'category-in-snake-case',
  'invalid-value-422': 'missing-field-422',
  'filter-ignored': 'filter-ignored',
  'created-id-string': 'id-as-text',
};

/** Cause that the report of a server with a mistake names, by the half that judges it; null for none. */
export const CAUSES: Readonly<Partial<Record<Half, Readonly<Record<string, string | null>>>>> = {
  load: LIMITERS,
  suites: OTHERS,
};
