import { minuteMs } from '../bounds.js';
import { count } from '../../format/format.js';
import { beginsLate, movesReset } from './headers.js';
import { type Model, refusalsOf, servedOf, type Trace } from './model.js';
import { wasServed } from '../sample.js';

/** Starts of the windows. A window starts when its first request is sent; the next starts W later or more. */
function windowStarts({ figures, samples }: Trace): readonly number[] {
  const starts: number[] = [];
  for (const sample of samples) {
    const start = starts.at(-1);
    if (start === undefined || (wasServed(sample) && sample.answeredAt >= start + minuteMs(figures)))
      starts.push(sample.sentAt);
  }
  return starts;
}

function misfit(trace: Trace): string | null {
  const { figures } = trace;
  if (beginsLate(trace)) return "set Reset less than a window after the window's first request";
  if (movesReset(trace)) return 'moved Reset with the requests';
  const served = servedOf(trace);
  const starts = windowStarts(trace);
  const endOf = (index: number): number => starts[index + 1] ?? Infinity;
  for (const [index, start] of starts.entries()) {
    const within = served.surely(start - 1, Math.min(endOf(index), start + minuteMs(figures)));
    if (within > figures.perMinute) return `allowed ${count(within)} requests in one window`;
  }
  for (const refusal of refusalsOf(trace)) {
    const index = starts.findLastIndex((start) => start <= refusal.sentAt);
    const start = starts[index] ?? refusal.sentAt;
    const used = served.possibly(start - 1, refusal.answeredAt);
    if (used < figures.perMinute) return `sent 429 after only ${count(used)} requests in the window`;
  }
  return null;
}

/** Allows `limit` requests in a window that begins with the first of them. */
export const fixedWindow: Model = { label: 'a fixed window from its first request on', misfit };
