import {
  outOfScope,
  about,
  allAbout,
  judgementsOf,
  unestablished,
  isViolated,
  type Finding,
  type Judgement,
} from '../findings/finding.js';
import { clockBounds, clockWithin, overlap } from '../limits/clock.js';
import { isPlanAnswer, folded } from '../limits/sample.js';
import { headersWellformed } from '../limits/headers/headers-wellformed.js';
import { limitValue } from '../limits/headers/limit-value.js';
import { refusalBody, retryAfterPresent } from '../limits/headers/retry-after-present.js';
import { samplesOf, type LimitRecord } from '../limits/series.js';
import { allOperations, operationUse } from './burst/operations.js';
import { perKey } from './burst/experiment.js';
import { factsOf, type KeyFacts } from './facts.js';
import { EXPERIMENTS } from './index.js';
import { stalledMs } from '../limits/timing.js';
import { headersPresent } from '../limits/headers/headers-present.js';
import { rateTally } from '../limits/headers/rate-tally.js';
import { noBanTried } from './ban/experiment.js';
import { unknownRounding } from './recovery/experiment.js';
import { hasTrait } from './row-traits.js';

/** Replaces the violations of requirements with a trait. */
const instead =
  (trait: Parameters<typeof hasTrait>[1], judgement: Judgement) =>
  (finding: Finding): Finding =>
    isViolated(finding) && hasTrait(finding.requirement, trait) ? about(finding.requirement, judgement) : finding;

/** Excuses a violation that other users of the key explain. */
const excused = instead(
  'exclusive-keys',
  outOfScope('keys-shared', 'The keys have other users, who may have used the allowance.'),
);

/** Makes a violation inconclusive if another requirement reports it. */
const leftOpen = instead(
  'own-allowance',
  unestablished('prerequisite', 'The keys share one allowance, so the requests that each key gets show nothing.'),
);

/** Replaces findings if the machine held up the requests: violations that depend on time, and open ones. */
function ofBusyMachine(finding: Finding): Finding {
  const { requirement: row } = finding;
  const isOpen = finding.kind === 'inconclusive' && finding.reason.code === 'too-little-data';
  const isItsFault = hasTrait(row, 'time') ? isViolated(finding) || isOpen : hasTrait(row, 'moment') && isOpen;
  return isItsFault ? about(row, unestablished('machine-busy', 'This machine was too busy to measure it.')) : finding;
}

function headersOf({ key, clock }: KeyFacts): readonly Finding[] {
  const isSacrifice = key.key === 'sacrificial';
  const samples = isSacrifice ? samplesOf(key).filter(isPlanAnswer) : samplesOf(key);
  const tally = folded(rateTally(key.figures), samples, key.dayQuota?.answers);
  // Without a declared ban any wait is possible.
  const longestBanSeconds = isSacrifice ? (key.ban?.declaredSeconds ?? Infinity) : 0;
  const ofWait = retryAfterPresent(key.key, tally.refusals, key.figures, clock, longestBanSeconds);
  return [
    ...allAbout('rate-headers-present', headersPresent(key.key, tally)),
    ...allAbout('rate-headers-wellformed', headersWellformed(key.key, tally, key.figures, clock)),
    ...(isSacrifice ? [] : allAbout('rate-limit-value', limitValue(key.key, tally, key.figures))),
    ...allAbout('rate-retry-after-present', ofWait),
  ];
}

/** Judges one key: its headers, and the requirements of its experiments. */
function judgeKey(facts: KeyFacts): readonly Finding[] {
  const { key } = facts;
  const isSacrifice = key.key === 'sacrificial';
  const isHeldUp = !isSacrifice && stalledMs(key) !== null;
  const found = EXPERIMENTS.filter(({ keys }) => (keys === 'sacrificial') === isSacrifice).flatMap(({ judges }) =>
    judges.flatMap(([row, judge]) => allAbout(row, judge(facts))),
  );
  const all = [...headersOf(facts), ...(isHeldUp ? found.map(ofBusyMachine) : found)];
  return all.map((finding) => (finding.kind === 'violated' ? { ...finding, plan: key.key } : finding));
}

/**
 * Judges all records of the load profiles: at least one finding for every requirement that they decide. A violation is
 * reported for one requirement only; those that depend on it stay open.
 */
export function judgeLimits({ keys, refusalBodies, operations }: LimitRecord): readonly Finding[] {
  const kept = folded(clockBounds, keys.flatMap(samplesOf));
  const clock = clockWithin(overlap([kept, ...keys.flatMap(({ dayQuota: day }) => day?.clock ?? [])]));
  const plans = keys.filter(({ key }) => key !== 'sacrificial');
  // A result of one plan's burst on an operation holds for all plans.
  const exempt = new Set(plans.flatMap((key) => [...operationUse(key).exempt]));
  const others = plans.length - 1;
  const shared = plans.flatMap((key) => judgementsOf(perKey(key, others))).some(isViolated);
  const byKey = keys.flatMap((key) => judgeKey(factsOf(key, clock, exempt, others)));
  const isMiscounted = byKey.some((finding) => isViolated(finding) && finding.requirement === 'rate-remaining-counts');
  const findings = [
    ...byKey,
    ...allAbout('rate-all-operations', allOperations(plans, operations, isMiscounted)),
    ...allAbout('rate-retry-after-honoured', unknownRounding(plans, clock)),
    ...(keys.some(({ ban }) => ban !== null) ? [] : noBanTried()),
    ...allAbout('rate-429-error-body', refusalBody(refusalBodies)),
  ];
  const open = shared ? findings.map(leftOpen) : findings;
  return keys.every(({ exclusive }) => exclusive) ? open : open.map(excused);
}
