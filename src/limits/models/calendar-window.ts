import { minuteMs } from '../bounds.js';
import { count } from '../../format/format.js';
import { movesReset } from './headers.js';
import { anyPhase, type Model, refusalsOf, servedOf, type Trace } from './model.js';

function misfit(trace: Trace): string | null {
  const { figures, samples } = trace;
  const window = minuteMs(figures);
  const served = servedOf(trace);
  if (movesReset(trace)) return 'moved Reset with the requests';
  const first = samples[0]?.sentAt ?? 0;
  const last = samples.at(-1)?.answeredAt ?? first;
  // The phase is exact only up to the distance of two tries: a request so near an edge may be on either side.
  const blur = window / 60;
  return anyPhase(figures, (phase) => {
    const startOf = (time: number): number => Math.floor((time - phase) / window) * window + phase;
    for (let start = startOf(first); start <= last; start += window) {
      const within = served.surely(start + blur, start + window - blur);
      if (within > figures.perMinute) return `allowed ${count(within)} requests in one clock-aligned window`;
    }
    for (const refusal of refusalsOf(trace)) {
      const used = served.possibly(startOf(refusal.sentAt) - blur, refusal.answeredAt);
      if (used < figures.perMinute) return `sent 429 after only ${count(used)} requests in the window`;
    }
    return null;
  });
}

/** Allows `limit` requests in a window between two edges of the clock. */
export const calendarWindow: Model = { label: 'a clock-aligned fixed window', misfit };
