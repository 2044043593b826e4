import { grouped } from '../../base/kernel/format.js';
import { onceEach } from '../../base/kernel/once-each.js';
import type { Sample } from './sample.js';

/**
 * Most refusals in a row that a key meets in a profile that runs by default. Part 8, Exceeding 3: "Continued
 * requests after a 429 may cause a temporary ban"; sound servers were seen to ban after 2, 5, 15 and 25.
 * README names the bound.
 */
export const MOST_REFUSED = 8;

/** Share of the plan at which no limiter refuses: near enough to find one that allows a tenth less. */
export const STEADY_SHARE = 0.95;

/** Questions to a key, in their order. `drive/limits/questions.ts` says what each is. */
export const questionNames = [
  'whole',
  'reset',
  'back',
  'steady',
  'edge',
  'second',
  'idle',
  'third',
  'watch',
] as const;

export type QuestionName = (typeof questionNames)[number];

/**
 * Place of a request in its question. `lone`: the first one from silence; `six`: in parallel after it;
 * `operations`: three of each, one by one; `others`: while another key is used up; `burst`: up to the
 * refusal; `together`: in parallel at the edge; `probe`: each operation after it; `return`: after a wait that
 * a refusal named; `paced`: on the schedule of the steady run, or of a return; `pause`: after a short pause.
 */
export type Part =
  | 'lone'
  | 'six'
  | 'operations'
  | 'others'
  | 'burst'
  | 'together'
  | 'probe'
  | 'return'
  | 'paced'
  | 'pause';

export interface Asked extends Sample {
  readonly question: QuestionName;
  readonly part: Part;
  /** Requests that were left before parallel ones at the edge, as the response before them says. */
  readonly left?: number;
}

const byQuestion = onceEach((asked: readonly Asked[]): ReadonlyMap<QuestionName, readonly Asked[]> =>
  grouped(asked, ({ question }) => question),
);

export const askedFor = (asked: readonly Asked[], question: QuestionName): readonly Asked[] =>
  byQuestion(asked).get(question) ?? [];
