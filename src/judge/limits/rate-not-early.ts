import { count, counted, duration } from '../../base/kernel/format.js';
import { unixReset } from '../../base/interface/rate-headers.js';
import { heldUp } from '../../wire/exchange/stalls.js';
import {
  CLEARLY_MORE,
  MISHAP,
  MANY,
  NEARLY,
  ROUNDED_UP_MS,
  isLongBySeconds,
  surelyWithin,
} from './bounds.js';
import {
  leftOf,
  refillOver,
  servedIn,
  spanMs,
  wasRefused,
  wasRefusedByMinute,
  wasRefusedWithinDay,
  wasServed,
} from './sample.js';
import { STEADY_SHARE, type Asked } from './asked.js';
import { wholeOf } from './jumps.js';
import type { KeyRun } from './key-run.js';
import { fault, held, open, type Shown } from './shown.js';
import { slow } from './too-slow.js';

/** Judges `rate-not-early`: at 95 % of the plan nothing is refused after the first window. */
export function notEarly(run: KeyRun): Shown | null {
  const { steady, windowMs, perMs, name, limit } = run;
  const least = wholeWindows(run);
  if (least !== null)
    return fault(`${name} gets 429 before its allowance is used up.`, {
      expected: `${count(limit)} requests allowed after a silent window`,
      actual: `429 after ${count(least)} requests, in each burst`,
      measured: { most: limit, got: least, what: ['early'] },
    });
  const [first] = steady;
  if (first === undefined)
    return run.bursts.length === 0 ? null : open('too-little-data', `${name} had no steady run`);
  // A sliding counter may hold the burst in the first window.
  const from = first.sentAt + windowMs;
  const late = steady.filter(({ sentAt }) => sentAt > from);
  const refused = late.filter((sample) => wasRefusedWithinDay(sample, run.figures));
  const firsts = firstsOfRows(steady);
  const excused = new Set(
    [...new Set(refused.map((sample) => firsts.get(sample) ?? sample))].filter(excusing(run)),
  );
  const early = refused.filter((sample) => !excused.has(firsts.get(sample) ?? sample));
  const got = `429 to ${count(early.length)} of ${counted(late.length, 'request')}`;
  const heldMs = heldUp(run.stalls, first.sentAt, first.sentAt + spanMs(steady));
  const stalled = `this machine was held up for ${duration(heldMs)} of ${duration(spanMs(steady))}`;
  // Requests that a stall held back come together, more than the plan's rest allows.
  const isCrowded = heldMs > (1 - STEADY_SHARE) * windowMs;
  if (early.length > MISHAP && isCrowded)
    return open('machine-busy', `${name}: ${got} of the steady run; ${stalled}`);
  if (early.length > MISHAP)
    return fault(`${name} gets 429 before its allowance is used up.`, {
      expected: `no 429 to a steady ${Math.round(100 * STEADY_SHARE)} % of the plan, from its second window on`,
      actual: got,
      measured: { most: 0, got: early.length, what: ['steady'] },
    });
  const spaceMs = spanMs(late);
  const pace = spaceMs === 0 ? 0 : late.length / (STEADY_SHARE * perMs * spaceMs);
  const lost = late.filter((sample) => !wasServed(sample) && !wasRefused(sample)).length;
  if (lost > MISHAP)
    return open(
      'transport',
      `${name}: ${count(lost)} of ${count(late.length)} requests of the steady run got no usable response`,
    );
  if (late.length > MANY && pace > NEARLY && refused.length === 0)
    return held(
      `No 429 to ${count(late.length)} requests at ${Math.round(100 * STEADY_SHARE * pace)} % of the plan${
        lost > 0 ? `; ${count(lost)} of ${count(late.length)} got no usable response` : ''
      }.`,
    );
  if (refused.length > 0) {
    const what =
      early.length > 0
        ? `${got} of the steady run; one could be chance`
        : `${count(refused.length)} of ${counted(late.length, 'request')} refused, as a limiter of the plan may do`;
    return isCrowded
      ? open('machine-busy', `${name}: ${what}; ${stalled}`)
      : open('too-little-data', `${name}: ${what}`);
  }
  const what =
    late.length === 0
      ? 'the steady run ended before its second window'
      : `the steady run came to ${Math.round(100 * STEADY_SHARE * pace)} % of the plan in ${duration(spaceMs)}`;
  const isQuick = (ms: number): boolean => steady.length > NEARLY * STEADY_SHARE * perMs * ms;
  return slow(run, steady, `${name}: ${what}`, isQuick);
}

