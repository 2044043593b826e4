import { duration } from '../../base/kernel/format.js';
import { outOfScope } from '../findings/finding.js';
import { BOTH_ROUNDED_MS, FEWEST, longestByServer, ROUNDED_UP_MS, surelyWithin } from './bounds.js';
import { isBan } from './ban-signs.js';
import { resetTime, unixResetTime } from './clock.js';
import { RATE_HEADERS, unixReset } from '../../base/interface/rate-headers.js';
import {
  describesDay,
  isPlanAnswer,
  leftOf,
  wasRefusedByMinute,
  wasRefusedWithinDay,
  wasServed,
  type Sample,
} from './sample.js';
import { CLOCK_GRACE_MS } from './headers/reset-fault.js';
import { countWhile } from '../../base/kernel/sorted.js';
import { endOfWait } from './when-allowed.js';
import { comebacks, firstRefusals, isWithinWindow, type Comeback } from './comebacks.js';
import type { KeyRun } from './key-run.js';
import { blunt, fault, held, open, seen, type Shown } from './shown.js';

/**
 * Judges `rate-reset-truthful`: a second after the Reset of a 429 a request succeeds, and no allowance is
 * whole again well before its Reset.
 */
export function resetTruthful(run: KeyRun): Shown {
  const { name, figures, clock, all } = run;
  const first = firstRefusals(run);
  if (first.length === 0) return withoutReset(run);
  for (const { refusal, next } of politely(run)) {
    const reset = unixResetTime(refusal, clock);
    if (reset === null || reset.latest < refusal.sentAt - ROUNDED_UP_MS) continue;
    if (!wasRefusedByMinute(next, figures) || isBan(next, refusal, figures)) continue;
    // A sliding counter returns its first request an interval after its window.
    if (next.sentAt >= reset.latest + ROUNDED_UP_MS + Math.max(1 / run.perMs, secondLeaves(refusal, run)))
      return fault(`${name} gets 429 again after Reset.`, {
        expected: `a request allowed after Reset, ${whenReset(reset.latest - refusal.answeredAt)}`,
        actual: `429 after a wait of ${duration(next.sentAt - refusal.answeredAt)}`,
        measured: { dueMs: reset.latest - refusal.answeredAt, tookMs: next.sentAt - refusal.answeredAt },
      });
  }
  const anew = afterItsWindow(run);
  if (anew > 0) {
    const message = `${name}'s allowance is whole again before its Reset.`;
    const detail = {
      expected: 'the whole allowance at Reset, and not before',
      actual: 'the whole allowance a window after the last one began, before its Reset',
      measured: { got: anew, what: ['before'] },
    };
    // A server may be restarted just then.
    return seen(anew, message, detail, 'an allowance that is whole again before its Reset, once');
  }
  if (first.every(({ reset }) => unixReset(reset) === null))
    return open('prerequisite', `The 429 has no ${RATE_HEADERS.reset} in Unix seconds`);
  if (clock === null) return open('clock-unknown', 'No Date header shows when Reset is reached');
  const returns = first.flatMap((refusal) => {
    const reset = unixResetTime(refusal, clock);
    if (reset === null || reset.latest < refusal.sentAt - 2 * ROUNDED_UP_MS) return [];
    const back =
      all[
        countWhile(
          all,
          ({ sentAt }) => sentAt <= refusal.answeredAt || sentAt < reset.earliest - ROUNDED_UP_MS,
        )
      ];
    // A return that is later shows nothing of Reset.
    // A client on a busy machine leaves late.
    const isInTime = back !== undefined && back.sentAt <= reset.latest + BOTH_ROUNDED_MS + 1 / run.perMs;
    return isInTime ? [{ refusal, back }] : [];
  });
  const doubt = comebacks(all).find(({ refusal, next, isLone }) => {
    const reset = unixResetTime(refusal, clock);
    const isAfter = reset !== null && next.sentAt >= reset.latest + ROUNDED_UP_MS;
    return !isLone && isAfter && wasRefusedByMinute(next, figures);
  });
  if (doubt !== undefined)
    return open('too-little-data', `${name} got 429 after Reset, but after several refusals, as in a ban`);
  const one = returns.find(({ back }) => wasServed(back));
  if (one !== undefined)
    return held(
      `Allowed again ${duration(one.back.sentAt - one.refusal.answeredAt)} after the 429, at its Reset.`,
    );
  const lost = returns.find(({ back: { status } }) => status === 0 || status >= 500);
  if (lost !== undefined) {
    const { status } = lost.back;
    return blunt(
      status === 0 ? 'transport' : 'unavailable',
      `${name} got ${status === 0 ? 'no response' : status} when the Reset of a 429 was over`,
    );
  }
  return blunt(
    'too-little-data',
    returns.length === 0
      ? `${name} sent no request when the Reset of a 429 was over`
      : `${name} got 429 when the Reset of a 429 was over, and a request may have been counted meanwhile`,
  );
}

