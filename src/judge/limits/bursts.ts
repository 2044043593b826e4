import {
  FEWEST,
  MANY,
  minuteMs,
  MISHAP,
  MOSTLY,
  NEARLY,
  OVERTAKEN,
  ROUNDED_UP_MS,
  type Figures,
} from './bounds.js';
import { plainInteger, unixReset } from '../../base/interface/rate-headers.js';
import { describesDay, leftOf, leftsOf, refillOver, servedIn, spanMs, wasServed } from './sample.js';
import type { Asked } from './asked.js';
import type { KeyRun } from './key-run.js';

/* What a burst from silence shows: how much was served, and how Remaining fell. */

export type Plan = Pick<KeyRun, 'figures' | 'limit' | 'perMs' | 'windowMs'>;

export function planOf(figures: Figures): Plan {
  const windowMs = minuteMs(figures);
  return { figures, limit: figures.perMinute, windowMs, perMs: figures.perMinute / windowMs };
}

/** Share of the values that each counter shows: the others of them are not used up when the first one is. */
const NEARLY_EQUAL = 0.8;

/**
 * Splits a burst where a window began inside it: where Remaining is nearly whole again, or still, with a
 * Reset a window later. Once at most.
 */
export function partsOf(
  burst: readonly Asked[],
  { figures, limit, windowMs }: Plan,
): readonly (readonly Asked[])[] {
  // A slow server describes the window that began while it answered one of the window before.
  const isUncounted = (sample: Asked): boolean => (leftOf(sample, figures) ?? 0) >= limit;
  let least = Infinity;
  let reset: number | null = null;
  for (const [at, sample] of burst.entries()) {
    // Headers name the window with fewer left: the day's with more than the minute had begins another minute.
    const isOfDay = wasServed(sample) && describesDay(sample, figures);
    if (isOfDay && (plainInteger(sample.remaining) ?? 0) > least)
      return [burst.slice(0, at), burst.slice(at)];
    const left = wasServed(sample) ? leftOf(sample, figures) : null;
    if (left === null) continue;
    const next = unixReset(sample.reset);
    if (left >= limit - OVERTAKEN && left > least + OVERTAKEN) return splitAt(burst, at, isUncounted);
    // Resets of two windows of a clock are a window apart, in whole seconds.
    const isNext = reset !== null && next !== null && next - reset > NEARLY * windowMs - ROUNDED_UP_MS;
    // Servers whose clocks differ a little count some of the next ones in the window before.
    const isEarlier = (one: Asked): boolean =>
      isUncounted(one) || (unixReset(one.reset) ?? Infinity) < (next ?? 0) - windowMs / 2;
    if (isNext && left >= least - OVERTAKEN) return splitAt(burst, at, isEarlier);
    least = Math.min(least, left);
    reset = next;
  }
  return [burst];
}

/** Splits a burst at a window, of which the next few may still be counted in the one before. */
function splitAt(burst: readonly Asked[], from: number, isEarlier: (sample: Asked) => boolean) {
  const near = burst.slice(from, from + OVERTAKEN);
  return [
    [...burst.slice(0, from), ...near.filter(isEarlier)],
    [...near.filter((sample) => !isEarlier(sample)), ...burst.slice(from + OVERTAKEN)],
  ];
}

/** Remaining of each success, in order of the answers; empty if some answer has none. */
export function leftsIn(burst: readonly Asked[], { figures }: Plan): readonly number[] {
  const lefts = leftsOf(burst, figures);
  return lefts.length === servedIn(burst) ? lefts : [];
}

/**
 * Is true if nothing came back: Remaining fell by one each time, from its highest to its lowest, although the
 * burst outlasted `W / L`. Values of 0 say nothing: there a refill is used immediately.
 *
 * @param intervals how many times `W / L` it must outlast: more exclude a slower refill
 */
export function fellByOne(burst: readonly Asked[], plan: Plan, intervals = 1): boolean {
  const above = new Set<number>();
  let [served, again, most, least] = [0, 0, -Infinity, Infinity];
  let [firstAnswer, lastSent] = [Infinity, -Infinity];
  for (const sample of burst) {
    if (!wasServed(sample)) continue;
    served += 1;
    const left = leftOf(sample, plan.figures);
    if (left === null || left === 0) continue;
    // Only the highest may come twice: a first request that is not counted leaves the same as the next one.
    if (above.has(left) ? left < most || (again += 1) > 1 : left > most && again > 0) return false;
    // A full bucket shows it again as well, once one is back: it shows more only from then on.
    firstAnswer = left === most ? sample.answeredAt : Math.min(firstAnswer, sample.answeredAt);
    above.add(left);
    [most, least] = [Math.max(most, left), Math.min(least, left)];
    lastSent = Math.max(lastSent, sample.sentAt);
  }
  const isWithoutGap = above.size > 0 && most - least === above.size - 1;
  const isShown = above.size + again >= MOSTLY * served;
  return isWithoutGap && isShown && lastSent - firstAnswer >= intervals / (NEARLY * plan.perMs);
}

