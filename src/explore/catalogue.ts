import { operationNames } from '../contract/operation-names.js';
import type { OperationName } from '../contract/types.js';
import type { Scope } from './stories.js';
import { CATEGORY_CLASSES } from './values/categories.js';
import { ID_CLASSES } from './values/ids.js';
import { NAME_CLASSES } from './values/names.js';
import { LIMITS, QUERY_SPELLINGS, OPEN_QUERIES } from './values/queries.js';
import { SPELLINGS } from './values/spellings.js';
import { SCHEME_CASES, STRANGERS } from './values/strangers.js';
import { PLAIN } from './values/value.js';
import { OPEN_CLASSES, WRONG_CLASSES, WRONG_PAIRS } from './values/wrongs.js';

/** What is tried of a request: a class of values, a pair of them, or the moment at which it is sent. */
export type Kind =
  | 'names'
  | 'categories'
  | 'statuses'
  | 'spellings'
  | 'refusals'
  | 'left open'
  | 'limits'
  | 'spellings of queries'
  | 'ids'
  | 'keys'
  | 'pairs'
  | 'states'
  | 'orders';

const STATUSES = ['left out', 'available', 'pending', 'sold'] as const;
const FILTERS = ['no filter', 'available', 'pending', 'sold'] as const;

/** An operation, as orders and states speak of it. */
export const SPOKEN: Readonly<Record<OperationName, string>> = {
  listPets: 'a listing',
  createPet: 'a creation',
  getPet: 'a fetch',
};

const named = (classes: readonly { readonly name: string }[]): readonly string[] => classes.map(({ name }) => name);
const crossed = (ones: readonly string[], others: readonly string[]): readonly string[] =>
  ones.flatMap((one) => others.map((other) => `${one} × ${other}`));

/** All that exploring tries where it has requests enough, by kind: what a run passed by shows against it. */
export function catalogueOf({ writes, fetches }: Scope): readonly (readonly [Kind, readonly string[]])[] {
  const operations = operationNames.filter(
    (name) => (writes || name !== 'createPet') && (fetches || name !== 'getPet'),
  );
  const spoken = operations.map((name) => SPOKEN[name]);
  const ofCreations: readonly (readonly [Kind, readonly string[]])[] = [
    ['names', [PLAIN, ...named(NAME_CLASSES)]],
    ['categories', [PLAIN, ...named(CATEGORY_CLASSES)]],
    ['statuses', STATUSES],
    ['spellings', SPELLINGS],
    ['refusals', named(WRONG_CLASSES)],
  ];
  const names = ['an odd name'];
  return [
    ...(writes ? ofCreations : []),
    ['left open', [...(writes ? named(OPEN_CLASSES) : []), ...named(OPEN_QUERIES)]],
    ['limits', ['no limit', ...LIMITS.map((limit) => `limit ${limit}`)]],
    ['spellings of queries', QUERY_SPELLINGS],
    ...(fetches ? [['ids', ID_CLASSES] as const] : []),
    ['keys', [...named(STRANGERS), ...SCHEME_CASES.map((scheme) => `the scheme as ${scheme}`)]],
    [
      'pairs',
      [
        ...(writes ? crossed(names, ['a usual category', 'an odd category']) : []),
        ...(writes
          ? crossed(
              names,
              STATUSES.map((status) => `status ${status}`),
            )
          : []),
        ...(writes ? named(WRONG_PAIRS) : []),
        ...crossed(['no limit', 'a limit'], FILTERS),
      ],
    ],
    [
      'states',
      [
        ...(writes ? ['a creation in a store as it was found', 'a creation after others', 'a refusal'] : []),
        ...(writes ? ['a creation side by side'] : []),
        'a listing of the store as it was found',
        ...(writes ? ['a listing after creations'] : []),
        'a listing side by side',
        'a listing again and again',
        ...(fetches ? ['a fetch of what was there', 'a fetch side by side', 'a fetch again and again'] : []),
        ...(fetches && writes ? ['a fetch of what was just created'] : []),
        ...spoken.map((operation) => `${operation} without a valid key`),
      ],
    ],
    ['orders', spoken.flatMap((one) => spoken.map((other) => `${one} after ${other}`))],
  ];
}
