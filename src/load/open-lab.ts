import pLimit from 'p-limit';
import { clockWithin, overlap, type ClockBounds } from '../limits/clock.js';
import type { Clock } from './clock.js';
import type { Lab } from './lab.js';
import type { KeySession } from './key-session.js';

/** What a lab is made of. */
export interface LabOptions extends Pick<Lab, 'signal' | 'operations' | 'progress'> {
  /** The senders' own time. */
  readonly time: Clock;
  /** Every key's session. */
  readonly sessions: readonly Pick<KeySession, 'seen'>[];
  /** What was known of the server's clock before any session was opened. */
  readonly before: ClockBounds;
  /** Is told of a pause that somebody may wonder about, and of how many ms it takes. */
  readonly waiting: (what: string, ms: number) => void;
}

/** Waits below this are too short for anybody to wonder about. */
const WORTH_SAYING_MS = 400;

/** A target that answers faster is on this machine or beside it, and bursts side by side would only slow each other down. */
const NEARBY_MS = 2;

/** What the profiles of all keys share. */
export function openLab(options: LabOptions): Lab {
  const { time, sessions, before, signal, operations, progress, waiting } = options;
  const turns = pLimit(1);
  const quickestMs = (): number => Math.min(...sessions.map((session) => session.seen().quickestMs));
  return {
    ...time,
    signal,
    operations,
    clock: () => clockWithin(overlap([before, ...sessions.map((session) => session.seen().clock)])),
    pause: async (at, what) => {
      const ms = at - time.now();
      if (ms >= WORTH_SAYING_MS && !signal.aborted) waiting(what, ms);
      return time.sleepUntil(at, signal);
    },
    inTurn: (work) => (quickestMs() < NEARBY_MS ? turns(work) : work()),
    progress,
  };
}
