import type { Judged } from '../findings/finding.js';
import type { RequirementId } from '../../base/interface/types.js';
import { banObserved } from './ban-observed.js';
import { banOnlyAfterAbuse } from './ban-only-after-abuse.js';
import { banOnlyThatKey } from './ban-only-that-key.js';
import { banTemporary } from './ban-temporary.js';
import { refusesPastLimit } from './rate-429.js';
import { algorithm } from './rate-algorithm.js';
import { judgeParallel } from './rate-concurrent.js';
import { dayQuotaHolds } from './rate-day-quota.js';
import { notEarly } from './rate-not-early.js';
import { perKey } from './rate-per-key.js';
import { remainingCounts } from './rate-remaining-counts.js';
import { resetTruthful } from './rate-reset-truthful.js';
import { retryAfterHonoured } from './rate-retry-after-honoured.js';
import { windowLength } from './rate-window.js';
import type { KeyReading } from './reading.js';

/** Judges a requirement by what the samples of one key show; null if no requests were sent for it. */
type RowJudge = readonly [RequirementId, (reading: KeyReading) => Judged];

/** Rows that each plan's key decides. */
export const ROWS_OF_PLANS: readonly RowJudge[] = [
  ['rate-429', refusesPastLimit],
  ['rate-remaining-counts', remainingCounts],
  ['rate-per-key', perKey],
  ['rate-retry-after-honoured', retryAfterHonoured],
  ['rate-reset-truthful', resetTruthful],
  ['ban-only-after-abuse', banOnlyAfterAbuse],
  ['rate-window', windowLength],
  ['rate-algorithm', algorithm],
  ['rate-concurrent', judgeParallel],
  ['rate-not-early', notEarly],
  ['rate-day-quota', dayQuotaHolds],
];

/** Rows that the key of the ban experiment decides. */
export const ROWS_OF_THE_BAN: readonly RowJudge[] = [
  ['ban-observed', banObserved],
  ['ban-temporary', banTemporary],
  ['ban-only-that-key', banOnlyThatKey],
];
