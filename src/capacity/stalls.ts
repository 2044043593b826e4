import { now } from '../exchange/connection.js';

/** Tells how long this process was held up itself: by other processes, by its own work, by collecting garbage. */
export interface StallWatch {
  /** In all until a moment (Unix ms, not before the last one asked for), ms. What is between two calls lies between two moments. */
  heldUpUntil(at: number): number;
  close(): void;
}

/** How often the event loop is asked to come by, ms. */
const BEAT_MS = 10;
/** Timers come a few ms late on any machine. What is later than this was held up. */
const LATE_MS = 5;

/** Begins to watch. A beat that comes late counts whole, so that no stall is taken for shorter than it was. */
export function watchStalls(): StallWatch {
  let [last, total] = [now(), 0];
  const since = (at: number): number => (at - last > BEAT_MS + LATE_MS ? at - last : 0);
  const beat = setInterval(() => {
    const at = now();
    total += since(at);
    last = at;
  }, BEAT_MS);
  beat.unref();
  return {
    // An answer may be looked at before the beat that comes late.
    heldUpUntil: (at) => total + since(at),
    close: () => clearInterval(beat),
  };
}
