import {
  judgementsOf,
  kept,
  unestablished,
  violated,
  type Judged,
  type Judgement,
  type ReasonCode,
} from '../findings/finding.js';
import { count, duration } from '../../base/kernel/format.js';
import { resetTime, type ServerClock } from './clock.js';
import { returnsIn } from './key-samples.js';
import { subject, type KeySeries, type RecoverySeries } from './series.js';
import { isBan } from './ban-signs.js';
import type { KeyReading } from './reading.js';
import { describesDay, leftBy, wasRefused, wasServed, type Sample } from './sample.js';
import { timingOf } from './waits.js';

/** Lateness, ms, beyond which a success says nothing about the wait. */
export const LATE_MS = 500;

/** A request sent after a time that a 429 named. */
interface Return extends Pick<RecoverySeries, 'refusal' | 'refusals'> {
  readonly reading: KeyReading;
  readonly answer: Sample;
  /** When it should succeed, by our clock. */
  readonly due: number;
  /** Most lateness at which it still judges that time, ms. */
  readonly lateMs: number;
  /** Promise of the 429, in words. */
  readonly promise: string;
}

/**
 * True if more was allowed than one counter allows: each of several announces its own wait, and another may
 * answer.
 */
const mayHaveTwoCounters = ({ overfull, miscount, servedBy }: KeyReading): boolean =>
  overfull !== null || miscount === 'too-slow' || servedBy.some(({ kind }) => kind === 'too-much');

/** Judges the response to a request after the wait that a 429 named. */
export function judgeReturn({ reading, refusal, answer, refusals, due, lateMs, promise }: Return): Judgement {
  const { key } = reading;
  const name = subject(key.key);
  const waited = duration(answer.sentAt - refusal.answeredAt);
  const unclear = (code: ReasonCode, what: string): Judgement =>
    unestablished(code, `${name} ${what}, ${waited} after the 429 (${promise}).`);
  const timing = timingOf(answer, due, lateMs);
  if (timing !== 'in time') return unclear('too-little-data', `retried ${timing}`);
  if (wasServed(answer)) return kept([], `Allowed again ${waited} after the 429 (${promise}).`);
  if (answer.status === 0) return unclear('transport', 'got no response');
  if (refusals > 1)
    return unclear('refused-legally', `had ${refusals} requests refused, after which a ban is permitted`);
  if (isBan(answer, refusal, key.figures))
    return unclear('prerequisite', `got ${answer.status}, which looks like a ban`);
  if (!wasRefused(answer)) return unclear('transport', `got ${answer.status}`);
  if (describesDay(answer, key.figures) && !describesDay(refusal, key.figures))
    return unclear('rate-limited', "got 429 by the day's limit");
  if (mayHaveTwoCounters(reading))
    return unclear(
      'too-little-data',
      'was refused, perhaps by a second counter: it got more than one allows',
    );
  return violated([], `${name} gets 429 again after the announced wait.`, {
    expected: `allowed again (${promise})`,
    actual: `429 after a wait of ${waited}`,
    measured: { dueMs: due - refusal.answeredAt, tookMs: answer.sentAt - refusal.answeredAt },
  });
}

/** Chooses the best founded verdict: a violation, else proof, else the reason why not. */
export function best(judged: Judged, otherwise: Judgement): Judgement {
  const all = judgementsOf(judged);
  const of = (wanted: Judgement['kind']): Judgement | undefined => all.find(({ kind }) => kind === wanted);
  return of('violated') ?? of('kept') ?? all[0] ?? otherwise;
}

/**
 * Describes how much was back at Reset: windows free all together, sliding ones gradually. Null if nothing
 * shows it.
 */
export function backAtReset({ recoveries, figures }: KeySeries, clock: ServerClock | null): string | null {
  for (const recovery of recoveries) {
    const reset = resetTime(recovery.refusal, clock);
    const answer = returnsIn([recovery]).find(
      (sample) => wasServed(sample) && sample.sentAt >= (reset?.earliest ?? NaN),
    );
    const left = leftBy(answer, figures);
    if (reset === null || answer === undefined || left === null) continue;
    const after = duration(Math.max(0, answer.sentAt - reset.latest));
    return `${count(left + 1)} of ${count(figures.perMinute)} were back ${after} after Reset`;
  }
  return null;
}
