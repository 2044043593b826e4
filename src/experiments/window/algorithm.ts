import { unestablished, observed, type Judged } from '../../findings/finding.js';
import { resetTime, type ServerClock } from '../../limits/clock.js';
import { plainInteger } from '../../limits/headers/header-number.js';
import { ALGORITHMS, traceOf } from '../../limits/algorithms.js';
import { count, duration } from '../../format/format.js';
import { subject } from '../../limits/subject.js';
import type { KeySeries } from '../../limits/series.js';
import { wasRefused, wasServed, type Sample } from '../../limits/sample.js';

/** Describes how much was back at Reset: windows free all together, sliding ones gradually. */
function backAtReset(key: KeySeries, clock: ServerClock | null): string | null {
  for (const { refusal, retry, resetRetry } of key.recoveries) {
    const reset = resetTime(refusal, clock);
    const answer = [retry, resetRetry].find(
      (sample) => sample !== null && wasServed(sample) && reset !== null && sample.sentAt >= reset.earliest,
    );
    const left = plainInteger(answer?.remaining ?? null);
    if (answer === undefined || answer === null || left === null || reset === null) continue;
    const after = duration(Math.max(0, answer.sentAt - reset.latest));
    return `${count(left + 1)} of ${count(key.figures.perMinute)} were back ${after} after Reset`;
  }
  return null;
}

/** Judges `rate-algorithm`: which known algorithms explain all responses, and why the others do not. */
export function algorithm(key: KeySeries, all: readonly Sample[], clock: ServerClock | null): Judged {
  const trace = traceOf(key, all);
  if (!trace.samples.some(wasRefused)) {
    return unestablished('prerequisite', `${subject(key.key)} got no 429, so its algorithm is unknown.`);
  }
  const judged = ALGORITHMS.map(({ label, misfit }) => ({ label, misfit: misfit(trace) }));
  const fitting = judged.filter(({ misfit }) => misfit === null).map(({ label }) => label);
  const others = judged.flatMap(({ label, misfit }) => (misfit === null ? [] : [`not ${label}: it ${misfit}`]));
  const what = fitting.length === 0 ? 'Fits no known algorithm' : `Fits ${fitting.join(', or ')}`;
  const back = backAtReset(key, clock);
  return observed([], [what, ...(back === null ? [] : [back]), ...others].join('; '), key.key);
}
