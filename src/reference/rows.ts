import type { RequirementId } from '../contract/types.js';

/** Rows that hang together: when one of their common grounds breaks, the others may not be established. */

/** What is read off listings. */
export const LISTING: readonly RequirementId[] = [
  'list-ok',
  'list-limit-max-items',
  'list-limit-bounds',
  'list-limit-default',
  'list-status-filter',
  'list-filter-with-limit',
  'list-page-full',
  'list-shows-created',
  'list-matches-created',
  'list-matches-get',
  'pet-id-unique',
  'get-replacement',
  'create-rejected-leaves-nothing',
  'auth-before-work',
  'list-order',
  'list-pagination',
];

/** What needs a creation that succeeds. */
const CREATING: readonly RequirementId[] = [
  'create-ok',
  'create-status-optional',
  'create-each-status',
  'create-missing-field',
  'create-invalid-value',
  'create-body-required',
  'create-malformed-json',
  'create-rejected-leaves-nothing',
  'created-pet-echo',
  'pet-int64',
  'pet-id-unique',
  'list-shows-created',
  'list-matches-created',
  'list-matches-get',
  'get-matches-created',
  'get-replacement',
  'auth-before-work',
  'create-status-default',
  'create-unknown-member',
  'create-media-type',
  'create-name-length',
];

/** What is read off fetches. */
export const FETCHING: readonly RequirementId[] = [
  'get-ok',
  'get-matches-created',
  'list-matches-get',
  'get-unknown',
  'get-until-removal',
  'get-after-removal',
  'get-replacement',
  'get-malformed-id',
  'deprecation-signals',
];

/** What is asked without a valid key. */
export const AUTHENTICATION: readonly RequirementId[] = [
  'auth-valid-key',
  'auth-missing-key',
  'auth-invalid-key',
  'auth-key-case',
  'auth-bearer-only',
  'auth-header-only',
  'auth-before-work',
  'auth-scheme-case',
  'auth-challenge',
];

/** What is read off every answer. */
const PASSIVE: readonly RequirementId[] = [
  'json-media-type',
  'declared-status',
  'pet-shape',
  'pets-array',
  'error-shape',
  'error-status-matches',
];

/** All that the suites judge: when the listing or the creation itself is broken, much of it cannot be told. */
export const SUITES: readonly RequirementId[] = [
  ...new Set([...PASSIVE, ...LISTING, ...CREATING, ...FETCHING, ...AUTHENTICATION]),
];
