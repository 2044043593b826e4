import { count, duration } from '../../base/kernel/format.js';
import { inShort, isLongBySeconds, MOSTLY, soonestExitMs, surelyWithin } from './bounds.js';
import { about, untried, type Finding } from '../findings/finding.js';
import { countWhile } from '../../base/kernel/sorted.js';
import {
  leftOf,
  refillOver,
  runsOf,
  servedIn,
  spanMs,
  timesOf,
  wasRefused,
  wasServed,
  type Sample,
} from './sample.js';
import { returnsIn } from './bursts.js';
import { clearJumps, isForgotten } from './jumps.js';
import type { KeyRun } from './key-run.js';
import { tooCloseIn } from './resets-apart.js';
import { fault, held, open, seen, tooMany, type Shown } from './shown.js';

/** Windows over which allowances are counted: longer spans show no more. */
const MOST_WINDOWS = 3;

export const untestedInShort = ({ figures }: KeyRun): readonly Finding[] =>
  isLongBySeconds(figures)
    ? []
    : [
        about(
          'rate-window',
          untried(`whether a window is shorter by less than a half (${inShort(figures)})`),
        ),
        about(
          'rate-retry-after-honoured',
          untried(`whether Retry-After is rounded up to the second (${inShort(figures)})`),
        ),
      ];

/** Judges `rate-window`: n windows bring no more than n allowances to a key that was refused. */
export function windowLength(run: KeyRun): Shown {
  const { name, all, windowMs } = run;
  const served = all.filter(wasServed).toSorted((one, other) => one.answeredAt - other.answeredAt);
  const refusals = all.filter(wasRefused);
  const beyondAll = afterRefusal(served, refusals, run) ?? inSpan(served, run);
  const many = beyondAll ?? beyondEven(served, run) ?? beyondPace(run);
  if (many !== null)
    return fault(`${name} gets more than its allowance for each window.`, {
      ...tooMany(many.most, many.got, many.spanMs),
      measured: {
        most: many.most,
        got: many.got,
        what: ['windows', ...(beyondAll === null ? ['rate'] : [])],
      },
    });
  const short = tooCloseIn(served, run);
  if (short !== null)
    return fault(`${name}'s windows are shorter than they should be.`, {
      expected: `a whole allowance every ${duration(windowMs)}`,
      actual: short.text,
      measured: { dueMs: windowMs, tookMs: short.apartMs, what: ['resets'] },
    });
  const forgets = forgettingOf(run);
  if (forgets !== null) return forgets;
  const [first] = refusals;
  const last = all.at(-1);
  if (first === undefined || last === undefined) return open('too-little-data', `${name} got no 429`);
  if (last.sentAt < first.sentAt + windowMs)
    return open('too-little-data', `${name} sent nothing a window after its first 429`);
  const since = served.filter(({ sentAt }) => sentAt >= first.answeredAt);
  return held(`${count(since.length)} requests allowed in ${duration(spanMs(since))} after the first 429.`);
}

/** A key that is whole again before its window is over: a restart of the server explains it once. */
function forgettingOf(run: KeyRun): Shown | null {
  const apart = clearJumps(run).filter((jump) => isForgotten(jump, run));
  const [jump] = apart;
  if (jump === undefined) return null;
  const { before, after, left } = jump;
  const [now, pause] = [leftOf(after, run.figures) ?? 0, duration(after.sentAt - before.answeredAt)];
  return seen(
    apart.length,
    `${run.name}'s allowance is whole again before its window is over.`,
    {
      expected: `what a window, a refill or a log gives back in ${pause}`,
      actual: `Remaining rose from ${count(left)} to ${count(now)}`,
      measured: { most: left, got: now, what: ['forgets'] },
    },
    `Remaining rose from ${count(left)} to ${count(now)} in ${pause}, as after a restart of the server`,
    true,
  );
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
  if (returns.length < 2 || refusal === undefined || step > MOSTLY * run.limit) return null;
  for (const [at, { answeredAt }] of served.filter(({ sentAt }) => sentAt > refusal.answeredAt).entries()) {
    const most = step + 1 + refillOver(answeredAt - refusal.sentAt, run);
    if (at + 1 > most) return { most, got: at + 1, spanMs: answeredAt - refusal.sentAt };
  }
  return null;
}

/**
 * A return at a pace somewhat above the plan's: what was served of it, and what is left in the end, came back
 * evenly.
 */
function beyondPace({ key, figures, perMs }: KeyRun): Many | null {
  const back = (key.asked ?? []).filter(({ question }) => question === 'back');
  const at = back.findIndex(({ part }) => part === 'paced');
  const [from, ...paced] = back
    .slice(Math.max(0, at - 1))
    .filter((sample, place) => place === 0 || (sample.part === 'paced' && wasServed(sample)));
  const lefts = [from, ...paced].flatMap((sample) => (sample && leftOf(sample, figures)) ?? []);
  if (at < 1 || from === undefined || lefts.length <= paced.length) return null;
  // What came back together is a step of a sound limiter.
  const step = Math.max(...returnsIn(lefts));
  const spent = spanMs([from, ...paced]);
  const most = (lefts[0] ?? 0) + 1 + step + refillOver(spent, { perMs });
  const got = paced.length + (lefts.at(-1) ?? 0);
  return got > most ? { most, got, spanMs: spent } : null;
}
