import {
  kept,
  outOfScope,
  unestablished,
  violated,
  type Judged,
  type ReasonCode,
} from '../findings/finding.js';
import { count, counted, duration } from '../../base/kernel/format.js';
import { worstSpan, type Figures, type Span } from './bounds.js';
import { inOurTime } from './clock.js';
import { plainInteger } from '../../base/interface/rate-headers.js';
import { describesDay, refillOver, wasRefused, wasServed, type Sample } from './sample.js';
import { dayMs, subject, type KeyByClock, daySamplesOf } from './series.js';

export function dayQuotaHolds({ key, clock }: KeyByClock): Judged {
  if (key.dayQuota === null)
    return outOfScope('opt-in', 'The day quota takes long to use up, so it is tested only on request.');
  const { figures } = key;
  const name = subject(key.key);
  const all = daySamplesOf(key);
  const served = all.filter(wasServed);
  const day = { limit: figures.perDay, perMs: figures.perDay / dayMs(figures) };
  const worst = worstSpan(served, day.perMs);
  if (worst === null) return unestablished('too-little-data', `${name} had no request allowed.`);
  const elapsed = worst.to - worst.from;
  const most = mayRollOver(all, worst, { key, clock })
    ? // Two days may touch the span; each whole day in it is another one.
      day.limit * (Math.floor(elapsed / dayMs(figures)) + 2)
    : day.limit + refillOver(elapsed, day);
  if (worst.count > most)
    return violated([], `${name} gets more than its daily allowance.`, {
      expected: `at most ${counted(most, 'request')} allowed in ${duration(elapsed)}, at ${count(figures.perDay)} a day`,
      actual: `${counted(worst.count, 'request')} allowed`,
      measured: { most, got: worst.count },
    });

  // Earlier 429s were the minute's and were waited out. A request without a response may have counted.
  const over = all.findLast((sample) => !mayHaveUsed(sample));
  const { used, others } = useBefore(over, all, figures);
  const of = (some: number): string => `${count(some)} of ${count(figures.perDay)} requests`;
  const open = (code: ReasonCode, what: string): Judged => unestablished(code, `${name} ${what}.`);
  switch (key.dayQuota.end) {
    case 'refused':
      if (used >= figures.perDay) return kept([], `${of(used)} a day allowed, then 429.`);
      return used + others >= figures.perDay
        ? kept([], `${of(used)} a day allowed, then 429; ${count(others)} others count as well.`)
        : open('rate-limited', `got 429 after ${of(used)}: other users may have used the rest`);
    case 'unexpected-status':
      if (used < figures.perDay)
        return open('transport', `got ${over?.status ?? 0} after ${of(used)}, so the experiment stopped`);
      return violated([], `${name} does not get 429 once its day is used up.`, {
        expected: `429 once the allowance of ${counted(figures.perDay, 'request')} is used up`,
        actual: `${over?.status ?? 0} after ${counted(used, 'request')} allowed`,
        measured: { status: over?.status ?? 0 },
      });
    case 'transport':
      return open('transport', `got no complete response after ${of(worst.count)}`);
    case 'interrupted':
      return open('interrupted', `had ${of(worst.count)} allowed when the run was interrupted`);
    case 'ceiling': {
      const why =
        worst.count > figures.perDay ? 'a new day may have begun meanwhile' : 'the allowance was not used up';
      return open('too-little-data', `had ${count(worst.count)} requests allowed and none refused; ${why}`);
    }
  }
}

const mayHaveUsed = (sample: Sample): boolean => wasServed(sample) || sample.status === 0;

/**
 * Counts the requests of the day before a response that certainly or maybe used it, and the others. Limiters
 * differ in whether those count; a refusal by the day's limit does not.
 */
function useBefore(over: Sample | undefined, all: readonly Sample[], figures: Figures) {
  if (over === undefined) return { used: 0, others: 0 };
  const before = all
    .slice(0, all.indexOf(over))
    .filter(({ sentAt }) => sentAt > over.sentAt - dayMs(figures));
  const used = before.filter(mayHaveUsed).length;
  const ofDay = before.filter((sample) => wasRefused(sample) && describesDay(sample, figures)).length;
  return { used, others: before.length - used - ofDay };
}

/**
 * True if a new day may have begun within the span: a clock-aligned one at its edge, another when its first
 * request is a day old.
 */
function mayRollOver(
  all: readonly Sample[],
  { from, to }: Span,
  { key: { figures, aloneSince }, clock }: KeyByClock,
): boolean {
  const day = dayMs(figures);
  if (to - from >= day) return true;
  if (aloneSince > from - day) {
    // Earlier requests may have begun a window; Remaining of the day shows it.
    const left = plainInteger(all.find((sample) => describesDay(sample, figures))?.remaining ?? null);
    if (left !== null && left < figures.perDay - all.length) return true;
  }
  const begunAt = all.find(({ sentAt }) => sentAt >= from - day)?.sentAt ?? from;
  if (begunAt < from && begunAt + day <= to) return true;
  if (clock === null) return true;
  const nextEdge = Math.ceil((from + clock.lowMs) / day) * day;
  return inOurTime(nextEdge, clock).earliest <= to;
}
