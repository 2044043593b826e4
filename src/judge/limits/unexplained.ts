import type { Asked } from './asked.js';
import type { Figures } from './bounds.js';
import { leftOf } from './left.js';
import { servedIn, wasRefused, wasServed, type Sample } from './sample.js';

/* What Remaining lost, over time, that the run's requests do not explain: who asks for others asks here. */

/** From some requests to a later one on its own. */
export interface Step {
  readonly before: Asked;
  readonly after: Asked;
  /** Time in which the run sent nothing, ms. */
  readonly silentMs: number;
  /** By how much Remaining fell further than the run's requests explain; negative: so many came back. */
  readonly lost: number;
}

/** Parallel requests before a silence overtake one another: of so many the least Remaining holds. */
const OVERTAKEN = 8;
/** Fewest requests in all silences, and fewer than the plan: so many are no rounding. */
export const FEWEST = 3;
/** Twice is no chance. */
export const TWICE = 2;
/** Fewest values of a burst that show how often one counts twice. */
const FEW = 10;

/** Returns how many requests the server had left for one and those after it; null if it does not say. */
export function hadBy(sample: Sample, figures: Figures): number | null {
  const left = leftOf(sample, figures);
  if (left === null) return null;
  return wasServed(sample) ? left + 1 : wasRefused(sample) && left === 0 ? 0 : null;
}

/** Returns the steps of a key's Remaining, in order of time. */
export function stepsIn(asked: readonly Asked[], figures: Figures): readonly Step[] {
  const cost = costOf(asked, figures);
  const sent = asked.toSorted((one, other) => one.sentAt - other.sentAt);
  let answered = -Infinity;
  return sent.flatMap((after, at): readonly Step[] => {
    const silentMs = after.sentAt - answered;
    answered = Math.max(answered, after.answeredAt);
    const before = sent[at - 1];
    const isLone = silentMs >= 0 && (sent[at + 1]?.sentAt ?? Infinity) >= after.answeredAt;
    const had = hadBy(after, figures);
    if (before === undefined || !isLone || had === null) return [];
    const together = sent.slice(Math.max(0, at - OVERTAKEN), at);
    const lefts = together
      .filter((one) => one.answeredAt > before.sentAt)
      .map((one) => (wasServed(one) ? leftOf(one, figures) : null) ?? NaN);
    const lost = Math.min(...lefts) - had - (cost - 1);
    return Number.isNaN(lost) ? [] : [{ before, after, silentMs, lost }];
  });
}

/** Returns what the server counts for one request: a mistaken one counts each more than once. */
function costOf(asked: readonly Asked[], figures: Figures): number {
  const costs = asked.flatMap((sample, at) => {
    const before = asked[at - 1];
    if (sample.part !== 'operations' || before === undefined) return [];
    const [from, to] = [leftOf(before, figures), leftOf(sample, figures)];
    return from === null || to === null ? [] : [from - to];
  });
  return Math.max(1, costs.toSorted((one, other) => one - other)[Math.floor(costs.length / 2)] ?? 1);
}

/**
 * Returns the share of requests that the server counts once more than it should, by the burst that shows the
 * fewest: bursts are so quick that hardly anybody else comes between.
 */
export function countedTwice(asked: readonly Asked[], figures: Figures): number {
  const shares = burstsOf(asked).flatMap((burst) => {
    const lefts = burst.filter(wasServed).flatMap((sample) => leftOf(sample, figures) ?? []);
    const fall = Math.max(...lefts) - Math.min(...lefts);
    return lefts.length < FEW ? [] : [Math.max(0, fall / (lefts.length - 1) - 1)];
  });
  return shares.length === 0 ? 0 : Math.min(...shares);
}

/** Returns what there was after each silence of a window or two, with the request that showed it. */
export const fromSilence = (asked: readonly Asked[], figures: Figures) =>
  asked.flatMap((sample) => {
    const had = sample.part === 'lone' ? hadBy(sample, figures) : null;
    return had === null ? [] : [{ sample, had }];
  });

/** Returns what a watched key had for each request. */
export const hadWhileWatched = (asked: readonly Asked[], figures: Figures): readonly number[] =>
  asked.filter(({ question }) => question === 'watch').flatMap((sample) => hadBy(sample, figures) ?? []);

/** Returns the bursts from silence. */
export const burstsOf = (asked: readonly Asked[]): readonly (readonly Asked[])[] =>
  (['whole', 'second', 'third'] as const).map((name) => asked.filter(({ question }) => question === name));

/** Is true if one of these bursts got the whole plan, whatever Remaining said. */
export const servesPlan = (bursts: readonly (readonly Asked[])[], { perMinute }: Figures): boolean =>
  bursts.some((burst) => servedIn(burst) >= perMinute);
