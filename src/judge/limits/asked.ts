import type { Sample } from './sample.js';

/**
 * Questions to a key, in their order. `third` repeats `second` where something was seen only once; `watch` is
 * asked where somebody else on the key may explain a fault.
 */
export const questionNames = [
  'whole',
  'back',
  'steady',
  'edge',
  'reset',
  'second',
  'third',
  'watch',
] as const;

export type QuestionName = (typeof questionNames)[number];

/**
 * Place of a request in its question. `lone`: the first one from silence; `six`: in parallel after it;
 * `operations`: three of each, one by one; `others`: while another key is used up; `burst`: up to the
 * refusal; `together`: in parallel at the edge; `probe`: each operation after it; `return`: after a wait that
 * a refusal named; `paced`: on the schedule of the steady run; `pause`: after a short pause.
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

/** One request of a question with its response. */
export interface Asked extends Sample {
  readonly question: QuestionName;
  readonly part: Part;
  /** Requests that were left before parallel ones at the edge, as the response before them says. */
  readonly left?: number;
}