const whenReset = (ms: number): string =>
  ms > 0 ? `${duration(ms)} after the 429` : 'which was over when the 429 came';

/** Says why no 429 shows when a minute resets: a Reset of the day is too far away to wait for. */
function withoutReset({ name, figures, all }: KeyRun): Shown {
  const isRefused = all.some((sample) => wasRefusedWithinDay(sample, figures));
  const isOfDay = all.filter(isPlanAnswer).every((sample) => describesDay(sample, figures));
  return isRefused && isOfDay
    ? { kind: 'judged', judgement: outOfScope('not-observed', `${name}'s Reset is always that of the day.`) }
    : blunt('prerequisite', `${name} got no 429 after a success`);
}

/**
 * Each first refusal with the request after it, and with later ones up to a success where the client waited
 * each refusal out: no ban explains them.
 */
const politely = ({ all, clock }: KeyRun) =>
  comebacks(all).flatMap(({ refusal, at, isLone }) => {
    if (!isLone) return [];
    const found: Pick<Comeback, 'refusal' | 'next'>[] = [];
    let before = refusal;
    for (let place = at + 1; ; place += 1) {
      const next = all[place];
      if (next === undefined || wasServed(next)) break;
      const due = endOfWait(before, clock);
      found.push({ refusal, next });
      if (due === null || next.sentAt < due.latest) break;
      before = next;
    }
    return found;
  });

/** A log that counts refusals allows one only as a second request leaves it: so long after the first, ms. */
function secondLeaves(refusal: Sample, { all, windowMs }: KeyRun): number {
  const [first, second] = all.filter(
    (one) => wasServed(one) && one.answeredAt > refusal.sentAt - windowMs && one.answeredAt <= refusal.sentAt,
  );
  const usualMs = refusal.answeredAt - refusal.sentAt;
  return first === undefined || second === undefined ? 0 : second.sentAt - first.sentAt - usualMs;
}

/**
 * Counts where all is left again a window after the last time, although the Resets before are yet to come. Of
 * a log all is back only once its newest request left.
 */
function afterItsWindow(run: KeyRun): number {
  const { all, figures, limit, windowMs, perMs, clock } = run;
  const served = all.filter(wasServed);
  let began: Sample | undefined;
  return served.filter((now, at) => {
    if ((leftOf(now, figures) ?? 0) < limit - 1) return false;
    const [before, last] = [served[at - 1], began];
    began = now;
    // A restart of the server may come at any time: what was left just before excludes nearly all.
    const isTime =
      before !== undefined &&
      last !== undefined &&
      now.sentAt - before.answeredAt < 2 / perMs &&
      now.answeredAt - last.sentAt > surelyWithin(windowMs) &&
      before.sentAt - last.answeredAt < longestByServer(windowMs);
    const isLater = (one: Sample): boolean => {
      const reset = resetTime(one, clock);
      return (
        one.answeredAt <= now.sentAt &&
        reset !== null &&
        isWithinWindow(one, reset, run) &&
        reset.earliest > now.answeredAt + CLOCK_GRACE_MS
      );
    };
    return isTime && at >= FEWEST && served.slice(at - FEWEST, at).every(isLater);
  }).length;
}
