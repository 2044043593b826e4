import { count, counted, duration } from '../../base/kernel/format.js';
import { inShort, isLongBySeconds, ROUNDED_UP_MS, soonestExitMs, surelyWithin } from './bounds.js';
import { untried, type Judgement } from '../findings/finding.js';
import { inOurTime, resetTime } from './clock.js';
import { unixReset } from '../../base/interface/rate-headers.js';
import { countWhile } from '../../base/kernel/sorted.js';
import {
  describesDay,
  lastAnswerOf,
  lone,
  runsOf,
  servedIn,
  timesOf,
  wasRefused,
  wasServed,
  type Sample,
} from './sample.js';
import { LARGEST_STEP } from './bursts.js';
import { leftOf } from './left.js';
import type { KeyRun } from './key-run.js';
import { endOfWait } from './when-allowed.js';
import { refillOver, spanMs } from './spans.js';
import { fault, held, open, type Shown } from './shown.js';

/** Windows over which allowances are counted: longer spans show no more. */
const MOST_WINDOWS = 3;
/** A window that restarts sooner than this share of the announced one is shorter. */
const SOONER_SHARE = 0.9;
/** A jump of Remaining by as many is no single return. */
const JUMP = 3;

/** Returns what headers in whole seconds leave untested of a short window; null of a long one. */
export const untestedLength = ({ figures }: KeyRun): Judgement | null =>
  isLongBySeconds(figures)
    ? null
    : untried(`whether a window is shorter by less than a half (${inShort(figures)})`);

/** Judges `rate-window`: n windows bring no more than n allowances to a key that was refused. */
export function windowLength(run: KeyRun): Shown | null {
  const { name, all, windowMs } = run;
  if (run.bursts.length === 0 && run.spoiled === null) return null;
  const served = all.filter(wasServed).toSorted((one, other) => one.answeredAt - other.answeredAt);
  const refusals = all.filter((sample) => sample.status !== 0 && wasRefused(sample));
  const many = afterRefusal(served, refusals, run) ?? inSpan(served, run) ?? beyondEven(served, run);
  if (many !== null)
    return fault(`${name} gets more than its allowance for each window.`, {
      expected: `at most ${counted(many.most, 'request')} allowed in ${duration(many.spanMs)}`,
      actual: `${counted(many.got, 'request')} allowed`,
      measured: { most: many.most, got: many.got, what: ['windows'] },
    });
  const short = resetsApart(served, run) ?? (isLongBySeconds(run.figures) ? restarts(run) : null);
  if (short !== null)
    return fault(`${name}'s windows are shorter than they should be.`, {
      expected: `a whole allowance every ${duration(windowMs)}`,
      actual: short.text,
      measured: { dueMs: windowMs, tookMs: short.apartMs, what: ['resets'] },
    });
  const [first] = refusals;
  const last = all.at(-1);
  if (first === undefined || last === undefined) return open('too-little-data', `${name} got no 429.`);
  if (last.sentAt < first.sentAt + windowMs)
    return open('too-little-data', `${name} sent nothing a window after its first 429.`);
  const since = served.filter(({ sentAt }) => sentAt >= first.answeredAt);
  return held(`${count(since.length)} requests allowed in ${duration(spanMs(since))} after the first 429.`);
}

interface Many {
  readonly most: number;
  readonly got: number;
  readonly spanMs: number;
}

/** After a refusal nothing is left: n windows bring n allowances, and one that was all but there. */
function afterRefusal(served: readonly Sample[], refusals: readonly Sample[], run: KeyRun): Many | null {
  const { sent, answered } = timesOf(served);
  for (let windows = 1; windows <= MOST_WINDOWS; windows += 1) {
    const most = windows * run.limit + 1;
    const lengthMs = surelyWithin(windows * run.windowMs);
    for (const refusal of refusals) {
      const until = refusal.sentAt + lengthMs;
      // All that were answered by then, without those that were sent before the refusal came.
      const got =
        countWhile(answered, (at) => at < until) - countWhile(sent, (at) => at < refusal.answeredAt);
      if (got > most) return { most, got, spanMs: until - refusal.answeredAt };
    }
  }
  return null;
}

/** In a span of less than n windows at most n + 1 allowances are served. */
function inSpan(served: readonly Sample[], run: KeyRun): Many | null {
  for (let windows = 1; windows <= MOST_WINDOWS; windows += 1) {
    const most = (windows + 1) * run.limit;
    const lengthMs = surelyWithin(windows * run.windowMs);
    for (const [at, first] of served.entries()) {
      const last = served[at + most];
      if (last === undefined) break;
      const tookMs = last.answeredAt - first.sentAt;
      if (tookMs < lengthMs) return { most, got: most + 1, spanMs: tookMs };
    }
  }
  return null;
}

/**
 * What comes back little by little comes back at the plan's rate: after the last of several returns, each of
 * which was refused again before a window was over.
 */