/**
 * Returns how many requests a step may have brought: by how much Remaining rose above what an earlier answer
 * said, and one that came back with them. 0 without a rise. Answers of requests under way together do not
 * count.
 */
export function stepIn(burst: readonly Asked[], { figures, limit }: Plan): number {
  const known = burst.flatMap((sample) => {
    const left = wasServed(sample) ? leftOf(sample, figures) : null;
    return left === null ? [] : [{ sample, left }];
  });
  const answered = known.toSorted((one, other) => one.sample.answeredAt - other.sample.answeredAt);
  let least = Infinity;
  let before = 0;
  let rise = 0;
  for (const { sample, left } of known.toSorted((one, other) => one.sample.sentAt - other.sample.sentAt)) {
    for (let one = answered[before]; one !== undefined && one.sample.answeredAt <= sample.sentAt;) {
      least = Math.min(least, one.left);
      one = answered[(before += 1)];
    }
    const back = left - least + 1;
    // A first request that is not counted leaves the same as the next one: that is no return.
    if (back > 1 || least < limit - 1) rise = Math.max(rise, back);
  }
  if (rise === 1) return 1;
  // Requests under way have used some of it by then.
  // More than a step brings is a window.
  return rise > 1 ? Math.min(rise + OVERTAKEN, Math.ceil(MOSTLY * limit)) : 0;
}

/**
 * Is true if Remaining of a steady run falls with nearly each request, and never rises: whatever refills
 * would bring back as many as it sends.
 */
export function fallsSteadily(served: readonly Asked[], plan: Plan): boolean {
  const lefts = leftsIn(served, plan);
  const [most, least] = [lefts[0] ?? 0, lefts.at(-1) ?? 0];
  const isFalling = lefts.every((left, at) => left <= (lefts[at - 1] ?? Infinity) + 1);
  return lefts.length > MANY && isFalling && most - least >= NEARLY * (lefts.length - 1);
}

/** Returns what the first answers promise: the highest Remaining and one; null without Remaining. */
export function promisedBy(burst: readonly Asked[], plan: Plan): number | null {
  const lefts = leftsIn(burst, plan);
  return lefts.length === 0 ? null : Math.max(...lefts) + 1;
}

/** Returns how many came back with each response of a client that sends one by one, and one for the first. */
export const returnsIn = (lefts: readonly number[]): readonly number[] =>
  lefts.map((left, at) => left + 1 - (lefts[at - 1] ?? left));

/** Returns how many requests may have come back during a burst. */
export const backIn = (burst: readonly Asked[], plan: Plan): number =>
  fellByOne(burst, plan) && spanMs(burst) < plan.windowMs
    ? 0
    : refillOver(spanMs(burst), plan) + stepIn(burst, plan);

export const beyond = (burst: readonly Asked[], had: number, plan: Plan): number =>
  servedIn(burst) - had - backIn(burst, plan);

/**
 * Returns how many counters a burst shows: each of n counters sends every value of Remaining once. 1 where
 * values do not come equally often. Values of 0 say nothing: they repeat where one limit is too high.
 */
export function countersIn(burst: readonly Asked[], { figures }: Pick<Plan, 'figures'>): number {
  const amounts = new Map<number, number>();
  for (const left of leftsOf(burst, figures)) if (left > 0) amounts.set(left, (amounts.get(left) ?? 0) + 1);
  const sorted = [...amounts.values()].toSorted((one, other) => one - other);
  const usual = sorted[Math.floor(sorted.length / 2)] ?? 1;
  const alike = sorted.filter((amount) => amount === usual).length;
  return sorted.length >= MANY && alike >= NEARLY_EQUAL * sorted.length ? usual : 1;
}

/**
 * Is true if parallel requests at the beginning of a burst show the same Remaining, more of them than came
 * back meanwhile: one counter shows each value once.
 */
export function countsApart(burst: readonly Asked[], plan: Plan): boolean {
  const six = burst.filter(({ part }) => part === 'six');
  const lefts = leftsOf(six, plan.figures);
  const again = lefts.length - new Set(lefts).size;
  return again >= FEWEST && again > MISHAP + refillOver(spanMs(six), plan);
}
