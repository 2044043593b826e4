import type { OperationName } from '../contract/types.js';
import type { PetStatus } from '../contract/contract.js';
import type { Category, Spelling } from './values/animals.js';
import type { IdClass } from './values/ids.js';
import type { Query } from './values/queries.js';
import type { Classed } from './values/value.js';
import type { Wrong } from './values/wrongs.js';

/** An animal as a story creates it. */
export interface NewAnimal {
  readonly name: Classed<string>;
  readonly category: Category;
  readonly status: PetStatus | null;
  readonly spelling: Spelling;
}

/**
 * Which animal is meant: the nth that the story created, or the nth of those that were there before; counted round, so that
 * a story that lost a step is still one.
 */
export interface Whom {
  readonly of: 'story' | 'store';
  readonly nth: number;
}

/** One request of a story. */
export type Act =
  | { readonly do: 'create'; readonly animal: NewAnimal }
  | { readonly do: 'wrong'; readonly wrong: Classed<Wrong>; readonly status: PetStatus | null }
  | { readonly do: 'list'; readonly query: Query; readonly class: string }
  | { readonly do: 'get'; readonly whom: Whom }
  | { readonly do: 'get about'; readonly whom: Whom; readonly id: IdClass; readonly variety: number }
  | { readonly do: 'stranger'; readonly operation: OperationName; readonly stranger: string }
  | { readonly do: 'scheme'; readonly scheme: string };

/** One step: a request, several at once on connections of their own, or one request again and again. */
export type Step =
  | Act
  | { readonly do: 'at once'; readonly acts: readonly Act[] }
  | { readonly do: 'again'; readonly act: Act; readonly times: number };

/** Steps that are taken one after the other. */
export type Story = readonly Step[];

/** The requests of a step. */
export const actsOf = (step: Step): readonly Act[] =>
  step.do === 'at once' ? step.acts : step.do === 'again' ? Array.from({ length: step.times }, () => step.act) : [step];
