import type { Finding } from '../../checks/finding.js';
import { speaksOfDay, wasRefused, wasServed } from '../answers.js';
import { minuteMs } from '../bounds.js';
import type { ServerClock } from '../clock.js';
import { resetTime } from '../clock.js';
import { plainInteger } from '../header-number.js';
import { calendarWindow } from '../models/calendar-window.js';
import { fixedWindow } from '../models/fixed-window.js';
import type { Model, Trace } from '../models/model.js';
import { refilling } from '../models/refilling.js';
import { slidingCounter } from '../models/sliding-counter.js';
import { slidingLog } from '../models/sliding-log.js';
import type { Sample } from '../sample.js';
import { duration, figure, inconclusive, observed, subject } from '../say.js';
import type { KeySeries } from '../series.js';
import { beginsFresh } from '../windows-seen.js';

const ROW = 'rate-algorithm';

/** The algorithms that are known, the plainest first. */
const MODELS: readonly Model[] = [fixedWindow, calendarWindow, slidingLog, slidingCounter, refilling];

/** What the limiters saw of a key: requests served and refused for the minute's sake. */
function traceOf(key: KeySeries, all: readonly Sample[]): Trace {
  const samples = all.filter(
    (sample) => wasServed(sample) || (wasRefused(sample) && !speaksOfDay(sample, key.figures)),
  );
  const [first] = samples;
  const fresh = first !== undefined && beginsFresh(first, key.figures);
  return { figures: key.figures, samples, knownSince: fresh ? -Infinity : key.aloneSince + 2 * minuteMs(key.figures) };
}

/** How much of the allowance was back at Reset, in words: windows free it at once, sliding ones bit by bit. */
function backAtReset(key: KeySeries, clock: ServerClock | null): string | null {
  for (const { refusal, retry, resetRetry } of key.recoveries) {
    const reset = resetTime(refusal, clock);
    const answer = [retry, resetRetry].find(
      (sample) => sample !== null && wasServed(sample) && reset !== null && sample.sentAt >= reset.earliest,
    );
    const left = plainInteger(answer?.remaining ?? null);
    if (answer === undefined || answer === null || left === null || reset === null) continue;
    const after = duration(Math.max(0, answer.sentAt - reset.latest));
    return `${figure(left + 1)} of ${figure(key.figures.perMinute)} were back ${after} after Reset`;
  }
  return null;
}

/** `rate-algorithm`: which of the known algorithms explain all that was served and refused, and why the others do not. */
export function algorithm(key: KeySeries, all: readonly Sample[], clock: ServerClock | null): readonly Finding[] {
  const trace = traceOf(key, all);
  if (!trace.samples.some(wasRefused)) {
    return [inconclusive(ROW, 'prerequisite', `${subject(key.key)} met no 429 to tell an algorithm by.`)];
  }
  const judged = MODELS.map((model) => ({ label: model.label, misfit: model.misfit(trace) }));
  const fitting = judged.filter(({ misfit }) => misfit === null).map(({ label }) => label);
  const others = judged.flatMap(({ label, misfit }) => (misfit === null ? [] : [`not ${label}: it ${misfit}`]));
  const what = fitting.length === 0 ? 'None of the known algorithms' : `Fits ${fitting.join(', or ')}`;
  const back = backAtReset(key, clock);
  return [observed(ROW, key.key, [what, ...(back === null ? [] : [back]), ...others].join('; '))];
}
