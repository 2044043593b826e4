import { untried, type Judgement } from '../findings/finding.js';
import { inShort, isLongBySeconds, minuteMs, ROUNDED_UP_MS } from './bounds.js';
import { resetTime } from './clock.js';
import { unixReset } from '../../base/interface/rate-headers.js';
import { wasRefused, wasServed, type Sample } from './sample.js';
import { endOfWait } from './when-allowed.js';
import { comebacks, type Comeback } from './comebacks.js';
import type { KeyRun } from './key-run.js';

/** A wait rounded to the nearest second is at most this much too long, ms. */
const NEAREST_MS = 500;

interface Wait extends Comeback {
  readonly run: KeyRun;
}

/**
 * Returns what the waits of all keys leave untested: whether Retry-After is rounded up, or to the nearest
 * second. Null if some wait shows it, or none was served.
 */
export function untestedRounding(runs: readonly KeyRun[]): Judgement | null {
  const waits = runs.flatMap((run): readonly Wait[] => comebacks(run.all).map((one) => ({ run, ...one })));
  const [one] = waits.filter(({ next }) => wasServed(next));
  if (one === undefined || differ(waits) || waits.some(isRoundedUp)) return null;
  const { figures } = one.run;
  const why = isLongBySeconds(figures) ? 'no 429 came at a suitable moment' : inShort(figures);
  return untried(`whether Retry-After is rounded up to the second (${why})`);
}

/** Is true if Reset lies on the edge of a window of the clock, in whole seconds. */
const isOfClock = ({ reset }: Sample, { figures }: KeyRun): boolean =>
  (unixReset(reset) ?? 1) % minuteMs(figures) === 0;

/**
 * Is true if one wait is longer than another by more than the nearest second would make it, both measured
 * against the edge of a window of the clock. The shorter one was served: it was not too short.
 */
function differ(waits: readonly Wait[]): boolean {
  const over = waits.flatMap(({ run, refusal, next }) => {
    const due = endOfWait(refusal, run.clock);
    const reset = unixReset(refusal.reset);
    return due === null || reset === null || !wasServed(next) || !isOfClock(refusal, run)
      ? []
      : [{ least: due.earliest - reset, most: due.latest - reset }];
  });
  const [longest, shortest] = [
    Math.max(...over.map(({ least }) => least)),
    Math.min(...over.map(({ most }) => most)),
  ];
  return over.length > 1 && longest - shortest > NEAREST_MS;
}

/** Is true if a wait is longer than a window since its first request by more than the nearest second makes it. */
function isRoundedUp({ refusal, run }: Wait): boolean {
  const { all, figures, clock } = run;
  const before = all.slice(0, all.indexOf(refusal));
  const first = before[before.findLastIndex(wasRefused) + 1];
  const due = endOfWait(refusal, clock);
  if (first === undefined || due === null || isOfClock(refusal, run)) return false;
  const end = { earliest: first.sentAt + minuteMs(figures), latest: first.answeredAt + minuteMs(figures) };
  const reset = resetTime(refusal, clock);
  const fits =
    reset === null ||
    (reset.latest >= end.earliest - ROUNDED_UP_MS && reset.earliest <= end.latest + ROUNDED_UP_MS);
  return fits && due.earliest > end.latest + NEAREST_MS && due.latest <= end.earliest + 2 * ROUNDED_UP_MS;
}
