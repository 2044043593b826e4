import { isViolated, type Finding } from '../findings/finding.js';
import type { OperationName, RequirementId } from '../contract/types.js';
import { largestClump, longestWithoutRefill, singlesIn } from '../limits/refill-steps.js';
import type { ServerClock } from '../limits/clock.js';
import { headerFaults } from '../limits/headers/header-faults.js';
import { isSameWindow } from '../limits/reset-edges.js';
import type { BurstSeries, KeySeries } from '../limits/series.js';
import { beginsFresh, ownBefore } from '../limits/windows-seen.js';
import { CLEARLY_SINGLE, firstOverServed, type Return } from '../limits/over-served.js';
import { type CountingContext, miscountOf } from './burst/remaining-counts.js';
import { concurrent } from './concurrent/judge.js';
import { windowLength } from './window/judge.js';
import { wasServed, type Sample, samplesOf } from '../limits/sample.js';
import { withoutDryPause } from '../limits/refill.js';
import { notEarly } from './steady/experiment.js';

/** One key's record, with facts that the judges of several experiments need. */
export interface KeyEvidence {
  readonly key: KeySeries;
  /** Every kept sample, in order of sending. */
  readonly all: readonly Sample[];
  readonly clock: ServerClock | null;
  /** Operations that some plan's burst showed as unlimited. */
  readonly exempt: ReadonlySet<OperationName>;
  readonly otherPlans: number;
  /** First burst, without a pause that proves something, and with earlier requests of its window. */
  readonly first: BurstSeries | null;
  /** Bursts with the same bound: the first with its pause, and all later ones. */
  readonly later: readonly (readonly Sample[])[];
  /** Observed clumps and refills. */
  readonly known: Return;
  /** Record over which Remaining is counted, and the samples outside the first burst. */
  readonly counted: KeySeries;
  readonly past: readonly Sample[];
  readonly counting: CountingContext;
  readonly miscount: ReturnType<typeof miscountOf>;
  /** Requirement that reports an unlimited single window; null if it is limited. */
  readonly blocker: RequirementId | null;
  /** Findings on parallel requests, and on late refills: others depend on them. */
  readonly inParallel: readonly Finding[];
  readonly early: readonly Finding[];
}

/** Collects the evidence on one plan's key from its whole record. */
export function evidenceOf(
  key: KeySeries,
  clock: ServerClock | null,
  exempt: ReadonlySet<OperationName>,
  otherPlans: number,
): KeyEvidence {
  const { figures } = key;
  const all = samplesOf(key);
  // A burst for `rate-window` with too much breaks the same bound as the first; no window is too short. Removing a
  // pause removes what its length proves.
  const paused = key.burst === null ? [] : [withOwnBefore(key.burst, key).samples];
  const later = [...paused, ...(key.window?.bursts.slice(1) ?? [])];
  const clump = largestClump(all, figures);
  const unpaused = key.burst === null ? null : { ...key.burst, samples: withoutDryPause(key.burst.samples, figures) };
  const first = unpaused === null ? null : withOwnBefore(unpaused, key);
  const singles = Math.max(0, ...later.map((samples) => singlesIn(samples, figures)));
  const known = { clump, stillMs: longestWithoutRefill(key), comesBySingles: singles > 0 };
  const over = first !== null && firstOverServed([first.samples, ...later], figures, exempt, known) !== null;
  const refused = key.burst?.samples.some(({ status }) => status === 429) ?? false;
  const early = notEarly(key, all);
  const inBurst = key.burst?.samples ?? [];
  const malformed = inBurst.some((sample) =>
    headerFaults(sample, figures, clock).some(
      ({ kind, header }) => header === 'remaining' || (header === 'limit' && kind === 'not-integer'),
    ),
  );
  const past = all.filter((sample) => !inBurst.includes(sample));
  const counting = { exempt, overServed: over, early: early.some(isViolated), malformed, clump };
  const counted = { ...key, burst: unpaused };
  const miscount = miscountOf(counted, past, counting);
  // Responses of several counters belong to several windows.
  const unlimited = !refused || over ? 'rate-429' : exempt.size > 0 ? 'rate-all-operations' : null;
  const blocker = unlimited ?? (miscount === 'too-fast' ? 'rate-remaining-counts' : null);
  const oneByOne = windowLength({ ...key, concurrent: null }, clock, blocker, clump);
  const got = first?.samples.filter(wasServed).length ?? 0;
  const isTold = singles >= CLEARLY_SINGLE && miscount === null && exempt.size === 0 && !oneByOne.some(isViolated);
  return {
    key,
    all,
    clock,
    exempt,
    otherPlans,
    first,
    later,
    known,
    counted,
    past,
    counting,
    miscount,
    blocker,
    inParallel: concurrent(key, exempt, refused && !over, known, got, isTold),
    early,
  };
}

/**
 * Adds to a burst the earlier requests of the run in its window: they may explain one too many. If Reset shows that the
 * whole window is known, it adds all of them, counted or not.
 */
function withOwnBefore(burst: BurstSeries, { figures, earlier }: KeySeries): BurstSeries {
  const [first] = burst.samples;
  if (first === undefined) return burst;
  const told = earlier.filter((sample) => sample.answeredAt <= first.sentAt && isSameWindow(sample, first, figures));
  const isWhole = told[0] !== undefined && beginsFresh(told[0], figures);
  return { ...burst, samples: [...(isWhole ? told : ownBefore(first, figures, earlier)), ...burst.samples] };
}
