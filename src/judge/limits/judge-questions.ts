import {
  about,
  allAbout,
  blocked,
  outOfScope,
  unestablished,
  untried,
  type Finding,
  type Judgement,
} from '../findings/finding.js';
import type { OperationName, RequirementId } from '../../base/interface/types.js';
import { capital } from '../../base/kernel/format.js';
import type { ServerClock } from './clock.js';
import { dayQuotaHolds } from './rate-day-quota.js';
import { hasTrait } from './row-traits.js';
import type { KeySeries } from './series.js';
import { areOfClock } from './holds-less.js';
import { clearJumps, isForgotten } from './jumps.js';
import { algorithm } from './rate-algorithm.js';
import type { KeyRun } from './key-run.js';
import { otherUseText } from './other-use-text.js';
import { restartOf, restartText } from './restart.js';
import {
  failsAlone,
  isFault,
  isKept,
  isRise,
  readKey,
  ROWS,
  shownOf,
  type OfKey,
  type Reading,
} from './question-rows.js';
import type { Shown } from './shown.js';
import { refillOver, wasServed } from './sample.js';
import { isRefusedBesideOthers, untouchedByOthers } from './rate-per-key.js';
import { untestedInShort } from './rate-window.js';

export function judgeQuestions(
  keys: readonly KeySeries[],
  clock: ServerClock | null,
  operations: readonly OperationName[],
): readonly Finding[] {
  const read = keys.map((key) => readKey(key, clock, operations));
  const isShared = read.some(({ shows }) => isFault(shows(untouchedByOthers)));
  const readings = read.map((one) => withOtherUse(one, read, isShared));
  const runs = readings.map(({ run }) => run);
  const ofRows = ROWS.flatMap(([row, judge]) => ofRow(row, shownOf(readings, judge), runs, isShared));
  const restartedAt = restartOf(
    readings,
    new Set(ofRows.filter(isOfRestart).map(({ requirement }) => requirement)),
  );
  return [
    ...(restartedAt === null ? ofRows : acrossRestart(ofRows, restartedAt)),
    ...runs.slice(0, 1).flatMap(untestedInShort),
    ...runs.flatMap((run) => allAbout('rate-algorithm', algorithm(run))),
    ...runs.flatMap((run) => allAbout('rate-day-quota', dayQuotaHolds(run))),
  ];
}

/** Is true for a fault that a restart of the server may explain: more was allowed. */
const isOfRestart = ({ kind, requirement }: Finding): boolean =>
  kind === 'violated' && hasTrait(requirement, 'allowing');

/** Returns findings of a load in which the server was restarted: it explains where more was allowed. */
const acrossRestart = (findings: readonly Finding[], at: number): readonly Finding[] => [
  ...findings.map((finding) =>
    isOfRestart(finding)
      ? about(finding.requirement, unestablished('transport', `There seems to have been ${restartText(at)}.`))
      : finding,
  ),
  about('rate-window', untried(`the time of ${restartText(at)}`)),
];

/** A shared counter loses all that others sent, except for those before and after it at the same moment. */
const MOST_OF_THEM = 3 / 4;

/**
 * Returns a run with the use by somebody else, unless it may be that of the run's other keys, or nothing
 * failed that a less certain one explains.
 */
