import { clockBounds } from '../limits/clock.js';
import type { Sample } from '../limits/sample.js';
import type { KeySession, Seen, Sink } from './key-session.js';

/** What a session keeps of the answers that it got. */
export interface SessionMemory extends Pick<KeySession, 'samples' | 'seen'> {
  /** Notes a sample for the session, and hands it to the sink that it was sent for. */
  keep(sample: Sample, sink: Pick<Sink, 'take' | 'inPassing'>): void;
}

/** The memory of a session that was answered nothing yet. */
export function sessionMemory(): SessionMemory {
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
