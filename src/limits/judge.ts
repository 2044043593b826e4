import type { Finding } from '../checks/finding.js';
import type { OperationName } from '../contract/types.js';
import { distinct, isPlanAnswer } from './answers.js';
import { clockBounds, clockWithin, overlap, type ServerClock } from './clock.js';
import { withoutDryPause } from './dry-pause.js';
import { everyAnswer } from './every-answer.js';
import { comesBackAtOnce, largestClump, singlesIn } from './came-back.js';
import { isViolated } from './findings.js';
import { folded } from './fold.js';
import { algorithm } from './oracles/algorithm.js';
import { banFindings, noBanTried } from './oracles/ban.js';
import { concurrent } from './oracles/concurrent.js';
import { dayQuota } from './oracles/day-quota.js';
import { dayRemaining } from './oracles/day-remaining.js';
import { headersPresent } from './oracles/headers-present.js';
import { headerFaults } from './oracles/header-faults.js';
import { headersWellformed } from './oracles/headers-wellformed.js';
import { limitValue } from './oracles/limit-value.js';
import { notEarly } from './oracles/not-early.js';
import { allOperations, operationUse } from './oracles/operations.js';
import { perKey } from './oracles/per-key.js';
import { onlyAfterAbuse, resetTruthful, retryAfterHonoured } from './oracles/recovery.js';
import { firstOverServed, refusedOtherwiseInParallel, refusesPastLimit } from './oracles/refuses-past-limit.js';
import { miscountOf, remainingCounts } from './oracles/remaining-counts.js';
import { refusalBody, retryAfterPresent } from './oracles/retry-after-present.js';
import { windowLength } from './oracles/window.js';
import { isSameWindow } from './reset-edges.js';
import type { Sample } from './sample.js';
import { inconclusive, notApplicable } from './say.js';
import type { BurstSeries, KeySeries, LimitRecord } from './series.js';
import { beginsFresh, ownBefore } from './windows-seen.js';

/** Every sample that is kept of one key, in the order of sending: all but what used up a day. */
export const samplesOf = (key: KeySeries): readonly Sample[] =>
  distinct([
    ...key.earlier,
    ...(key.burst?.samples ?? []),
    ...key.recoveries
      .flatMap(({ refusal, retry, resetRetry }) => [refusal, retry, resetRetry])
      .filter((sample) => sample !== null),
    ...(key.concurrent?.samples ?? []),
    ...(key.window?.bursts.flat() ?? []),
    ...(key.spread?.samples ?? []),
    ...(key.spread?.last ? [key.spread.last] : []),
    ...(key.fresh?.samples ?? []),
    ...(key.steady?.samples ?? []),
    ...(key.ban === null ? [] : [...key.ban.pushed, ...key.ban.watched]),
  ]);

/** Rows whose verdict means nothing where two keys share one allowance. */
const SPOILT_BY_SHARING: ReadonlySet<string> = new Set([
  'rate-429',
  'rate-remaining-counts',
  'rate-not-early',
  'rate-concurrent',
  'rate-window',
  'rate-retry-after-honoured',
  'rate-reset-truthful',
  'ban-only-after-abuse',
]);

/** Rows that say nothing where others use the keys as well: what is missing may be theirs. */
const SPOILT_BY_OTHERS: ReadonlySet<string> = new Set([
  'rate-retry-after-honoured',
  'rate-reset-truthful',
  'ban-only-after-abuse',
  'rate-per-key',
]);

/** A breach that other users of the key explain. */
const excused = (finding: Finding): Finding =>
  isViolated(finding) && SPOILT_BY_OTHERS.has(finding.requirement)
    ? notApplicable(finding.requirement, 'keys-shared', 'The keys have other users, who may have used the allowance.')
    : finding;

/** A breach that another row is charged with is not established on its own. */
const leftOpen = (finding: Finding): Finding =>
  isViolated(finding) && SPOILT_BY_SHARING.has(finding.requirement)
    ? inconclusive(
        finding.requirement,
        'prerequisite',
        'The keys share one allowance, so what each of them gets says nothing.',
      )
    : finding;

/**
 * A burst with what the run itself had used of its window before: a request too many may be one of those. Where Reset tells
 * that all of the window is known, it is all that was sent in it, also what the burst's first answer does not count.
 */
function withOwnBefore(burst: BurstSeries, { figures, earlier }: KeySeries): BurstSeries {
  const [first] = burst.samples;
  if (first === undefined) return burst;
  const told = earlier.filter((sample) => sample.answeredAt <= first.sentAt && isSameWindow(sample, first, figures));
  const isWhole = told[0] !== undefined && beginsFresh(told[0], figures);
  return { ...burst, samples: [...(isWhole ? told : ownBefore(first, figures, earlier)), ...burst.samples] };
}

