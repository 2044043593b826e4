import type { Exchange } from '../exchange/types.js';
import { statusOf } from '../exchange/headers.js';
import type { Ask } from './requests.js';
import type { World } from './world.js';

/** How often something of a kind was tried. */
export interface Tried {
  /** What was tried: `names`, `categories`, `pairs`, `states` and so on. */
  readonly kind: string;
  readonly class: string;
  readonly tried: number;
  /** How often it was answered with success. */
  readonly served: number;
}

/** What a request tried, by kind and class. */
function triedBy({ act }: Ask, { own, served }: World): readonly (readonly [kind: string, name: string])[] {
  switch (act.do) {
    case 'create': {
      const { name, category, status, spelling } = act.animal;
      return [
        ['names', name.class],
        ['categories', category.class],
        ['spellings', spelling],
        ['statuses', status ?? 'left out'],
        ['pairs', `${group(name.class)} × ${category.class === 'plain' ? 'a usual category' : 'an odd category'}`],
        ['pairs', `${group(name.class)} × status ${status ?? 'left out'}`],
        ['states', own.size === 0 ? 'a creation in a store as it was found' : 'a creation after others'],
      ];
    }
    case 'wrong':
      return [
        [act.wrong.value.row === 'create-unknown-member' ? 'left open' : 'refusals', act.wrong.class],
        ['states', served.has('createPet') ? 'a refusal after a creation' : 'a refusal before any creation'],
      ];
    case 'list':
      return act.query.kind === 'silent'
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
        ['states', `${act.operation} without a valid key`],
      ];
    case 'scheme':
      return [['keys', `the scheme as ${act.scheme}`]];
  }
}

const group = (name: string): string => (name === 'plain' ? 'a plain name' : 'an odd name');

/** Counts what is tried. */
export function newTally() {
  const counts = new Map<string, { tried: number; served: number }>();
  return {
    note(ask: Ask, exchange: Exchange, world: World): void {
      const status = statusOf(exchange) ?? 0;
      for (const [kind, name] of triedBy(ask, world)) {
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
