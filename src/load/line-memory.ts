import { clockBounds } from '../limits/clock.js';
import type { Sample } from '../limits/sample.js';
import type { KeyLine, Seen, Sink } from './key-line.js';

/** What a line keeps of the answers that it got. */
export interface LineMemory extends Pick<KeyLine, 'samples' | 'seen'> {
  /** Notes a sample for the line, and hands it to the sink that it was sent for. */
  keep(sample: Sample, sink: Pick<Sink, 'take' | 'inPassing'>): void;
}

/** The memory of a line that was answered nothing yet. */
export function lineMemory(): LineMemory {
  const all: Sample[] = [];
  let seen: Seen = { clock: clockBounds.none, quickestMs: Infinity };
  return {
    keep(sample, sink) {
      seen = {
        clock: clockBounds.with(seen.clock, sample),
        quickestMs: Math.min(seen.quickestMs, sample.answeredAt - sample.sentAt),
      };
      if (sink.inPassing !== true) all.push(sample);
      sink.take(sample);
    },
    samples: () => all,
    seen: () => seen,
  };
}
