import {
  about,
  allAbout,
  isViolated,
  outOfScope,
  unestablished,
  type Finding,
  type ReasonCode,
} from '../findings/finding.js';
import type { ServerClock } from './clock.js';
import { clockBy } from './headers/own-time.js';
import { rateTally } from './headers/rate-tally.js';
import { isPlanAnswer } from './sample.js';
import { daySamplesOf } from './key-samples.js';
import type { KeySeries, LimitRecord } from './series.js';
import { capital } from '../../base/kernel/format.js';
import { stalledMs } from './timing.js';
import { refusalBody } from './rate-429-error-body.js';
import { allOperations } from './rate-all-operations.js';
import { headersPresent } from './rate-headers-present.js';
import { headersWellformed } from './rate-headers-wellformed.js';
import { limitValue } from './rate-limit-value.js';
import { unknownRounding } from './rate-retry-after-honoured.js';
import { retryAfterPresent } from './rate-retry-after-present.js';
import { otherUseText, type OtherUse } from './other-use.js';
import { readKey, type KeyReading } from './reading.js';
import { ROWS_OF_PLANS, ROWS_OF_THE_BAN } from './rows.js';
import { hasTrait } from './row-traits.js';

/** Excuses a violation that other users of the key explain. */
function excused(finding: Finding): Finding {
  const { requirement: row } = finding;
  const others = outOfScope('keys-shared', 'The keys have other users, who may have used the allowance.');
  return isViolated(finding) && hasTrait(row, 'exclusive-keys') ? about(row, others) : finding;
}

/** Reasons that a busy machine explains. */
const OF_TIME: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['too-little-data', 'slow-responses']);

/** Replaces findings if the machine held up the requests: violations that depend on time, and open ones. */
function ofBusyMachine(finding: Finding): Finding {
  const { requirement: row } = finding;
  const isOpen = finding.kind === 'inconclusive' && OF_TIME.has(finding.reason.code);
  const isItsFault = hasTrait(row, 'time') ? isViolated(finding) || isOpen : hasTrait(row, 'moment') && isOpen;
  return isItsFault ? about(row, unestablished('machine-busy', 'This machine was too busy to measure it.')) : finding;
}

/** Leaves a violation open that the use of the key by something else explains. */
const explainedBy =
  (otherUse: OtherUse) =>
  (finding: Finding): Finding =>
    isViolated(finding) && hasTrait(finding.requirement, 'lone-client')
      ? about(finding.requirement, unestablished('rate-limited', `${capital(otherUseText(otherUse))}.`))
      : finding;

/** Judges the headers of every response to a key. */
function headersOf(key: KeySeries, clock: ServerClock | null): readonly Finding[] {
  const { key: name, figures, ban } = key;
  const isSacrifice = name === 'sacrificial';
  const samples = isSacrifice ? daySamplesOf(key).filter(isPlanAnswer) : daySamplesOf(key);
  // Without a declared ban any wait is possible.
  const longestBanSeconds = isSacrifice ? (ban?.declaredSeconds ?? Infinity) : 0;
  const tally = rateTally(samples, figures, clock);
  const ofWait = retryAfterPresent(name, tally.refusals, figures, clock, longestBanSeconds);
  return [
    ...allAbout('rate-headers-present', headersPresent(name, tally)),
    ...allAbout('rate-headers-wellformed', headersWellformed(name, tally)),
    ...(isSacrifice ? [] : allAbout('rate-limit-value', limitValue(name, tally, figures))),
    ...allAbout('rate-retry-after-present', ofWait),
  ];
}

/** Judges one key: its headers, and the requirements of its experiments. */
function judgeKey(reading: KeyReading): readonly Finding[] {
  const { key, clock } = reading;
  const isSacrifice = key.key === 'sacrificial';
  const isHeldUp = !isSacrifice && stalledMs(key) !== null;
  const rows = isSacrifice ? ROWS_OF_THE_BAN : ROWS_OF_PLANS;
  const judged = rows.flatMap(([row, judge]) => allAbout(row, judge(reading)));
  const found = reading.otherUse === null ? judged : judged.map(explainedBy(reading.otherUse));
  const all = [...headersOf(key, clock), ...(isHeldUp ? found.map(ofBusyMachine) : found)];
  return all.map((finding) => (finding.kind === 'violated' ? { ...finding, plan: key.key } : finding));
}

/** Findings on the ban requirements without a sacrificial key. */
const noBanTried = (): readonly Finding[] =>
  ROWS_OF_THE_BAN.map(([row]) =>
    about(row, outOfScope('opt-in', 'The ban experiment runs only on request, with a key that may be banned.')),
  );

/**
 * Judges all records of the load profiles: at least one finding for every requirement that they decide. Each row is judged
 * from the samples, never from another row's judgement, so one mistake may turn several rows of its family red.
 */
export function judgeLimits({ keys, refusalBodies, operations }: LimitRecord): readonly Finding[] {
  const clock = clockBy(keys.map((key) => ({ samples: daySamplesOf(key), figures: key.figures })));
  const plans = keys.filter(({ key }) => key !== 'sacrificial');
  const readings = keys.map((key) =>
    readKey(
      key,
      clock,
      plans.filter((other) => other !== key),
    ),
  );
  const ofPlans = readings.filter(({ key }) => plans.includes(key));
  const findings = [
    ...readings.flatMap(judgeKey),
    ...allAbout('rate-all-operations', allOperations(ofPlans, operations)),
    ...allAbout('rate-retry-after-honoured', unknownRounding(plans, clock)),
    ...(keys.some(({ ban }) => ban !== null) ? [] : noBanTried()),
    ...allAbout('rate-429-error-body', refusalBody(refusalBodies)),
  ];
  return keys.every(({ exclusive }) => exclusive) ? findings : findings.map(excused);
}
