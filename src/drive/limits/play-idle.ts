import { MOST_REFUSED } from '../../judge/limits/asked.js';
import { BOTH_ROUNDED_MS, BRIEF } from '../../judge/limits/bounds.js';
import { resetTime } from '../../judge/limits/clock.js';
import type { KeyPlayer } from './key-player.js';
import { IDLE_SHARE } from './question-numbers.js';

/**
 * Waits after a silence, so that bursts begin at unlike times of a window: nobody who comes once a window was
 * always there just before. Where windows of a clock begin, it waits for one that has room for the pause.
 */
export async function unlikeTime(player: KeyPlayer): Promise<void> {
  const { lab, record, windowMs, session } = player;
  const at = lab.now() + BOTH_ROUNDED_MS;
  const last = record.last();
  const reset = last === undefined ? null : resetTime(last, lab.clock());
  const restMs = reset === null ? windowMs : (((reset.latest - at) % windowMs) + windowMs) % windowMs;
  const hasRoom = restMs > (BRIEF + IDLE_SHARE) * windowMs + BOTH_ROUNDED_MS;
  await player.pause(hasRoom ? at : at + restMs, `another time of a window of the ${session.key} plan`);
}

/** Sends one request after a pause, where the allowance was used up and one more refusal is allowed. */
export async function idle(player: KeyPlayer): Promise<void> {
  const { lab, windowMs, session } = player;
  // One is left for the request after the next silence.
  if (session.refused() === 0 || session.unserved() >= MOST_REFUSED - 1) return;
  await player.pause(lab.now() + IDLE_SHARE * windowMs, `a pause within a window of the ${session.key} plan`);
  await player.ask('idle', 'pause');
}
