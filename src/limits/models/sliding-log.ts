import { minuteMs } from '../bounds.js';
import { count } from '../../format/format.js';
import { type Model, refusalsOf, servedOf, type Trace } from './model.js';
import { wasServed } from '../sample.js';

function misfit(trace: Trace): string | null {
  const { figures, samples } = trace;
  const window = minuteMs(figures);
  const served = servedOf(trace);
  for (const sample of samples.filter(wasServed)) {
    const used = served.surely(sample.answeredAt - window, sample.sentAt);
    if (used >= figures.perMinute) return `allowed ${count(used + 1)} requests within one window`;
  }
  for (const refusal of refusalsOf(trace)) {
    const used = served.possibly(refusal.sentAt - window, refusal.answeredAt);
    if (used < figures.perMinute) return `sent 429 after only ${count(used)} requests in the window before`;
  }
  return null;
}

/** Allows `limit` requests in the window before each of them. */
export const slidingLog: Model = { label: 'a sliding window log', misfit };
