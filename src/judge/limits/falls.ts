import type { OperationName } from '../../base/interface/types.js';
import {
  FEWEST,
  longestByServer,
  minuteMs,
  RARE,
  refillIntervalMs,
  SLACK,
  worstSpan,
  type Figures,
} from './bounds.js';
import { bySending, leftBy, lone, slidBetween, wasServed, type Left, type Sample } from './sample.js';

/* How Remaining falls while requests go one by one. */

/** Fall of Remaining from one served request to the next. */
export interface Fall {
  readonly from: Sample;
  readonly to: Sample;
  readonly fall: number;
  /** What is left at the end. */
  readonly left: number;
  /** Requests after `from`, up to `to`, that certainly count. */
  readonly sure: number;
  /** All requests after `from`, up to `to`. */
  readonly all: number;
  /** Is true if Remaining did not fall by all that certainly counts: as much came back, or was not counted. */
  readonly isShort: boolean;
  /** Is true if nothing but a refill or a window can have come back: no request of a window ago. */
  readonly isKnown: boolean;
}

/**
 * @param exempt operations that need not count
 * @param isSettled true if nothing from before can come back meanwhile
 */
export function fallsIn(
  samples: readonly Sample[],
  figures: Figures,
  exempt: ReadonlySet<OperationName> = new Set(),
  isSettled = false,
): readonly Fall[] {
  const ordered = bySending(samples);
  const isLone = new Set(lone(ordered));
  const known = isSettled ? -Infinity : knownFrom(ordered, figures);
  const falls: Fall[] = [];
  let before: Left | null = null;
  let [sure, all] = [0, 0];
  for (const sample of ordered) {
    const counts = isLone.has(sample) && wasServed(sample) && !exempt.has(sample.operation);
    sure += counts ? 1 : 0;
    all += 1;
    const left = counts ? leftBy(sample, figures) : null;
    if (left === null) continue;
    if (before !== null) {
      const [from, to, fall] = [before.sample, sample, before.left - left];
      const isKnown = from.sentAt >= known && slidBetween(ordered, figures, from.sentAt, to.answeredAt) === 0;
      falls.push({ from, to, fall, left, sure, all, isShort: fall < sure, isKnown });
    }
    before = { sample, left };
    [sure, all] = [0, 0];
  }
  return falls;
}

/**
 * Returns from when on all requests that may come back are the run's own, Unix ms: a window after the first
 * response if that shows earlier use.
 */
function knownFrom(ordered: readonly Sample[], figures: Figures): number {
  const at = ordered.findIndex((sample) => leftBy(sample, figures) !== null);
  const first = ordered[at];
  const left = leftBy(first, figures);
  if (first === undefined || left === null) return Infinity;
  return left < figures.perMinute - 1 - at ? first.answeredAt + minuteMs(figures) : -Infinity;
}

/**
 * Is true if so many falls, each of which something that came back would explain, are more than can come back
 * in their time.
 */
export function isBeyondRefill(falls: readonly Fall[], figures: Figures): boolean {
  const rate = 1 / refillIntervalMs(figures);
  const spans = falls.map(({ from, to }) => ({ ...to, sentAt: from.sentAt }));
  const worst = worstSpan(spans, rate);
  return worst !== null && worst.count > SLACK + rate * longestByServer(worst.to - worst.from);
}

/** Returns the operations at which Remaining does not fall, while it falls at the others. */
export function exemptIn(samples: readonly Sample[], figures: Figures): ReadonlySet<OperationName> {
  const single = fallsIn(samples, figures).filter(({ all, isKnown }) => all === 1 && isKnown);
  const of = (operation: OperationName): readonly Fall[] =>
    single.filter(({ to }) => to.operation === operation);
  const stays = [...new Set(single.map(({ to }) => to.operation))].filter(
    (operation) => of(operation).every(({ isShort }) => isShort) && isBeyondRefill(of(operation), figures),
  );
  const others = fallsIn(samples, figures, new Set(stays)).filter(({ isKnown }) => isKnown);
  const short = others.filter(({ isShort }) => isShort).length;
  if (others.length - short < FEWEST) return new Set();
  return new Set(stays.filter((operation) => (short / others.length) ** of(operation).length < RARE));
}

/**
 * Returns the falls of an operation that costs more than one each time; empty without. Requests of somebody
 * else would come at other operations too, or not each time as many.
 */
export function dearFalls(falls: readonly Fall[]): readonly Fall[] {
  // Below 0 Remaining cannot fall.
  const single = falls.filter(({ all, left }) => all === 1 && left > 0);
  const isAlike = new Set(single.map(({ fall }) => fall)).size === 1;
  const operations = [...new Set(single.map(({ to }) => to.operation))];
  const dear = operations
    .map((operation) => single.filter(({ to }) => to.operation === operation))
    .filter((own) => own.length >= FEWEST && own.every(({ fall }) => fall > 1));
  const isElsewhere = single.some((one) => one.fall > 1 && !dear.some((own) => own.includes(one)));
  const [first = []] = dear;
  return isAlike || (dear.length === 1 && !isElsewhere) ? first : [];
}