/** Returns each refusal with the first of those in a row that lead to it: going on after it may prolong it. */
function firstsOfRows(steady: readonly Asked[]): ReadonlyMap<Asked, Asked> {
  const firsts = new Map<Asked, Asked>();
  let first: Asked | null = null;
  for (const one of steady) {
    if (wasServed(one)) first = null;
    else if (wasRefused(one)) firsts.set(one, (first ??= one));
  }
  return firsts;
}

/**
 * Returns whether a limiter of the plan may refuse: the allowance of the last window is used up, or a bucket
 * that holds what bursts got. Requests are late, and may reach the server closer together than they were
 * sent.
 */
function excusing(run: KeyRun): (refusal: Asked) => boolean {
  const { all, bursts, limit, windowMs, perMs } = run;
  const held = bursts.map((burst) => servedIn(burst) - refillOver(spanMs(burst), run));
  const holds = Math.max(1, Math.min(limit, ...held));
  const served = all.filter(wasServed).toSorted((one, other) => other.answeredAt - one.answeredAt);
  return (refusal) => {
    let used = 0;
    for (const { sentAt, answeredAt } of served) {
      if (sentAt >= refusal.answeredAt) continue;
      used += 1;
      const ms = Math.max(0, surelyWithin(refusal.sentAt - answeredAt));
      if ((used >= limit && ms < windowMs) || used >= holds + ms * perMs - 1) return true;
    }
    return false;
  };
}

/**
 * Returns what each burst from silence got, where that is less than the plan, nothing comes back within a
 * window, and all of it at its end; else null. A bucket that holds less refills sooner.
 */
function wholeWindows(run: KeyRun): number | null {
  const { bursts, key, figures, limit, nothingRefills } = run;
  const ended = bursts.flatMap((burst) => {
    const refusal = burst.find((sample) => wasRefusedByMinute(sample, figures));
    return refusal === undefined ? [] : [{ got: servedIn(burst), burst, refusal }];
  });
  const [first] = ended;
  const back = key.asked?.find(({ question }) => question === 'back' || question === 'steady');
  if (first === undefined || back === undefined || !nothingRefills || first.got >= limit) return null;
  // A sliding counter that holds a part of an old request has one less now and then, and the plan at other times.
  const isSame = ended.length > 1 && wholeOf(run) < first.got && ended.every(({ got }) => got === first.got);
  const isOfWindow =
    leftOf(back, figures) === first.got - 1
      ? isWindowLater(first.burst, first.refusal, back, run)
      : isOfLog(first.burst, back, run);
  return isSame && wasServed(back) && isOfWindow ? first.got : null;
}

/** Is true if a return comes a window after a burst began, or in the next window of a clock. */
function isWindowLater(burst: readonly Asked[], refusal: Asked, back: Asked, run: KeyRun): boolean {
  const { figures, windowMs } = run;
  const [from, to] = [unixReset(refusal.reset), unixReset(back.reset)];
  const isRead = isLongBySeconds(figures) && from !== null && to !== null;
  const isNext = isRead && to - from > NEARLY * windowMs;
  return isNext || back.answeredAt - (burst[0]?.sentAt ?? Infinity) > NEARLY * windowMs;
}

/**
 * Is true if a return finds as many as a burst got until a window before, as a log returns them: clearly more
 * than came back since evenly.
 */
function isOfLog(burst: readonly Asked[], back: Asked, run: KeyRun): boolean {
  const { figures, windowMs } = run;
  const had = (leftOf(back, figures) ?? 0) + 1;
  const due = burst.filter((one) => wasServed(one) && one.answeredAt + windowMs < back.sentAt).length;
  const sinceMs = back.answeredAt - (burst[0]?.sentAt ?? 0) - windowMs;
  return had >= due && due > CLEARLY_MORE * (1 + refillOver(sinceMs + ROUNDED_UP_MS, run));
}
