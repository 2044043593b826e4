import { MOST_REFUSED } from '../load/refusal-bound.js';
import type { KeyPlayer } from './key-player.js';
import { minuteMs, type Figures } from '../../judge/limits/bounds.js';

/** Even a bucket that refills at half the rate is full after so many windows. */
export const SILENT_WINDOWS = 2;
/** Pauses between single requests, in beats: longer ones and shorter ones by turns. */
const PAUSES = [3, 5.3, 2.6, 6.1, 3.7, 4.4, 2.9, 5.7, 3.3, 4.9, 2.7, 6.4, 3.9];

/** Beats in a window at most: so often others may come, whatever the plan. */
const BEATS = 60;

/** Requests of a watched key. */
export const WATCH_REQUESTS = PAUSES.length + 1;

/** Returns the time between two beats, ms. */
const beatMs = (figures: Figures): number => minuteMs(figures) / Math.min(BEATS, figures.perMinute);

/** Returns how long a key is watched after the silence, ms. */
export const watchedMs = (figures: Figures): number =>
  PAUSES.reduce((sum, beats) => sum + beats, 0) * beatMs(figures);

/** Watches a key that somebody else may use: single requests after two windows of silence. */
export async function watch(player: KeyPlayer): Promise<void> {
  const { session, lab } = player;
  const what = `a pause that shows other users of the ${session.key} key`;
  const last = player.record.last()?.answeredAt ?? lab.now();
  await player.pause(last + SILENT_WINDOWS * player.windowMs, what);
  await player.ask('watch', 'lone');
  for (const beats of PAUSES) {
    if (session.refused() >= MOST_REFUSED - 2) return;
    await player.pause(lab.now() + beats * beatMs(session.figures), what);
    await player.ask('watch', 'pause');
  }
}
