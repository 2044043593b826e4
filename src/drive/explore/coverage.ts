import type { Tried } from '../../log/record.js';
import type { OperationName } from '../../base/interface/types.js';
import { succeeded } from '../../judge/checks/status.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Ask } from './requests.js';
import { operationsIn, type Scope } from './stories.js';
import { PLAIN } from './values/value.js';
import { WRONG_PAIRS, OPEN_CLASSES, WRONG_CLASSES } from './values/wrong-bodies.js';
import type { World } from '../../judge/world/world.js';
import { NAME_CLASSES, CATEGORY_CLASSES } from './values/animals.js';
import { ID_CLASSES } from './values/ids.js';
import { LIMITS, QUERY_SPELLINGS, OPEN_QUERIES } from './values/queries.js';
import { RESIDENT_CLASSES } from './values/residents.js';
import { SPELLINGS } from './values/spellings.js';
import { SCHEME_CASES, INVALID_CREDENTIALS } from './values/invalid-credentials.js';

/** Kind of variation: a class of values, a pair of them, or the moment of sending. */
type Kind =
  | 'names'
  | 'categories'
  | 'statuses'
  | 'spellings'
  | 'refusals'
  | 'left open'
  | 'limits'
  | 'spellings of queries'
  | 'ids'
  | 'kinds of animals from before the run'
  | 'keys'
  | 'pairs'
  | 'states'
  | 'orders';

const STATUSES = ['left out', 'available', 'pending', 'sold'] as const;
const FILTERS = ['no filter', 'available', 'pending', 'sold'] as const;

/** Names of operations in descriptions of orders and states. */
const SPOKEN: Readonly<Record<OperationName, string>> = {
  listPets: 'a listing',
  createPet: 'a creation',
  getPet: 'a fetch',
};

const named = (classes: readonly { readonly name: string }[]): readonly string[] =>
  classes.map(({ name }) => name);
const crossed = (ones: readonly string[], others: readonly string[]): readonly string[] =>
  ones.flatMap((one) => others.map((other) => `${one} × ${other}`));

/** What exploring tries if it has enough requests. Coverage is counted against it. */
export function catalogueOf(scope: Scope): readonly (readonly [Kind, readonly string[]])[] {
  const ifWrites = (names: readonly string[]): readonly string[] => (scope.writes ? names : []);
  const ifFetches = (names: readonly string[]): readonly string[] => (scope.fetches ? names : []);
  const spoken = operationsIn(scope).map((name) => SPOKEN[name]);
  const besideNames = [
    'a usual category',
    'an odd category',
    ...STATUSES.map((status) => `status ${status}`),
  ];
  const all: readonly (readonly [Kind, readonly string[]])[] = [
    ['names', ifWrites([PLAIN, ...named(NAME_CLASSES)])],
    ['categories', ifWrites([PLAIN, ...named(CATEGORY_CLASSES)])],
    ['statuses', ifWrites(STATUSES)],
    ['spellings', ifWrites(SPELLINGS)],
    ['refusals', ifWrites(named(WRONG_CLASSES))],
    ['left open', [...ifWrites(named(OPEN_CLASSES)), ...named(OPEN_QUERIES)]],
    ['limits', ['no limit', ...LIMITS.map((limit) => `limit ${limit}`)]],
    ['spellings of queries', QUERY_SPELLINGS],
    ['ids', ifFetches(ID_CLASSES)],
    ['kinds of animals from before the run', ifFetches(RESIDENT_CLASSES)],
    ['keys', [...named(INVALID_CREDENTIALS), ...SCHEME_CASES.map((scheme) => `the scheme as ${scheme}`)]],
    [
      'pairs',
      [
        ...ifWrites([...crossed(['an odd name'], besideNames), ...named(WRONG_PAIRS)]),
        ...crossed(['no limit', 'a limit'], FILTERS),
      ],
    ],
    [
      'states',
      [
        ...ifWrites(['a creation in the original store', 'a creation after others', 'a refusal']),
        ...ifWrites(['a creation in parallel']),
        'a listing of the original store',
        ...ifWrites(['a listing after creations']),
        'a listing in parallel',
        'a listing repeatedly',
        ...ifFetches([
          'a fetch of an animal from before the run',
          'a fetch in parallel',
          'a fetch repeatedly',
        ]),
        ...ifFetches(ifWrites(['a fetch of a new animal'])),
        ...spoken.map((operation) => `${operation} without a valid key`),
      ],
    ],
    ['orders', spoken.flatMap((one) => spoken.map((other) => `${one} after ${other}`))],
  ];
  return all.filter(([, names]) => names.length > 0);
}

