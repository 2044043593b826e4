import type { OperationName } from '../../base/interface/types.js';
import type { PetStatus } from '../../base/interface/contract.js';
import type { Category } from './values/animals.js';
import type { IdClass } from './values/ids.js';
import type { Query } from './values/queries.js';
import type { ResidentClass } from './values/residents.js';
import type { Spelling } from './values/spellings.js';
import type { Classed } from './values/value.js';
import type { WrongBody } from './values/wrong-bodies.js';

export interface NewAnimal {
  readonly name: Classed<string>;
  readonly category: Category;
  readonly status: PetStatus | null;
  readonly spelling: Spelling;
}

/**
 * Reference to an animal: the nth that the story created, the nth of those before it, one of a class of
 * those, or one by its id. The count wraps around, so a story without one of its steps stays valid.
 */
export type Whom =
  | { readonly of: 'story' | 'store'; readonly nth: number }
  | { readonly of: 'class'; readonly class: ResidentClass; readonly nth: number }
  | { readonly of: 'id'; readonly id: string };

export type Act =
  | { readonly do: 'create'; readonly animal: NewAnimal }
  | { readonly do: 'wrong'; readonly wrong: Classed<WrongBody>; readonly status: PetStatus | null }
  | { readonly do: 'list'; readonly query: Query; readonly class: string }
  | { readonly do: 'get'; readonly whom: Whom }
  | { readonly do: 'get about'; readonly whom: Whom; readonly id: IdClass; readonly variety: number }
  | { readonly do: 'stranger'; readonly operation: OperationName; readonly stranger: string }
  | { readonly do: 'scheme'; readonly scheme: string };

/** One step: a request, several in parallel on separate connections, or one request repeated. */
export type Step =
  | Act
  | { readonly do: 'at once'; readonly acts: readonly Act[] }
  | { readonly do: 'again'; readonly act: Act; readonly times: number };

export type Story = readonly Step[];

export const actsOf = (step: Step): readonly Act[] =>
  step.do === 'at once'
    ? step.acts
    : step.do === 'again'
      ? Array.from({ length: step.times }, () => step.act)
      : [step];
