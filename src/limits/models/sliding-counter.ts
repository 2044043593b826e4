import { minuteMs } from '../bounds.js';
import { count } from '../../format/format.js';
import { movesReset } from './headers.js';
import { anyPhase, type Model, refusalsOf, servedOf, type Trace } from './model.js';
import { wasServed } from '../sample.js';

/** Requests of slack, for rounding the share of the previous window. */
const ROUNDING = 1;

function misfit(trace: Trace): string | null {
  const { figures, samples } = trace;
  const window = minuteMs(figures);
  if (movesReset(trace)) return 'moved Reset with the requests';
  const served = servedOf(trace);
  const blur = window / 60;
  // A phase that is slightly off gives the previous window slightly more or less weight.
  const tolerance = ROUNDING + figures.perMinute / 60;
  return anyPhase(figures, (phase) => {
    const startOf = (time: number): number => Math.floor((time - phase) / window) * window + phase;
    for (const sample of samples.filter(wasServed)) {
      const start = startOf(sample.sentAt);
      if (sample.answeredAt + blur >= start + window || sample.sentAt - blur <= start) continue;
      const weight = 1 - (sample.answeredAt - start) / window;
      const used =
        served.surely(start - window + blur, start - blur) * weight + served.surely(start + blur, sample.sentAt);
      if (used >= figures.perMinute + tolerance)
        return `allowed a request with ${count(used)} of ${count(figures.perMinute)} in use`;
    }
    for (const refusal of refusalsOf(trace)) {
      const start = startOf(refusal.sentAt);
      const weight = 1 - (refusal.sentAt - start) / window;
      const used =
        served.possibly(start - window - blur, start + blur) * weight +
        served.possibly(start - blur, refusal.answeredAt);
      if (used < figures.perMinute - tolerance)
        return `sent 429 with ${count(used)} of ${count(figures.perMinute)} in use`;
    }
    return null;
  });
}

/** Counts two windows of the clock; the older weighs as much as is left of it. */
export const slidingCounter: Model = { label: 'a sliding window counter', misfit };
