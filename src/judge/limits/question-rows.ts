import { isDeepStrictEqual } from 'node:util';
import { onceEach } from '../../base/kernel/once-each.js';
import type { OperationName, RequirementId } from '../../base/interface/types.js';
import { allOperations } from './rate-all-operations.js';
import { banOnlyAfterAbuse } from './ban-only-after-abuse.js';
import type { ServerClock } from './clock.js';
import { readRun, type KeyRun } from './key-run.js';
import type { KeySeries } from './series.js';
import { notEarly } from './rate-not-early.js';
import { refusesPastLimit } from './rate-429.js';
import { judgeParallel } from './rate-concurrent.js';
import { remainingCounts } from './rate-remaining-counts.js';
import { resetTruthful } from './rate-reset-truthful.js';
import { retryAfterHonoured } from './rate-retry-after-honoured.js';
import { hasTrait } from './row-traits.js';
import type { Shown } from './shown.js';
import { slownessOf, withSlowness } from './too-slow.js';
import type { Judgement } from '../findings/finding.js';
import type { Reason } from '../findings/shape.js';
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

/** A key with what it shows: each row is judged where it is first read. */
export interface Reading {
  readonly run: KeyRun;
  readonly operations: readonly OperationName[];
  /** Why the key met no refusal, if the server is too slow for its allowance. */
  readonly slowness: Reason | null;
  readonly shows: (judge: RowJudge) => Shown | null;
}

/** The latest reading of a key: the doubts of a run and its verdict ask the same while nothing new came. */
const latest = new WeakMap<KeySeries, Reading>();

export function readKey(
  key: KeySeries,
  clock: ServerClock | null,
  operations: readonly OperationName[],
): Reading {
  const known = latest.get(key);
  if (known !== undefined && isDeepStrictEqual([known.run.clock, known.operations], [clock, operations]))
    return known;
  const run = readRun(key, clock);
  const isAsked = run.bursts.length > 0 || run.spoiled !== null;
  const plainly = onceEach((judge: RowJudge) => (isAsked ? judge(run, operations) : null));
  const slowness = slownessOf(run, plainly(refusesPastLimit));
  const shows = onceEach((judge: RowJudge) => withSlowness(plainly(judge), slowness));
  const reading = { run, operations, slowness, shows };
  latest.set(key, reading);
  return reading;
}

export interface OfKey {
  readonly run: KeyRun;
  readonly shown: Shown;
}

export const shownOf = (readings: readonly Reading[], judge: RowJudge): readonly OfKey[] =>
  readings.flatMap(({ run, shows }) => {
    const shown = shows(judge);
    return shown === null ? [] : [{ run, shown }];
  });

export const isFault = (shown: Shown | null): boolean =>
  shown?.kind === 'once' || (shown?.kind === 'judged' && shown.judgement.kind === 'violated');

/** Is true if a key shows a fault that other users of it would explain: a rise seen once is none. */
export const failsAlone = ({ shows }: Pick<Reading, 'shows'>): boolean =>
  ROWS.some(([row, judge]) => {
    const shown = shows(judge);
    return (
      hasTrait(row, 'lone-client') && isFault(shown) && !(shown?.kind === 'once' && isRise(shown.violation))
    );
  });

const isRise = (judgement: Judgement): boolean =>
  judgement.kind === 'violated' && judgement.measured?.what?.includes('several') === true;

export const isKept = (shown: Shown): boolean => shown.kind === 'judged' && shown.judgement.kind === 'kept';
