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
import { algorithm } from './rate-algorithm.js';
import type { KeyRun } from './key-run.js';
import { otherUseText } from './other-use-text.js';
import { restartOf, restartText } from './restart.js';
import { isKept, ROWS, shownOf, type OfKey, type Reading } from './question-rows.js';
import { remainingCounts } from './rate-remaining-counts.js';
import { areShared, readKeys } from './read-keys.js';
import { overReturnsOf } from './several-counters.js';
import type { Shown } from './shown.js';
import { isRefusedBesideOthers } from './rate-per-key.js';
import { untestedInShort } from './rate-window.js';

export function judgeQuestions(
  keys: readonly KeySeries[],
  clock: ServerClock | null,
  operations: readonly OperationName[],
): readonly Finding[] {
  const readings = readKeys(keys, clock, operations);
  const isShared = areShared(readings);
  const runs = readings.map(({ run }) => run);
  const ofRows = ROWS.flatMap(([row, judge]) => ofRow(row, shownOf(readings, judge), runs, isShared)).map(
    readings.some(countsApart) ? withoutOperations : (finding) => finding,
  );
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

/** Is true for a key that fails by the counters of its listings, which differ as if some did not count. */
const countsApart = ({ run, shows }: Reading): boolean => {
  const shown = shows(remainingCounts);
  const isViolated = shown?.kind === 'judged' && shown.judgement.kind === 'violated';
  return isViolated && run.otherUse === null && overReturnsOf(run).length > 1;
};

/** Leaves open whether each operation counts, where several counters make them seem not to. */
const withoutOperations = (finding: Finding): Finding =>
  finding.kind === 'violated' && finding.requirement === 'rate-all-operations'
    ? about(
        finding.requirement,
        blocked(
          'rate-remaining-counts',
          'Remaining comes from several counters, so its falls show no operation.',
        ),
      )
    : finding;

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
    const isExplained = hasTrait(row, 'lone-client') || hasTrait(row, 'counting');
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