function beyondEven(served: readonly Sample[], run: KeyRun): Many | null {
  const began = run.bursts[0]?.[0]?.sentAt ?? -Infinity;
  const soon = began + soonestExitMs(run.figures);
  const back = run.all.filter((sample) => sample.sentAt > began && sample.sentAt < soon);
  const returns = runsOf(back, (one, next) => !wasRefused(one) || !wasServed(next))
    .slice(1)
    .filter((some) => some.some(wasRefused));
  const step = Math.max(...returns.map(servedIn));
  const refusal = returns.at(-1)?.findLast(wasRefused);
  if (returns.length < 2 || refusal === undefined || step > LARGEST_STEP * run.limit) return null;
  for (const [at, { answeredAt }] of served.filter(({ sentAt }) => sentAt > refusal.answeredAt).entries()) {
    const most = step + 1 + refillOver(answeredAt - refusal.sentAt, run);
    if (at + 1 > most) return { most, got: at + 1, spanMs: answeredAt - refusal.sentAt };
  }
  return null;
}

/**
 * k whole allowances between two refusals: k windows, and Resets as far apart. Of allowances that all came
 * after the first Reset, whatever the algorithm, but for rounding.
 */
function resetsApart(served: readonly Sample[], run: KeyRun) {
  // A second refusal in a row may speak of a ban.
  const spoken = run.all.filter((sample, at) => {
    const before = run.all[at - 1];
    const isFirst = before !== undefined && wasServed(before);
    return (
      isFirst && wasRefused(sample) && unixReset(sample.reset) !== null && !describesDay(sample, run.figures)
    );
  });
  const { sent, answered } = timesOf(served);
  const known = spoken.map((sample) => ({
    reset: unixReset(sample.reset) ?? 0,
    // Of those under way together some may have been served after it, unless nothing comes back so soon.
    before: isLasting(sample, run)
      ? countWhile(sent, (at) => at <= sample.sentAt)
      : countWhile(answered, (at) => at <= sample.sentAt),
    until: countWhile(sent, (at) => at < sample.answeredAt),
    over: run.clock === null ? Infinity : inOurTime(unixReset(sample.reset) ?? 0, run.clock).latest,
    // A counter of refusals, too, names a later time for each.
    refused: run.all.filter((one) => isWithin(one, sample, run) && wasRefused(one)).length,
  }));
  const intervalMs = 1 / run.perMs;
  // A log that counts by parts forgets a part at once: a Reset names the end of one.
  const partMs = run.windowMs - soonestExitMs(run.figures);
  for (const [at, later] of known.entries())
    for (const earlier of known.slice(0, at)) {
      const got = later.before - earlier.until;
      const windows = Math.floor((got + 1) / run.limit);
      const apartMs = later.reset - earlier.reset;
      const soonerMs = Math.max(0, earlier.over - (sent[earlier.until] ?? earlier.over));
      const leastMs = Math.max(
        windows * run.windowMs - ROUNDED_UP_MS - Math.max(partMs, intervalMs),
        Math.floor(got / run.limit) * run.windowMs -
          2 * ROUNDED_UP_MS -
          (1 + earlier.refused) * intervalMs -
          soonerMs,
      );
      if (windows > 0 && apartMs < leastMs)
        return {
          apartMs,
          text: `${counted(windows, 'whole allowance')} between two Resets ${duration(apartMs)} apart`,
        };
    }
  return null;
}

/** Is true if a refusal says that nothing comes back while requests beside it are open. */
function isLasting(refusal: Sample, { clock, all }: KeyRun): boolean {
  const beside = all.filter((one) => one.sentAt <= refusal.answeredAt && one.answeredAt >= refusal.sentAt);
  const ends = [resetTime(refusal, clock), endOfWait(refusal, clock)];
  return ends.every((end) => end !== null && end.earliest > lastAnswerOf(beside) + ROUNDED_UP_MS);
}

/** Is true if a request was sent in the window that ends with another one, or is that one. */
const isWithin = (one: Sample, last: Sample, { windowMs }: KeyRun): boolean =>
  one.sentAt <= last.sentAt && one.sentAt > last.sentAt - windowMs;

/**
 * A window that announces its whole length twice and begins anew sooner: Remaining jumps to the whole
 * allowance, with a Reset a window ahead. A bucket that refills by steps names its next step.
 */
function restarts(run: KeyRun) {
  const { steady, figures, limit, windowMs, clock } = run;
  // Requests that are under way together overtake one another.
  const served = lone(steady.filter(wasServed));
  const starts = served.filter((sample, at) => {
    const before = served[at - 1];
    const left = leftOf(sample, figures);
    const reset = resetTime(sample, clock);
    if (before === undefined || left === null || reset === null) return false;
    const isWhole = left >= limit - 2 && left >= (leftOf(before, figures) ?? left) + JUMP;
    return isWhole && reset.earliest - sample.answeredAt >= SOONER_SHARE * windowMs;
  });
  for (const [at, start] of starts.entries()) {
    const before = starts[at - 1];
    if (before === undefined) continue;
    const apartMs = start.answeredAt - before.sentAt;
    const [from, to] = [unixReset(before.reset) ?? 0, unixReset(start.reset) ?? 0];
    // Processes whose clocks differ come into the same window one after the other.
    if (apartMs < SOONER_SHARE * windowMs && to - from > ROUNDED_UP_MS)
      return {
        apartMs,
        text: `a whole allowance twice within ${duration(apartMs)}, each with a Reset a window ahead`,
      };
  }
  return null;
}
