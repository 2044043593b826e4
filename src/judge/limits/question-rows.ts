import type { OperationName, RequirementId } from '../../base/interface/types.js';
import { allOperations } from './rate-all-operations.js';
import { banOnlyAfterAbuse } from './ban-only-after-abuse.js';
import type { KeyRun } from './key-run.js';
import { notEarly } from './rate-not-early.js';
import { refusesPastLimit } from './rate-429.js';
import { judgeParallel } from './rate-concurrent.js';
import { remainingCounts } from './rate-remaining-counts.js';
import { resetTruthful } from './rate-reset-truthful.js';
import { retryAfterHonoured } from './rate-retry-after-honoured.js';
import type { Shown } from './shown.js';
import { untouchedByOthers } from './rate-per-key.js';
import { windowLength } from './rate-window.js';

type RowJudge = (run: KeyRun, operations: readonly OperationName[]) => Shown | null;

/** Rows that the questions to a plan's key decide. */
export const ROWS: readonly (readonly [RequirementId, RowJudge])[] = [
  ['rate-429', refusesPastLimit],
  ['rate-concurrent', judgeParallel],
  ['rate-window', windowLength],
  ['rate-remaining-counts', remainingCounts],
  ['rate-all-operations', allOperations],
  ['rate-per-key', untouchedByOthers],
  ['rate-not-early', notEarly],
  ['rate-retry-after-honoured', retryAfterHonoured],
  ['rate-reset-truthful', resetTruthful],
  ['ban-only-after-abuse', banOnlyAfterAbuse],
];

/** What one key shows of a row. */
export interface OfKey {
  readonly run: KeyRun;
  readonly shown: Shown;
}

/** Returns what keys show of a row, without those that show nothing. */
export const shownOf = (runs: readonly KeyRun[], judge: RowJudge, operations: readonly OperationName[]) =>
  runs.flatMap((run): readonly OfKey[] => {
    const shown = judge(run, operations);
    return shown === null ? [] : [{ run, shown }];
  });

export const isFault = (shown: Shown): boolean =>
  shown.kind === 'once' || (shown.kind === 'judged' && shown.judgement.kind === 'violated');

export const isFaultOf = ({ shown }: OfKey): boolean => isFault(shown);
