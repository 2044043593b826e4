import type { Tried } from '../log/tried.js';
import type { OperationName } from '../contract/types.js';
import { statusOf } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';
import { catalogueOf, SPOKEN, type Kind } from './catalogue.js';
import type { Ask } from './requests.js';
import type { Scope } from './stories.js';
import { PLAIN } from './values/value.js';
import { WRONG_PAIRS } from './values/wrongs.js';
import type { World } from './world.js';

/** How a request was sent: by itself, next to others on connections of their own, or as the same as the one before. */
export type Manner = 'alone' | 'side by side' | 'again and again';

type Label = readonly [kind: Kind, name: string];

/** What a request tried, by kind and class; `own` of the world is what was created before it. */
function triedBy({ act }: Ask, { own }: World): readonly Label[] {
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
        ['states', own.size === 0 ? 'a creation in a store as it was found' : 'a creation after others'],
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
            ['pairs', `${act.class === 'no limit' ? 'no limit' : 'a limit'} × ${act.query.status ?? 'no filter'}`],
            ['states', own.size === 0 ? 'a listing of the store as it was found' : 'a listing after creations'],
          ];
    case 'get':
      return [['states', act.whom.of === 'story' ? 'a fetch of what was just created' : 'a fetch of what was there']];
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

/** An odd name with what stands beside it; a plain one is there to compare with. */
const pairsOf = (category: string, status: string): readonly Label[] => [
  ['pairs', `an odd name × ${category === PLAIN ? 'a usual category' : 'an odd category'}`],
  ['pairs', `an odd name × status ${status}`],
];

/** Counts what is tried, of all that could be. */
export function newTally(scope: Scope) {
  const counts = new Map<string, { tried: number; served: number }>(
    catalogueOf(scope).flatMap(([kind, classes]) =>
      classes.map((name) => [`${kind}\n${name}`, { tried: 0, served: 0 }] as const),
    ),
  );
  let before: OperationName | null = null;
  return {
    note(ask: Ask, exchange: Exchange, world: World, manner: Manner): void {
      const status = statusOf(exchange) ?? 0;
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
        if (status >= 200 && status < 300) count.served += 1;
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
