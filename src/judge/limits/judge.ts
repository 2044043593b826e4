import {
  about,
  allAbout,
  blocked,
  isViolated,
  outOfScope,
  unestablished,
  type Finding,
  type Judgement,
  type ReasonCode,
} from '../findings/finding.js';
import type { ServerClock } from './clock.js';
import { clockBy } from './headers/own-time.js';
import { oneWindow, readAsMinute } from './headers/one-window.js';
import { rateTally } from './headers/rate-tally.js';
import { isPlanAnswer } from './sample.js';
import { daySamplesOf } from './key-samples.js';
import type { KeyName } from '../../base/interface/names.js';
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
import { judgeQuestions } from './plain/judge.js';
import { judgeProbe, showsSharing } from './other-key.js';
import { otherUseText, type OtherUse } from './other-use.js';
import { readKey, type KeyReading } from './reading.js';
import { ROWS_OF_PLANS, ROWS_OF_THE_BAN } from './rows.js';
import { hasTrait, type Trait } from './row-traits.js';

/** A circumstance of the run that explains findings on rows with a trait, and what is said instead. */
interface Excuse {
  readonly trait: Trait;
  readonly explains: (finding: Finding) => boolean;
  readonly instead: Judgement;
}

/** Reasons that a busy machine explains. */
const OF_TIME: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['too-little-data', 'slow-responses']);

const isOpen = (finding: Finding): boolean =>
  finding.kind === 'inconclusive' && OF_TIME.has(finding.reason.code);

const BUSY = unestablished('machine-busy', 'This machine was too busy to measure it.');
/** A machine that held up the requests. */
const OF_BUSY_MACHINE: readonly Excuse[] = [
  { trait: 'time', explains: (finding) => isViolated(finding) || isOpen(finding), instead: BUSY },
  { trait: 'moment', explains: isOpen, instead: BUSY },
];

/** Use of the key by something else: it explains what came too early, and what passed shows little. */
function ofOtherUse(key: KeyName, otherUse: OtherUse): readonly Excuse[] {
  const instead = unestablished('rate-limited', `${capital(otherUseText(key, otherUse))}.`);
  return [
    { trait: 'lone-client', explains: isViolated, instead },
    { trait: 'counts', explains: ({ kind }) => kind === 'kept' || kind === 'inconclusive', instead },
  ];
}

/** Keys that use each other's allowance: a refusal may be another key's. */
const OF_OTHER_KEYS: Excuse = {
  trait: 'own-allowance',
  explains: isViolated,
  instead: blocked('rate-per-key', "another plan's key uses the allowance of this one."),
};

/** Is true if some key of the run was seen to use another one's allowance. */
const useEachOther = (readings: readonly KeyReading[]): boolean =>
  readings.some(({ key, others }) => {
    const probe = key.burst?.otherKey ?? null;
    return probe !== null && others.length > 0 && showsSharing(judgeProbe(probe, key, others));
  });

/** Other users that the target file declares. */
const OF_SHARED_KEYS: Excuse = {
  trait: 'exclusive-keys',
  explains: isViolated,
  instead: outOfScope('keys-shared', 'The keys have other users, who may have used the allowance.'),
};

/** Replaces a finding that a circumstance of the run explains. */
function unlessExcused(finding: Finding, excuses: readonly Excuse[]): Finding {
  const { requirement: row } = finding;
  const excuse = excuses.find(({ trait, explains }) => hasTrait(row, trait) && explains(finding));
  return excuse === undefined ? finding : about(row, excuse.instead);
}

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
    ...allAbout('rate-headers-wellformed', [headersWellformed(name, tally), oneWindow(key)]),
    ...(isSacrifice ? [] : allAbout('rate-limit-value', limitValue(name, tally, figures))),
    ...allAbout('rate-retry-after-present', ofWait),
  ];
}

/**
 * Judges one key: its headers as they came, and the requirements of its experiments.
 *
 * @param received the key's series with its headers as they came
 */
function judgeKey(reading: KeyReading, received: KeySeries, isOfOtherKeys: boolean): readonly Finding[] {
  const { key, clock, otherUse } = reading;
  const isSacrifice = key.key === 'sacrificial';
  const excuses = [
    ...(otherUse === null ? [] : ofOtherUse(key.key, otherUse)),
    ...(isOfOtherKeys ? [OF_OTHER_KEYS] : []),
    ...(!isSacrifice && stalledMs(key) !== null ? OF_BUSY_MACHINE : []),
  ];
  const rows = isSacrifice ? ROWS_OF_THE_BAN : ROWS_OF_PLANS;
  const judged = rows.flatMap(([row, judge]) => allAbout(row, judge(reading)));
  return [...headersOf(received, clock), ...judged.map((finding) => unlessExcused(finding, excuses))].map(
    (finding) => (finding.kind === 'violated' ? { ...finding, plan: key.key } : finding),
  );
}

/** Findings on the ban requirements without a sacrificial key. */
const noBanTried = (): readonly Finding[] =>
  ROWS_OF_THE_BAN.map(([row]) =>
    about(
      row,
      outOfScope('opt-in', 'The ban experiment runs only on request, with a key that may be banned.'),
    ),
  );

/**
 * Judges all records of the load profiles: at least one finding for every requirement that they decide. Each
 * row is judged from the samples, never from another row's judgement, so one mistake may turn several rows of
 * its family red.
 */
export function judgeLimits({ keys: received, refusalBodies, operations }: LimitRecord): readonly Finding[] {
  const keys = received.map(readAsMinute);
  const clock = clockBy(keys.map((key) => ({ samples: daySamplesOf(key), figures: key.figures })));
  const asked = keys.filter((key) => key.asked !== null);
  if (asked.length > 0) return byQuestions({ keys, refusalBodies, operations }, asked, clock);
  const plans = keys.filter(({ key }) => key !== 'sacrificial');
  const readings = keys.map((key) =>
    readKey(
      key,
      clock,
      plans.filter((other) => other !== key),
    ),
  );
  const isOfOtherKeys = useEachOther(readings);
  const ofPlans = readings.filter(({ key }) => plans.includes(key));
  const findings = [
    ...readings.flatMap((reading, at) => judgeKey(reading, received[at] ?? reading.key, isOfOtherKeys)),
    ...allAbout('rate-all-operations', allOperations(ofPlans, operations)),
    ...allAbout('rate-retry-after-honoured', unknownRounding(plans, clock)),
    ...(keys.some(({ ban }) => ban !== null) ? [] : noBanTried()),
    ...allAbout('rate-429-error-body', refusalBody(refusalBodies)),
  ];
  const isShared = keys.some(({ exclusive }) => !exclusive);
  return isShared ? findings.map((finding) => unlessExcused(finding, [OF_SHARED_KEYS])) : findings;
}

/** Judges the record of the plain questions: plans by their questions, the sacrificial key by its ban. */
function byQuestions(
  { keys, refusalBodies, operations }: LimitRecord,
  asked: readonly KeySeries[],
  clock: ServerClock | null,
): readonly Finding[] {
  const sacrifices = keys.filter((key) => key.asked === null);
  return [
    ...keys.flatMap((key) => headersOf(key, clock)),
    ...judgeQuestions(asked, clock, operations),
    ...sacrifices.flatMap((key) =>
      ROWS_OF_THE_BAN.flatMap(([row, judge]) => allAbout(row, judge(readKey(key, clock, [])))),
    ),
    ...(keys.some(({ ban }) => ban !== null) ? [] : noBanTried()),
    ...allAbout('rate-429-error-body', refusalBody(refusalBodies)),
  ].map((finding) => finding);
}