function withOtherUse(reading: Reading, read: readonly Reading[], isShared: boolean): Reading {
  const { run } = reading;
  const { otherUse } = run;
  if (otherUse === null) return reading;
  // Who would come right as each window of a clock begins, and with each key?
  const isOfServer =
    read.every((one) => one.run.otherUse?.always !== undefined) &&
    areOfClock(read.map((one) => one.run.account));
  // A counter of each process holds a part of the limit.
  const isOfCounters = otherUse.always !== undefined && read.some((one) => hasSeveral(one.run));
  if (isOfServer || isOfCounters || isRefusedBesideOthers(run))
    return { ...reading, run: { ...run, otherUse: null } };
  const { pauses = [], isSure } = otherUse;
  const others = read.filter((one) => one.run.key !== run.key).flatMap((one) => one.run.all);
  // Where keys share a counter, one loses what the others sent, in each pause or as it began: most of it,
  // or all that it had.
  const isOurs =
    isShared &&
    pauses.every(({ sentAt: since, from, to, requests, isEmptied }) => {
      const own = others.filter(({ sentAt, answeredAt }) => answeredAt > since && sentAt < to);
      const most = requests + refillOver(to - since, run);
      const certain = own.filter((one) => wasServed(one) && one.sentAt >= from);
      return own.length >= requests && (isEmptied || most >= MOST_OF_THEM * certain.length);
    });
  const isNeeded = isSure || failsAlone(reading);
  return isOurs || !isNeeded ? { ...reading, run: { ...run, otherUse: null } } : reading;
}

/** Is true if Remaining of a key jumps from one counter to another: once, a log of others may explain it. */
const hasSeveral = (run: KeyRun): boolean =>
  clearJumps(run).filter((jump) => !isForgotten(jump, run)).length > 1;

function ofRow(row: RequirementId, all: readonly OfKey[], runs: readonly KeyRun[], isShared: boolean) {
  if (row === 'rate-per-key' && runs.length < 2)
    return [about(row, outOfScope('no-key', 'The run has no key of another plan to compare with.'))];
  // What one key shows once and another as well is no chance.
  const isSeveral = all.filter(({ shown }) => shown.kind === 'once' && !shown.isShared).length > 1;
  const isKeptByOne = all.some(({ shown }) => isKept(shown));
  return all.flatMap(({ run, shown }): readonly Finding[] => {
    const judgement = judgementOf(shown, run, { isSeveral, isKeptByOne });
    const excused = excuse(row, judgement, run, isShared);
    // What this key showed once stays a doubt, whatever another one shows.
    const isNeedless =
      isKeptByOne && hasTrait(row, 'one-key') && excused.kind === 'inconclusive' && shown.kind !== 'once';
    const finding = about(row, excused);
    return isNeedless ? [] : [finding.kind === 'violated' ? { ...finding, plan: run.key.key } : finding];
  });
}

function judgementOf(
  shown: Shown,
  run: KeyRun,
  { isSeveral, isKeptByOne }: { readonly isSeveral: boolean; readonly isKeptByOne: boolean },
): Judgement {
  switch (shown.kind) {
    case 'judged':
      return shown.judgement;
    case 'once':
      return isSeveral
        ? shown.violation
        : unestablished('too-little-data', `${run.name}: ${shown.text}. Seen once, it could be chance.`);
    case 'open':
      return shown.isBlunt && isKeptByOne
        ? untried(`the ${run.key.key} key (${shown.text})`)
        : unestablished(shown.code, `${shown.text}.`);
  }
}

/** Replaces a judgement that other users of the key explain. */
function excuse(row: RequirementId, judgement: Judgement, run: KeyRun, isShared: boolean): Judgement {
  const isViolated = judgement.kind === 'violated';
  const { otherUse } = run;
  if (otherUse !== null) {
    const isExplained =
      (hasTrait(row, 'lone-client') && !isRise(judgement)) ||
      ((!isViolated || otherUse.isSure) && (hasTrait(row, 'counting') || isRise(judgement)));
    if (isExplained && (isViolated || judgement.kind === 'kept'))
      return unestablished('rate-limited', `${capital(otherUseText(run.key.key, otherUse))}.`);
  }
  // A key that is refused for another one may have something left.
  const isOfAnother =
    (isShared && hasTrait(row, 'lone-client')) || (hasTrait(row, 'counting') && isRefusedBesideOthers(run));
  if (isViolated && isOfAnother && row !== 'rate-per-key')
    return blocked('rate-per-key', "another plan's key uses the allowance of this one.");
  if (isViolated && !run.key.exclusive && hasTrait(row, 'exclusive-keys'))
    return outOfScope('keys-shared', 'The keys have other users, who may have used the allowance.');
  return judgement;
}
