import { sum } from '../../base/kernel/format.js';
import type { FindRecord } from '../../log/capacity-record.js';
import { isLatency, type Condition, type Threshold } from '../../wire/scenario/threshold.js';
import type { FindAnswer, FindStep } from '../../log/load-shapes.js';
import { shareOf } from '../../log/histogram.js';

/** Bounds of a search for the highest rate. Rates in arrivals per second, times in seconds. */
export interface FindSettings {
  /** First rate that is judged. */
  readonly first: number;
  readonly lowest: number;
  readonly most: number;
  /** Requests that the conditions need for a judgement. */
  readonly samples: number;
}

export type Move =
  | {
      readonly kind: 'step';
      readonly role: FindStep['role'];
      readonly perSecond: number;
      readonly seconds: number;
    }
  | { readonly kind: 'answer'; readonly answer: FindAnswer };

/** Shortest step: in 10 s, 5 % beyond the capacity of a queue delays its last requests by half a second. */
const STEP_SECONDS = 10;
/** The last good rate again, three times as long: a short step may hide a queue that grows slowly. */
const CONFIRM_SECONDS = 30;
/** For connections and caches of the server; not judged. */
const WARM_SECONDS = 5;
/** Longest step. A percentile that needs more requests is judged by fewer, and the answer says so. */
const LONGEST_SECONDS = 120;
/** Distance of the rates that hold and miss at which the search ends. */
const PRECISION = 0.05;
/** Rates that are confirmed, each lower than the one before: the last is 14 % below the first. */
const MOST_CONFIRMS = 3;
const CONFIRM_LOWER = 0.93;
/** A first rate that misses is divided by this. */
const DOWN = 4;
/** A rate that held before, this far below one that misses, holds still unless the server got worse. */
const CLEARLY_LOWER = 0.8;
/** A server is worse than before if its median at that rate grew this much, and by more than noise (ms). */
const WORSE = 2;
const NOISE_MS = 5;

/**
 * Steps that are repeated because the generator was the bottleneck. With more, this machine is too busy for a
 * search.
 */
const MOST_REPEATS = 6;

/** Requests beyond a percentile that make it more than one outlier: with 5, a p99 needs 500 requests. */
const BEYOND = 5;
/** For conditions on numbers and on the median. */
const LEAST_SAMPLES = 100;

/** Returns how many requests a step needs, so that its figures mean something for all conditions. */
export const samplesFor = (conditions: readonly Condition[]): number =>
  Math.max(LEAST_SAMPLES, ...conditions.map(samplesOf));

function samplesOf({ metric, unit, bound }: Condition): number {
  if (isLatency(metric))
    return metric === 'max' ? LEAST_SAMPLES : Math.ceil(BEYOND / (1 - shareOf(metric)) - 1e-6);
  return unit === 'share' && bound > 0 ? Math.ceil(BEYOND / bound) : LEAST_SAMPLES;
}

const secondsFor = (perSecond: number, least: number, samples: number): number =>
  Math.min(LONGEST_SECONDS, Math.max(least, Math.ceil(samples / perSecond)));

/** Share of the needed requests with which a rate is looked at first: bisection and confirmation look again. */
const CLIMB_SHARE = 0.4;

function secondsOf(role: FindStep['role'], perSecond: number, samples: number): number {
  if (role === 'warm') return WARM_SECONDS;
  if (role === 'confirm') return secondsFor(perSecond, CONFIRM_SECONDS, samples);
  return secondsFor(perSecond, STEP_SECONDS, role === 'climb' ? samples * CLIMB_SHARE : samples);
}

const rounded = (perSecond: number): number =>
  perSecond >= 20 ? Math.round(perSecond) : Math.round(perSecond * 100) / 100;

const answer = (given: FindAnswer): Move => ({ kind: 'answer', answer: given });

/**
 * Returns what a search does after the steps so far: rates that double until one misses, bisection to 5 %,
 * and the highest rate that held once more, for longer. Pure.
 */
