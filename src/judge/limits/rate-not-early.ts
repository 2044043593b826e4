import {
  untried,
  unestablished,
  violated,
  outOfScope,
  kept,
  type Judged,
  judgementsOf,
} from '../findings/finding.js';
import { inShort, isLongBySeconds, minuteMs } from './bounds.js';
import { count, duration } from '../../base/kernel/format.js';
import { subject, type KeySeries } from './series.js';
import { mayBeSlowSteps, shortfall } from './slow-return.js';
import { bySpread, mayBeRenewed, needsSpread } from './spread.js';
import { bySteadyRun } from './steady-run.js';
import {
  byFreshBurst,
  gains,
  gotLessThanLimit,
  gotWholeAtFirst,
  gotWholeLimit,
  isShort,
  SILENT_WINDOWS,
} from './burst-counts.js';
import type { KeyReading } from './reading.js';

/** Judges `rate-not-early`: no 429 before the plan's limit. */
export function notEarly({ key }: Pick<KeyReading, 'key'>): Judged {
  const found = judgementsOf(judged(key));
  if (!found.some(({ kind }) => kind === 'kept')) return found;
  // An error below one second is a relevant part of so short a window.
  const short = `an error of less than a second in the allowance or window (${inShort(key.figures)})`;
  return [
    found,
    isLongBySeconds(key.figures) ? null : untried(short),
    mayBeRenewed(key) ? untried(`whether each request with the ${key.key} key extends the window`) : null,
    // Two idle windows before the steady run fill a bucket: then it does not show how fast an empty one refills.
    mayBeSlowSteps(key) || (gotLessThanLimit(key) && !beganEmpty(key))
      ? untried(`whether the ${key.key} key's bucket, once empty, refills at the plan's rate`)
      : null,
  ];
}

/** True if the steady run began at the refills of an empty bucket. */
const beganEmpty = ({ steady, figures }: KeySeries): boolean =>
  steady !== null && steady.silentMs < SILENT_WINDOWS * minuteMs(figures);

function judged(key: KeySeries): Judged {
  const { figures, fresh, steady } = key;
  const name = subject(key.key);
  if (!key.exclusive)
    return outOfScope('keys-shared', `${name}'s key has other users, who may have used its allowance.`);
  const starved = shortfall(key);
  if (starved !== null) {
    return violated([], `${name} does not get its allowance back at the plan's rate.`, {
      expected: `at least ${count(starved.least)} requests allowed, ${duration(starved.silentMs)} after it was allowed again`,
      actual: `${count(starved.served)} allowed, then 429`,
      measured: { most: starved.least, got: starved.served, what: ['after return'] },
    });
  }
  const spread = key.spread === null ? null : bySpread(key);
  if (spread?.kind === 'violated') return [spread];
  const afresh = fresh === null ? null : byFreshBurst(key, fresh);
  if (afresh?.kind === 'violated') return [afresh];
  if (steady !== null) return bySteadyRun(key, steady);
  if (afresh !== null) return [afresh];
  const found = gains(key);
  const [burst] = found;
  if (burst === undefined) return unestablished('too-little-data', `${name} sent no burst.`);
  const short = gotWholeAtFirst(key) ? undefined : found.find((one) => isShort(one, figures));
  if (short !== undefined) {
    const what = `${count(short.served)} of ${count(figures.perMinute)} allowed before the first 429`;
    return unestablished('too-little-data', `${name}: ${what}. Only the steady profile can decide.`);
  }
  if (spread !== null || needsSpread(key)) return [spread ?? bySpread(key)];
  if (gotWholeAtFirst(key) || found.every((one) => gotWholeLimit(one, figures)))
    return kept([], `No 429 before ${count(figures.perMinute)} requests were allowed.`);
  const ends = [key.burst?.end, key.concurrent?.end];
  const code = ends.includes('transport')
    ? 'transport'
    : ends.includes('unexpected-status')
      ? 'prerequisite'
      : 'too-little-data';
  return unestablished(code, `${name}: a burst ended before the allowance was used up.`);
}
