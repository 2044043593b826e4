import { observed, unestablished, type Judged } from '../findings/finding.js';
import { resetTime, type ServerClock } from './clock.js';
import { plainInteger } from './headers/header-number.js';
import { count, duration, counted } from '../../base/kernel/format.js';
import { returnsIn, subject, type KeySeries } from './series.js';
import { wasRefused, wasServed } from './sample.js';
import { ALGORITHMS, traceOf } from './algorithms.js';
import type { KeyReading } from './reading.js';

/** Describes how much was back at Reset: windows free all together, sliding ones gradually. */
function backAtReset(key: KeySeries, clock: ServerClock | null): string | null {
  for (const recovery of key.recoveries) {
    const reset = resetTime(recovery.refusal, clock);
    if (reset === null) continue;
    const answer = returnsIn([recovery]).find((sample) => wasServed(sample) && sample.sentAt >= reset.earliest);
    const left = plainInteger(answer?.remaining ?? null);
    if (answer === undefined || left === null) continue;
    const after = duration(Math.max(0, answer.sentAt - reset.latest));
    return `${count(left + 1)} of ${count(key.figures.perMinute)} were back ${after} after Reset`;
  }
  return null;
}

/** Judges `rate-algorithm`: which known algorithms explain all responses, and why the others do not. */
export function algorithm({ key, clock }: KeyReading): Judged {
  const trace = traceOf(key);
  if (!trace.samples.some(wasRefused)) {
    return unestablished('prerequisite', `${subject(key.key)} got no 429, so its algorithm is unknown.`);
  }
  const judged = ALGORITHMS.map(({ label, misfit }) => ({ label, misfit: misfit(trace) }));
  const fitting = judged.filter(({ misfit }) => misfit === null).map(({ label }) => label);
  const others = judged.flatMap(({ label, misfit }) => (misfit === null ? [] : [`not ${label}: it ${misfit}`]));
  const what =
    fitting.length === 0
      ? `Could not be told from ${counted(trace.samples.length, 'response')}: on a busy machine, or from few responses, no known algorithm explains them all`
      : `Fits ${fitting.join(', or ')}`;
  return observed([], [what, backAtReset(key, clock) ?? [], ...others].flat().join('; '), key.key);
}