export function nextMove(settings: FindSettings, steps: readonly FindStep[]): Move {
  const { first, lowest, most, samples } = settings;
  const step = (role: FindStep['role'], perSecond: number): Move => ({
    kind: 'step',
    role,
    perSecond,
    seconds: secondsOf(role, perSecond, samples),
  });
  const last = steps.at(-1);
  if (last === undefined) return step('warm', Math.min(first, most));
  if (isGone(steps)) return answer({ kind: 'stopped', perSecond: highestHeld(steps) });
  const hidden = hiddenTwice(steps);
  if (last.outcome === 'generator' && !hidden.includes(last)) {
    const before = steps.at(-2);
    const isTwice = before?.outcome === 'generator' && before.perSecond === last.perSecond;
    const isOften = steps.filter(({ outcome }) => outcome === 'generator').length > MOST_REPEATS;
    return isTwice || isOften
      ? answer({ kind: 'generator', perSecond: last.perSecond })
      : step(last.role, last.perSecond);
  }
  const judged = steps.filter(
    (one) => one.role !== 'warm' && (one.outcome !== 'generator' || hidden.includes(one)),
  );
  const missed = judged.filter(({ role, outcome }) => role !== 'again' && outcome !== 'holds');
  const bad = missed.length === 0 ? null : Math.min(...missed.map(({ perSecond }) => perSecond));
  const held = judged.filter(
    ({ outcome, perSecond }) => outcome === 'holds' && (bad === null || perSecond < bad),
  );
  const good = held.length === 0 ? null : Math.max(...held.map(({ perSecond }) => perSecond));
  const confirms = judged.filter(({ role }) => role === 'confirm');
  const confirm = confirms.at(-1);
  if (confirm !== undefined) return afterConfirm(confirm);
  if (bad === null) {
    if (good === null) return step('climb', Math.min(first, most));
    return good >= most ? step('confirm', good) : step('climb', Math.min(most, rounded(good * 2)));
  }
  if (good === null) {
    if (bad > lowest) return step('climb', Math.max(lowest, rounded(bad / DOWN)));
    // A server that stopped responding at the lowest rate may be gone, which says nothing about that rate.
    const isAskedOnce = judged.filter(({ perSecond }) => perSecond <= lowest).length === 1;
    return last.stopped && isAskedOnce ? step('climb', lowest) : answer({ kind: 'none', perSecond: bad });
  }
  const middle = rounded((good + bad) / 2);
  const isNear = bad - good <= good * PRECISION || middle <= good || middle >= bad;
  return isNear ? step('confirm', good) : step('bisect', middle);

  function afterConfirm(one: FindStep): Move {
    if (one.outcome === 'holds')
      return answer({ kind: one.perSecond >= most ? 'bound' : 'found', perSecond: one.perSecond });
    const [first] = confirms;
    const base = held
      .filter(
        ({ role, perSecond }) => role !== 'again' && perSecond <= (first?.perSecond ?? 0) * CLEARLY_LOWER,
      )
      .toSorted((a, b) => b.perSecond - a.perSecond)[0];
    const agains = judged.filter(({ role }) => role === 'again');
    const again = agains.at(-1);
    // Whether the rate is too high, or the server got worse meanwhile, shows at a rate that held before.
    if (base && again === undefined) return step('again', base.perSecond);
    if (base && again && isWorse(base, again)) return answer({ kind: 'worse', perSecond: base.perSecond });
    const lower = Math.max(lowest, rounded(one.perSecond * CONFIRM_LOWER));
    if (confirms.length < MOST_CONFIRMS && lower < one.perSecond) return step('confirm', lower);
    // It may have got worse since.
    return base && agains.length === 1
      ? step('again', base.perSecond)
      : answer({ kind: 'unsteady', perSecond: one.perSecond });
  }
}

/**
 * Returns the second of two steps in a row that the generator hid, between a rate that held and one that
 * missed. They count as missed: the rate that is found is lower, and held.
 */