/** The profiles that every plan's key is judged by. */
function judgePlan(
  key: KeySeries,
  clock: ServerClock | null,
  exempt: ReadonlySet<OperationName>,
  otherPlans: number,
): readonly Finding[] {
  const { figures } = key;
  const all = samplesOf(key);
  // A burst for `rate-window` that gets too much in itself breaks the same bound as the first: no window is short for that.
  // What a pause proves by its length is gone once it is taken out.
  const paused = key.burst === null ? [] : [withOwnBefore(key.burst, key).samples];
  const later = [...paused, ...(key.window?.bursts.slice(1) ?? [])];
  const clump = largestClump(all, figures);
  const unpaused = key.burst === null ? null : { ...key.burst, samples: withoutDryPause(key.burst.samples, figures) };
  const first = unpaused === null ? null : withOwnBefore(unpaused, key);
  const comesBySingles = later.some((samples) => singlesIn(samples, figures) > 0);
  const known = { clump, isAtOnce: comesBackAtOnce(key), comesBySingles };
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
  const burst =
    first === null ? [] : refusesPastLimit(key.key, first, later, figures, exempt, known, miscount !== null);
  const unlimited = !refused || over ? 'rate-429' : exempt.size > 0 ? 'rate-all-operations' : null;
  // Answers by several counters are those of several windows.
  const blocker = unlimited ?? (miscount === 'too-fast' ? 'rate-remaining-counts' : null);
  const { presence, form, limits, refusals } = folded(everyAnswer(figures), all, key.dayQuota?.answers);
  const together = concurrent(key, exempt, refused && !over, known);
  // What a day serves beyond its allowance no Remaining can count.
  const day = dayQuota(key, clock);
  return [
    ...headersPresent(key.key, presence),
    ...headersWellformed(key.key, form, figures, clock),
    ...limitValue(key.key, limits, figures),
    ...burst,
    ...refusedOtherwiseInParallel(key),
    ...(day.some(isViolated) ? [] : dayRemaining(key)),
    ...remainingCounts(counted, past, counting),
    ...early,
    ...perKey(key, otherPlans),
    ...retryAfterPresent(key.key, refusals, figures, clock),
    ...retryAfterHonoured(key, clock),
    ...resetTruthful(key, clock),
    ...onlyAfterAbuse(key, clock),
    ...together,
    ...windowLength(together.some(isViolated) ? { ...key, concurrent: null } : key, clock, blocker, clump),
    ...algorithm(key, all, clock),
    ...day,
  ];
}

/** Where no operator says how long a ban may last, any wait may be its. */
const LONGEST_BAN_UNTOLD_S = Infinity;

/** The sacrificial key is judged by what any answer must carry, and by the ban. */
function judgeSacrifice(key: KeySeries, clock: ServerClock | null): readonly Finding[] {
  const all = samplesOf(key);
  const { presence, form, refusals } = folded(everyAnswer(key.figures), all.filter(isPlanAnswer));
  return [
    ...headersPresent(key.key, presence),
    ...headersWellformed(key.key, form, key.figures, clock),
    ...retryAfterPresent(key.key, refusals, key.figures, clock, key.ban?.declaredSeconds ?? LONGEST_BAN_UNTOLD_S),
    ...(key.ban === null ? [] : banFindings(key, key.ban, clock)),
  ];
}

/**
 * Judges all that the load profiles recorded: one finding or more for every row that the profiles decide. A breach is
 * charged to the row that it breaks and to no other; what depends on it is left open.
 */
export function judgeLimits({ keys, refusalBodies, operations }: LimitRecord): readonly Finding[] {
  const kept = folded(
    clockBounds,
    keys.flatMap((key) => samplesOf(key)),
  );
  const clock = clockWithin(overlap([kept, ...keys.flatMap(({ dayQuota: day }) => day?.clock ?? [])]));
  const plans = keys.filter(({ key }) => key !== 'sacrificial');
  // What one plan's burst shows of an operation holds for all of them.
  const exempt = new Set(plans.flatMap((key) => [...operationUse(key).exempt]));
  const shared = plans.flatMap((key) => perKey(key, plans.length - 1)).some(isViolated);
  const findings = [
    ...plans.flatMap((key) => judgePlan(key, clock, exempt, plans.length - 1)),
    ...allOperations(plans, operations),
    ...keys.filter(({ key }) => key === 'sacrificial').flatMap((key) => judgeSacrifice(key, clock)),
    ...(keys.some(({ ban }) => ban !== null) ? [] : noBanTried()),
    ...refusalBody(refusalBodies),
  ];
  const alone = keys.every(({ exclusive }) => exclusive);
  return findings
    .map((finding) => (shared ? leftOpen(finding) : finding))
    .map((finding) => (alone ? finding : excused(finding)));
}
