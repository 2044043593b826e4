import type { RequirementId } from '../../base/interface/types.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { PASSIVE_ROWS } from '../checks/passive.js';
import { kept, violated, type Judgement } from '../findings/finding.js';

/**
 * Rows of the service that traffic of others can show, with the reason for a record that shows nothing, to
 * follow "not shown:". All other rows need experiments.
 */
export const TRAFFIC_ROWS: ReadonlyMap<RequirementId, string> = new Map<RequirementId, string>([
  ...PASSIVE_ROWS.map((row) => [row, 'no response that it applies to, with all that it reads'] as const),
  ['pet-int64', 'no animal in a response'],
  ['pet-id-unique', 'no listing of two animals or more'],
  ['created-pet-echo', 'no 201 with both bodies'],
  ['list-ok', 'no valid listing with a key'],
  ['list-limit-max-items', 'no listing with a limit below the number of animals seen'],
  ['list-limit-default', 'no listing without limit, or not more than 20 animals seen'],
  ['list-status-filter', 'no filtered listing, or no animal of another status seen'],
  ['list-filter-with-limit', 'no filtered listing with a limit below the number of matching animals seen'],
  ['create-ok', 'no valid creation with a key and its body'],
  ['create-missing-field', 'no creation without a required field'],
  ['create-invalid-value', 'no creation with an invalid value'],
  ['get-ok', 'no fetch of an animal that the service found'],
  ['auth-missing-key', 'no request that certainly had no key'],
  ['rate-remaining-counts', 'too few requests in too long a time: a refill explains any Remaining'],
  ['rate-retry-after-present', 'no 429 with its headers'],
  ['rate-429-error-body', 'no 429 with its body'],
  ['base-path-v1', 'no successful response'],
]);

export const HEADER_ROWS: readonly RequirementId[] = [
  'json-media-type',
  'rate-headers-present',
  'rate-headers-wellformed',
];

/** Judges the base address by a success (part 9): its last segment is the major version. */
export const onBasePath = (
  exchange: Exchange,
  basePath: string,
): { readonly row: RequirementId; readonly judgement: Judgement } => ({
  row: 'base-path-v1',
  judgement: basePath.endsWith('/v1')
    ? kept([exchange])
    : violated([exchange], 'the service answers at a base address that does not end with /v1', {
        expected: 'a path that ends with /v1',
        actual: basePath === '' ? 'no path' : basePath,
      }),
});
