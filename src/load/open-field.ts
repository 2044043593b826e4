import pLimit from 'p-limit';
import { clockWithin, overlap } from '../limits/clock.js';
import type { ClockBounds } from '../limits/clock.js';
import type { Clock } from './clock.js';
import type { Field } from './field.js';
import type { KeyLine } from './key-line.js';

/** What a field is made of. */
export interface FieldOptions extends Pick<Field, 'signal' | 'operations' | 'progress'> {
  /** The senders' own time. */
  readonly time: Clock;
  /** Every key's line. */
  readonly lines: readonly Pick<KeyLine, 'seen'>[];
  /** What was known of the server's clock before any line was opened. */
  readonly before: ClockBounds;
  /** Is told of a pause that somebody may wonder about, and of how many ms it takes. */
  readonly waiting: (what: string, ms: number) => void;
}

/** Waits below this are too short for anybody to wonder about. */
const WORTH_SAYING_MS = 400;

/** A target that answers faster is on this machine or beside it, and bursts side by side would only slow each other down. */
const NEARBY_MS = 2;

/** What the profiles of all keys share. */
export function openField(options: FieldOptions): Field {
  const { time, lines, before, signal, operations, progress, waiting } = options;
  const turns = pLimit(1);
  const quickestMs = (): number => Math.min(...lines.map((line) => line.seen().quickestMs));
  return {
    ...time,
    signal,
    operations,
    clock: () => clockWithin(overlap([before, ...lines.map((line) => line.seen().clock)])),
    pause: async (at, what) => {
      const ms = at - time.now();
      if (ms >= WORTH_SAYING_MS && !signal.aborted) waiting(what, ms);
      return time.sleepUntil(at, signal);
    },
    inTurn: (work) => (quickestMs() < NEARBY_MS ? turns(work) : work()),
    progress,
  };
}