/**
 * Manner of sending: by itself, in parallel on separate connections, or as a repetition of the request
 * before.
 */
export type Manner = 'alone' | 'in parallel' | 'repeatedly';

type Label = readonly [kind: Kind, name: string];

/** By kind and class; the world has the creations before. */
function triedBy({ act }: Ask, { additions }: World): readonly Label[] {
  switch (act.do) {
    case 'create': {
      const { name, category, status, spelling } = act.animal;
      const spoken = status ?? 'left out';
      return [
        ['names', name.class],
        ['categories', category.class],
        ['spellings', spelling],
        ['statuses', spoken],
        ...(name.class === PLAIN ? [] : pairsOf(category.class, spoken)),
        ['states', additions.length === 0 ? 'a creation in the original store' : 'a creation after others'],
      ];
    }
    case 'wrong':
      return [
        [
          act.wrong.value.row === 'create-unknown-member'
            ? 'left open'
            : WRONG_PAIRS.some(({ name }) => name === act.wrong.class)
              ? 'pairs'
              : 'refusals',
          act.wrong.class,
        ],
        ['states', 'a refusal'],
      ];
    case 'list':
      return act.query.kind === 'open'
        ? [['left open', act.class]]
        : [
            ['limits', act.class],
            ['spellings of queries', act.query.written],
            [
              'pairs',
              `${act.class === 'no limit' ? 'no limit' : 'a limit'} × ${act.query.status ?? 'no filter'}`,
            ],
            [
              'states',
              additions.length === 0 ? 'a listing of the original store' : 'a listing after creations',
            ],
          ];
    case 'get':
      return [
        ...(act.whom.of === 'class'
          ? [['kinds of animals from before the run', act.whom.class] as const]
          : []),
        [
          'states',
          act.whom.of === 'story' ? 'a fetch of a new animal' : 'a fetch of an animal from before the run',
        ],
      ];
    case 'get about':
      return [['ids', act.id]];
    case 'stranger':
      return [
        ['keys', act.stranger],
        ['states', `${SPOKEN[act.operation]} without a valid key`],
      ];
    case 'scheme':
      return [['keys', `the scheme as ${act.scheme}`]];
  }
}

/** A plain name makes no pair. */
const pairsOf = (category: string, status: string): readonly Label[] => [
  ['pairs', `an odd name × ${category === PLAIN ? 'a usual category' : 'an odd category'}`],
  ['pairs', `an odd name × status ${status}`],
];

export function newTally(scope: Scope) {
  const counts = new Map<string, { tried: number; served: number }>(
    catalogueOf(scope).flatMap(([kind, classes]) =>
      classes.map((name) => [`${kind}\n${name}`, { tried: 0, served: 0 }] as const),
    ),
  );
  let before: OperationName | null = null;
  return {
    note(ask: Ask, exchange: Exchange, world: World, manner: Manner): void {
      const { operation } = exchange;
      const labels: readonly Label[] = [
        ...triedBy(ask, world),
        ...(operation !== null && manner !== 'alone' && exchange.credential.kind === 'valid'
          ? [['states', `${SPOKEN[operation]} ${manner}`] as const]
          : []),
        ...(operation !== null && before !== null
          ? [['orders', `${SPOKEN[operation]} after ${SPOKEN[before]}`] as const]
          : []),
      ];
      before = operation;
      for (const [kind, name] of labels) {
        const count = counts.get(`${kind}\n${name}`) ?? { tried: 0, served: 0 };
        count.tried += 1;
        if (succeeded(exchange)) count.served += 1;
        counts.set(`${kind}\n${name}`, count);
      }
    },
    all: (): readonly Tried[] =>
      [...counts].map(([name, { tried, served }]) => {
        const [kind = '', label = ''] = name.split('\n');
        return { kind, class: label, tried, served };
      }),
  };
}
