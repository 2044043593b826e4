import type { OperationName } from '../../base/interface/types.js';
import { capital, counted } from '../../base/kernel/format.js';
import { isTooFast, worstOf } from './movements.js';
import { type Moves } from './remaining-moves.js';
import { leftsOf } from './sample.js';
import type { KeyName } from '../../base/interface/names.js';
import type { KeySeries } from './series.js';

/* Use of a key by something else than the run: its target file says that there is none. */

/** Use of a key by something else than this run, as far as Remaining shows it. */
export interface OtherUse {
  readonly requests: number;
  readonly perSecond: number;
  /** True if it goes on through both halves of the requests. */
  readonly isEven: boolean;
}

/**
 * Finds use of the key by something else: Remaining fell by more than was sent, while the requests of a lone
 * client do not each cost more. Null without.
 *
 * @param costs falls of Remaining at requests that directly follow another, none with a concurrent one
 */
export function otherUseIn(
  { figures }: KeySeries,
  { samples, moves }: Moves,
  costs: readonly Cost[],
): OtherUse | null {
  const worst = worstOf(moves.filter(isTooFast));
  if (worst === undefined || costsMoreEachTime(costs)) return null;
  const lefts = leftsOf(samples, figures).map(({ left }) => left);
  const half = Math.floor(lefts.length / 2);
  const fallOver = (from: number, to: number): number => (lefts[from] ?? 0) - (lefts[to] ?? 0) - (to - from);
  const isEven = fallOver(0, half) > 0 && fallOver(half, lefts.length - 1) > 0;
  const requests = -worst.back.most;
  return { requests, perSecond: requests / (worst.elapsedMs / 1000), isEven };
}

/**
 * Words the use of a key by something else: "something else used the Free key: about 2.9 requests a second,
 * evenly".
 */
export function otherUseText(key: KeyName, { requests, perSecond, isEven }: OtherUse): string {
  const evenly = `${Math.round(perSecond * 10) / 10} requests a second, evenly`;
  return `${OTHER_USE} the ${capital(key)} key: about ${isEven ? evenly : counted(requests, 'request')}`;
}

/** Begins each sentence about it, so that reports can name the cause first. */
export const OTHER_USE = 'something else used';

/** Fall of Remaining at one request of an operation. */
export interface Cost {
  readonly operation: OperationName;
  readonly fall: number;
}

/** Fewest requests of an operation that show its cost: two alike may be chance. */
const LEAST_COSTS = 3;

/**
 * True if each request of some operation costs more than one, and either all requests cost the same or no
 * other operation costs more: a lone client proves that. Requests of others come at any time.
 */
export function costsMoreEachTime(costs: readonly Cost[]): boolean {
  const operations = [...new Set(costs.map(({ operation }) => operation))];
  return operations.some((operation) => {
    const own = costs.filter((cost) => cost.operation === operation);
    const others = costs.filter((cost) => cost.operation !== operation);
    const isAlways = own.length >= LEAST_COSTS && own.every(({ fall }) => fall > 1);
    const isSame = new Set(costs.map(({ fall }) => fall)).size === 1;
    return isAlways && (isSame || !others.some(({ fall }) => fall > 1));
  });
}
