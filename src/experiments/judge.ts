import { outOfScope, about, unestablished, isViolated, type Finding } from '../findings/finding.js';
import { clockBounds, clockWithin, overlap, type ServerClock } from '../limits/clock.js';
import { folded } from '../limits/fold.js';
import { headersWellformed } from '../limits/headers/headers-wellformed.js';
import { limitValue } from '../limits/headers/limit-value.js';
import { refusalBody, retryAfterPresent } from '../limits/headers/retry-after-present.js';
import type { KeySeries, LimitRecord } from '../limits/series.js';
import { allOperations, operationUse } from './burst/operations.js';
import { perKey } from './burst/per-key.js';
import { evidenceOf, type KeyEvidence } from './evidence.js';
import { EXPERIMENTS } from './index.js';
import { isPlanAnswer, samplesOf } from '../limits/sample.js';
import { stalledMs } from '../limits/timing.js';
import { everyAnswer, headersPresent } from '../limits/headers/headers-present.js';
import { banFindings, noBanTried } from './ban/experiment.js';
import { unknownRounding } from './recovery/experiment.js';
import { hasTrait } from './row-traits.js';

const isOfRemaining = ({ requirement }: Finding): boolean => requirement === 'rate-remaining-counts';

/** Excuses a violation that other users of the key explain. */
const excused = (finding: Finding): Finding =>
  isViolated(finding) && hasTrait(finding.requirement, 'exclusive-keys')
    ? about(
        finding.requirement,
        outOfScope('keys-shared', 'The keys have other users, who may have used the allowance.'),
      )
    : finding;

/** Replaces findings if the machine held up the requests: violations that depend on time, and open ones. */
function ofBusyMachine(finding: Finding, heldUp: number | null): Finding {
  const { requirement: row } = finding;
  const isOpen = finding.kind === 'inconclusive' && finding.reason.code === 'too-little-data';
  const isItsFault = hasTrait(row, 'time') ? isViolated(finding) || isOpen : hasTrait(row, 'moment') && isOpen;
  if (heldUp === null || !isItsFault) return finding;
  return about(finding.requirement, unestablished('machine-busy', 'This machine was too busy to measure it.'));
}

/** Makes a violation inconclusive if another requirement reports it. */
const leftOpen = (finding: Finding): Finding =>
  isViolated(finding) && hasTrait(finding.requirement, 'own-allowance')
    ? about(
        finding.requirement,
        unestablished('prerequisite', 'The keys share one allowance, so the requests that each key gets show nothing.'),
      )
    : finding;

/** Judges the headers of all responses to a key. */
function headersOf({ key, all, clock }: KeyEvidence): readonly Finding[] {
  const { presence, form, limits, refusals } = folded(everyAnswer(key.figures), all, key.dayQuota?.answers);
  return [
    ...headersPresent(key.key, presence),
    ...headersWellformed(key.key, form, key.figures, clock),
    ...limitValue(key.key, limits, key.figures),
    ...retryAfterPresent(key.key, refusals, key.figures, clock),
  ];
}

/** Assumed longest ban without a declared one: any wait is possible. */
const LONGEST_BAN_UNTOLD_S = Infinity;

/** Judges the sacrificial key by the headers of all responses, and by the ban. */
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
 * Judges all records of the load profiles: at least one finding for every requirement that they decide. A violation is
 * reported for one requirement only; those that depend on it stay open.
 */
export function judgeLimits({ keys, refusalBodies, operations }: LimitRecord): readonly Finding[] {
  const kept = folded(
    clockBounds,
    keys.flatMap((key) => samplesOf(key)),
  );
  const clock = clockWithin(overlap([kept, ...keys.flatMap(({ dayQuota: day }) => day?.clock ?? [])]));
  const plans = keys.filter(({ key }) => key !== 'sacrificial');
  // A result of one plan's burst on an operation holds for all plans.
  const exempt = new Set(plans.flatMap((key) => [...operationUse(key).exempt]));
  const shared = plans.flatMap((key) => perKey(key, plans.length - 1)).some(isViolated);
  const byPlan = plans.flatMap((key) => {
    const evidence = evidenceOf(key, clock, exempt, plans.length - 1);
    const heldUp = stalledMs(key, evidence.all);
    const found = EXPERIMENTS.flatMap(({ judge }) => judge(evidence));
    const all = [...headersOf(evidence), ...found.map((finding) => ofBusyMachine(finding, heldUp))];
    return all.map((finding) => (finding.kind === 'violated' ? { ...finding, plan: key.key } : finding));
  });
  const findings = [
    ...byPlan,
    ...allOperations(plans, operations, byPlan.filter(isViolated).some(isOfRemaining)),
    ...unknownRounding(plans, clock),
    ...keys.filter(({ key }) => key === 'sacrificial').flatMap((key) => judgeSacrifice(key, clock)),
    ...(keys.some(({ ban }) => ban !== null) ? [] : noBanTried()),
    ...refusalBody(refusalBodies),
  ];
  const alone = keys.every(({ exclusive }) => exclusive);
  return findings
    .map((finding) => (shared ? leftOpen(finding) : finding))
    .map((finding) => (alone ? finding : excused(finding)));
}
