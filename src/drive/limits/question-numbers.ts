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

/** Pauses between single requests of a watched key, in beats. */
export interface WatchRound {
  readonly short: readonly [number, number];
  /** Each lasts so much longer than both short ones together. */
  readonly longer: readonly number[];
}

/**
 * A bucket that refills by steps, and brought some in each of two short pauses, does so in a longer one: what
 * is missing then, somebody else used. Others may come by a beat, so the pauses keep none. Two rounds take
 * less than a window.
 */
export const WATCH_ROUNDS: readonly (readonly [WatchRound, WatchRound])[] = [
  [
    { short: [2.2, 2.1], longer: [1.3, 0.7, 1.6, 1.1, 0.4] },
    { short: [2.0, 2.3], longer: [0.8, 1.5, 0.5, 1.2] },
  ],
  [
    { short: [2.1, 2.4], longer: [0.5, 1.4, 0.9, 0.3, 1.7] },
    { short: [2.3, 2.2], longer: [1.0, 0.6, 1.2, 0.4] },
  ],
  [
    { short: [2.4, 2.0], longer: [1.1, 0.4, 1.5, 0.8, 0.6] },
    { short: [2.1, 2.2], longer: [1.6, 0.9, 0.3, 1.4] },
  ],
];

/** Beats in a window at most: so often others may come, whatever the plan. */
const BEATS = 60;
/** Pauses of a watched key at a target nearby, in beats. */
const WATCH_BEATS = WATCH_ROUNDS.flat().flatMap(({ short, longer }) => [
  ...short,
  ...longer.map((more) => short[0] + short[1] + more),
]);

/** Most requests of a watched key. */
export const WATCH_REQUESTS = WATCH_BEATS.length + 1;

export const beatMs = (figures: Figures): number => minuteMs(figures) / Math.min(BEATS, figures.perMinute);

/** Returns how long a key is watched after the silence at most, ms. */
export const watchedMs = (figures: Figures): number =>
  WATCH_BEATS.reduce((sum, beats) => sum + beats, 0) * beatMs(figures);

/** Waits of the same length keep no beat, that others may have: each moves by a part of an interval. */
export const UNEVEN = 2.7;

/** Longest time after which a server that did not respond is asked again, ms: a restart takes seconds. */
export const OUTAGE_MS = 10_000;
