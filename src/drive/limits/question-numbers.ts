import { operationNames } from '../../base/interface/names.js';
import { MOST_REFUSED } from '../../judge/limits/asked.js';
import { BRIEF, minuteMs, REMEMBERED_WINDOWS, type Figures } from '../../judge/limits/bounds.js';

/* How many requests the questions send, and when: for those who ask them, and for their costs. */

/** Most connections of a burst: more would not make a target on the other side of the world any faster. */
export const MOST_OPEN = 26;

/** Share of a window that a burst takes at a target nearby: half of the most, as the keys' bursts take turns. */
const BURST_SHARE = BRIEF / 2;

export const burstSeconds = ({ perMinute, minuteSeconds }: Figures, latencyMs: number): number =>
  Math.min(minuteSeconds, BURST_SHARE * minuteSeconds + (perMinute * latencyMs) / 1000 / MOST_OPEN);

/**
 * A full bucket hides its rate: returns come when so much of what it had at first should be back. So the way
 * back brings this share of an allowance, and the edge the rest; a window brings all of it to the edge.
 */
export const BACK_SHARE = 3 / 4;

/** Requests left before parallel ones at the edge. */
export const EDGE_LEFT = 2;
/** Each operation once, after the edge. */
export const PROBES = operationNames.length;
/** Several in parallel, at the edge or past the promise: with the probes after them, eight refusals at most. */
export const AT_ONCE = MOST_REFUSED - PROBES;

/**
 * A sliding counter may hold the burst in the first window; the last one decides, to its end: a window that
 * allows a tenth less refuses there.
 */
export const STEADY_WINDOWS = REMEMBERED_WINDOWS;
/** Share of a window in which nothing is sent: another user of the key shows in it. */
export const PAUSE_SHARE = 1 / 20;
/** Of a steady run: at its begin, and within its first window. */
export const PAUSES = 2;

/** A server that forgets a key within a quarter of a window has done so by then. */
export const IDLE_SHARE = 0.28;

/** Pauses between single requests, in beats: longer ones and shorter ones by turns. */
export const WATCH_PAUSES = [3, 5.3, 2.6, 6.1, 3.7, 4.4, 2.9, 5.7, 3.3, 4.9, 2.7, 6.4, 3.9];
/** Beats in a window at most: so often others may come, whatever the plan. */
const BEATS = 60;
/** Times that a key is watched while nobody else shows on it: a full bucket hides others for a while. */
export const MOST_TIMES = 3;

/** Most requests of a watched key. */
export const WATCH_REQUESTS = MOST_TIMES * WATCH_PAUSES.length + 1;

export const beatMs = (figures: Figures): number => minuteMs(figures) / Math.min(BEATS, figures.perMinute);

/** Returns how long a key is watched after the silence at most, ms. */
export const watchedMs = (figures: Figures): number =>
  MOST_TIMES * WATCH_PAUSES.reduce((sum, beats) => sum + beats, 0) * beatMs(figures);
