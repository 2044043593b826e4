import { counted, duration } from '../../../base/kernel/format.js';
import type { Figures } from '../bounds.js';
import { wasServed } from '../sample.js';
import type { Asked } from './asked.js';
import { leftOf } from './left.js';

/** Requests of somebody else in a pause of ours, as Remaining shows them. */
export interface OtherUse {
  readonly requests: number;
  readonly pauseMs: number;
}

/** A rounded Remaining may fall by one more than was sent. */
const ROUNDED = 1;

/** Finds use of the key by somebody else: Remaining falls over a pause in which the run sends nothing. */
export function otherUseIn(asked: readonly Asked[], figures: Figures): OtherUse | null {
  const costs = asked.flatMap((sample, at) => {
    const [before, now] = [asked[at - 1], sample];
    if (sample.part !== 'operations' || before === undefined) return [];
    const [from, to] = [leftOf(before, figures), leftOf(now, figures)];
    return from === null || to === null ? [] : [from - to];
  });
  // A server may count each request more than once.
  const cost = Math.max(1, costs.toSorted((one, other) => one - other)[Math.floor(costs.length / 2)] ?? 1);
  for (const [at, after] of asked.entries()) {
    const before = asked[at - 1];
    if (after.part !== 'pause' || before === undefined || !wasServed(before)) continue;
    const [from, to] = [leftOf(before, figures), leftOf(after, figures)];
    if (from === null || to === null) continue;
    const requests = from - to - cost;
    if (requests > ROUNDED) return { requests, pauseMs: after.sentAt - before.answeredAt };
  }
  return null;
}

/** Words it: "something else used this key: 6 requests in a pause of 3 s". */
export const otherUseText = ({ requests, pauseMs }: OtherUse): string =>
  `something else used this key: ${counted(requests, 'request')} in a pause of ${duration(pauseMs)}`;
