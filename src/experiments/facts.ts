import { once } from '../contract/config-file.js';
import { isViolated, judgementsOf, type Judgement } from '../findings/finding.js';
import type { OperationName } from '../contract/types.js';
import { largestClump, longestWithoutRefill, singlesIn } from '../limits/refill-steps.js';
import type { ServerClock } from '../limits/clock.js';
import { hasUncountable } from '../limits/headers/header-faults.js';
import { isSameWindow } from '../limits/reset-edges.js';
import { samplesOf, type KeySeries } from '../limits/series.js';
import { beginsFresh, ownBefore } from '../limits/windows-seen.js';
import { countedSamples, overServed } from '../limits/over-served.js';
import { miscountIn, movesOf } from './burst/remaining-counts.js';
import { judgeParallel } from './concurrent/experiment.js';
import { windowLength } from './window/experiment.js';
import { wasRefused, type Sample } from '../limits/sample.js';
import { withoutDryPause } from '../limits/refill.js';
import { notEarly } from './steady/experiment.js';

/** Facts on one key, for the judges of several experiments. */
export type KeyFacts = ReturnType<typeof factsOf>;

/**
 * Returns the facts on one key, each computed when a judge asks for it.
 * @param exempt operations that some plan's burst showed as unlimited
 */
export function factsOf(
  key: KeySeries,
  clock: ServerClock | null,
  exempt: ReadonlySet<OperationName>,
  otherPlans: number,
) {
  const { figures } = key;
  const inBurst = key.burst?.samples ?? [];
  const past = once(() => samplesOf(key).filter((sample) => !inBurst.includes(sample)));

  /** Record without the burst's pause: removing it removes what its length proves. Remaining is counted over it. */
  const unpaused = once(() => ({
    ...key,
    burst: key.burst && { ...key.burst, samples: withoutDryPause(inBurst, figures) },
  }));
  /** First burst, without its pause and with earlier requests of its window. */
  const first = once(() => withOwnBefore(unpaused().burst?.samples ?? [], key));
  /** Bursts with the same bound: the first with its pause, and those for `rate-window`. */
  const later = once(() => [withOwnBefore(inBurst, key), ...(key.window?.slice(1) ?? [])]);
  const singles = once(() => Math.max(0, ...later().map((samples) => singlesIn(samples, figures))));
  const known = once(() => ({
    clump: largestClump(samplesOf(key), figures),
    stillMs: longestWithoutRefill(key),
    comesBySingles: singles() > 0,
  }));

  /** More than allowed in one burst; null if no burst got more. */
  const over = once(() => {
    const bursts = [first(), ...later()].map((samples) => countedSamples(samples, exempt));
    return bursts.map((samples) => overServed(samples, figures, known())).find((found) => found !== null) ?? null;
  });
  const isLimited = once(() => inBurst.some(wasRefused) && over() === null);
  /** Judgements of `rate-not-early`: late refills explain others. */
  const early = once(() => judgementsOf(notEarly(key)));
  const isMalformed = once(() => hasUncountable(inBurst, figures, clock));
  const moves = once(() => movesOf(unpaused(), past(), exempt, known().clump));
  const miscount = once(() => (key.exclusive && !isMalformed() ? miscountIn(moves()) : null));

  /** Requirement that reports an unlimited single window; null if it is limited. */
  const blocker = once(() => {
    if (!isLimited()) return 'rate-429';
    // Responses of several counters belong to several windows.
    if (exempt.size > 0) return 'rate-all-operations';
    return miscount() === 'too-fast' ? 'rate-remaining-counts' : null;
  });
  const windowOf = (series: KeySeries): readonly Judgement[] => judgementsOf(windowLength(series, facts));
  const oneByOne = once(() => windowOf({ ...key, concurrent: null }));
  /** Judgements of `rate-concurrent`. */
  const inParallel = once((): readonly Judgement[] => judgementsOf(judgeParallel(facts)));
  /** Judgements of `rate-window`; without parallel requests that got too much. */
  const window = once(() => (inParallel().some(isViolated) ? oneByOne() : windowOf(key)));

  const ofBurst = { unpaused, first, later, singles, over, isLimited, isMalformed, moves, miscount };
  const judged = { early, blocker, oneByOne, inParallel, window };
  const facts = { key, clock, exempt, otherPlans, past, known, ...ofBurst, ...judged };
  return facts;
}

/**
 * Adds to a burst the earlier requests of the run in its window: they may explain one too many. If Reset shows that the
 * whole window is known, it adds all of them, counted or not.
 */
function withOwnBefore(burst: readonly Sample[], { figures, earlier }: KeySeries): readonly Sample[] {
  const [first] = burst;
  if (first === undefined) return burst;
  const told = earlier.filter((sample) => sample.answeredAt <= first.sentAt && isSameWindow(sample, first, figures));
  const isWhole = told[0] !== undefined && beginsFresh(told[0], figures);
  return [...(isWhole ? told : ownBefore(first, figures, earlier)), ...burst];
}
