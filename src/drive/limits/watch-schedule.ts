import { minuteMs, type Figures } from '../../judge/limits/bounds.js';

/** Even a bucket that refills at half the rate is full after so many windows. */
export const SILENT_WINDOWS = 2;
/** Pauses between single requests, in beats: longer ones and shorter ones by turns. */
export const PAUSES = [3, 5.3, 2.6, 6.1, 3.7, 4.4, 2.9, 5.7, 3.3, 4.9, 2.7, 6.4, 3.9];
/** Beats in a window at most: so often others may come, whatever the plan. */
const BEATS = 60;
/** A key that shows nobody is watched on, so often: a full bucket hides others for a while. */
export const MOST_TIMES = 3;

/** Most requests of a watched key. */
export const WATCH_REQUESTS = MOST_TIMES * PAUSES.length + 1;

/** Returns the time between two beats, ms. */
export const beatMs = (figures: Figures): number => minuteMs(figures) / Math.min(BEATS, figures.perMinute);

/** Returns how long a key is watched after the silence at most, ms. */
export const watchedMs = (figures: Figures): number =>
  MOST_TIMES * PAUSES.reduce((sum, beats) => sum + beats, 0) * beatMs(figures);