const hiddenTwice = (steps: readonly FindStep[]): readonly FindStep[] =>
  steps.filter((one, at) => {
    const before = steps[at - 1];
    const isBetween = one.role === 'bisect' || one.role === 'confirm';
    return (
      isBetween &&
      one.outcome === 'generator' &&
      before?.outcome === 'generator' &&
      before.perSecond === one.perSecond
    );
  });

/**
 * Returns whether the server is gone: it answered nothing in the last step, and nothing any more at the end
 * of the one before. One step may be too much for a server that comes back in the pause.
 */
function isGone(steps: readonly FindStep[]): boolean {
  const [before, last] = [steps.at(-2), steps.at(-1)];
  return last?.stopped?.afterMs === 0 && (before === undefined || before.stopped !== undefined);
}

/** Returns the highest rate that held in a judged step below all that missed; 0 for none. */
export function highestHeld(steps: readonly FindStep[]): number {
  const judged = steps.filter(({ role }) => role !== 'warm');
  const bad = Math.min(
    Infinity,
    ...judged.flatMap(({ outcome, perSecond }) => (outcome === 'misses' ? [perSecond] : [])),
  );
  const held = judged.filter(({ outcome, perSecond }) => outcome === 'holds' && perSecond < bad);
  return Math.max(0, ...held.map(({ perSecond }) => perSecond));
}

const isWorse = (base: FindStep, again: FindStep): boolean =>
  again.outcome === 'misses' || again.p50 > base.p50 * WORSE + NOISE_MS;

/** Pause after each step, once the server has answered everything, s: queues behind it drain. */
export const PAUSE_SECONDS = 1;

/**
 * Returns the most steps, seconds and requests of a search: rates that double to the highest, bisection,
 * confirmations, and repeats for the generator's sake.
 *
 * @param timeoutSeconds longest wait for the responses of a step
 */
export function mostOfSearch(settings: FindSettings, timeoutSeconds: number) {
  const { first, lowest, most, samples } = settings;
  const start = Math.min(first, most);
  const climbs = [start];
  while ((climbs.at(-1) ?? most) < most) climbs.push(Math.min((climbs.at(-1) ?? most) * 2, most));
  const downs: number[] = [];
  for (let rate = start; rate > lowest; rate /= DOWN) downs.push(Math.max(lowest, rate / DOWN));
  // Between a rate and a quarter of it lies three times the lower one.
  const bisections =
    climbs.length + downs.length === 1 ? 0 : Math.ceil(Math.log2((DOWN - 1) / PRECISION)) + 1;
  /** The rates of bisection and confirmation are unknown: the lowest takes longest, the highest sends most. */
  const slowest = downs.at(-1) ?? start;
  const open = [
    ...Array.from({ length: bisections }, () => STEP_SECONDS),
    ...Array.from({ length: MOST_CONFIRMS }, () => CONFIRM_SECONDS),
    // A lower rate once more, after the first and after the last of them.
    STEP_SECONDS,
    STEP_SECONDS,
    ...Array.from({ length: MOST_REPEATS }, () => CONFIRM_SECONDS),
  ];
  const known = [...climbs, ...downs];
  const steps = 1 + known.length + open.length;
  const seconds =
    WARM_SECONDS +
    sum(known, (rate) => secondsFor(rate, STEP_SECONDS, samples)) +
    sum(open, (least) => secondsFor(slowest, least, samples));
  const requests =
    start * WARM_SECONDS +
    sum(known, (rate) => rate * secondsFor(rate, STEP_SECONDS, samples)) +
    sum(open, (least) => most * secondsFor(most, least, samples)) +
    steps;
  return {
    steps,
    seconds: Math.ceil(seconds + steps * (PAUSE_SECONDS + timeoutSeconds)),
    requests: Math.ceil(requests),
  };
}

export interface FindPlan {
  readonly conditions: readonly Threshold[];
  readonly settings: FindSettings;
  readonly mostIs: FindRecord['mostIs'];
  /** Requests that the plans' day allows; no step begins that would exceed them. */
  readonly budget: number;
  readonly bound: ReturnType<typeof mostOfSearch>;
}
