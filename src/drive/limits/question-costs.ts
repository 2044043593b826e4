import { STEADY_SHARE } from '../../judge/limits/asked.js';
import { BOTH_ROUNDED_MS, type Figures } from '../../judge/limits/bounds.js';
import { plus, type QuestionCost } from './cost.js';
import {
  AT_ONCE,
  EDGE_LEFT,
  IDLE_SHARE,
  MOST_OPEN,
  PAUSE_SHARE,
  PAUSES,
  PROBES,
  QUICK_SHARE,
  SILENT_WINDOWS,
  STEADY_WINDOWS,
  WATCH_REQUESTS,
  watchedMs,
} from './question-numbers.js';

/* What each question takes with one key, of the usual limiter: requests of its plan, and windows. */

/**
 * The way back and the edge bring one allowance together: a bucket returns this share on the way back, and a
 * window all of it to the edge, if it begins there.
 */
const BACK_SHARE = 3 / 4;
/** Share of a window that a burst takes at a target nearby: half of the most, as the keys' bursts take turns. */
const BURST_SHARE = QUICK_SHARE / 2;

export const burstSeconds = ({ perMinute, minuteSeconds }: Figures, latencyMs: number): number =>
  Math.min(minuteSeconds, BURST_SHARE * minuteSeconds + (perMinute * latencyMs) / 1000 / MOST_OPEN);

/** A burst, to the refusal. */
export const burstCost: QuestionCost = (figures, { latencyMs }) => ({
  requests: figures.perMinute + 1,
  seconds: burstSeconds(figures, latencyMs),
});

/** It falls into the time of the way back. */
export const resetCost: QuestionCost = () => ({ requests: 1, seconds: 0 });

/** A window after the burst began it is over, as whole seconds of Retry-After say. */
export const backCost: QuestionCost = (figures, { latencyMs }) => ({
  requests: Math.ceil(BACK_SHARE * figures.perMinute),
  seconds: figures.minuteSeconds + 1 - burstSeconds(figures, latencyMs),
});

/** A request before and after each pause, and none in it; the first pause follows a request anyway. */
export const steadyCost: QuestionCost = ({ perMinute, minuteSeconds }) => ({
  requests: Math.ceil(STEADY_SHARE * (STEADY_WINDOWS - PAUSES * PAUSE_SHARE) * perMinute) + PAUSES + 1,
  seconds: STEADY_WINDOWS * minuteSeconds,
});

export const edgeCost: QuestionCost = (figures, { latencyMs }) => ({
  requests: Math.ceil((1 - BACK_SHARE) * figures.perMinute),
  seconds: burstSeconds(figures, latencyMs),
});

/** A pause, and the request after it. */
export const idleCost: QuestionCost = ({ minuteSeconds }) => ({
  requests: 1,
  seconds: IDLE_SHARE * minuteSeconds,
});

/** A burst to the edge, those at the same moment and the probes, after a window of silence. */
export const fromSilenceCost: QuestionCost = (figures, { latencyMs }) => ({
  requests: figures.perMinute + AT_ONCE - EDGE_LEFT + PROBES,
  seconds: figures.minuteSeconds + BOTH_ROUNDED_MS / 1000 + burstSeconds(figures, latencyMs),
});

export const thirdCost: QuestionCost = (figures, given) =>
  plus(fromSilenceCost(figures, given), idleCost(figures, given));

export const watchCost: QuestionCost = (figures) => ({
  requests: WATCH_REQUESTS,
  seconds: SILENT_WINDOWS * figures.minuteSeconds + watchedMs(figures) / 1000,
});
