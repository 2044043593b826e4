import { BOTH_ROUNDED_MS, REMEMBERED_WINDOWS } from '../../judge/limits/bounds.js';
import type { QuestionCost } from './cost.js';
import {
  AT_ONCE,
  burstSeconds,
  EDGE_LEFT,
  IDLE_SHARE,
  PROBES,
  WATCH_REQUESTS,
  watchedMs,
} from './question-numbers.js';

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

/** Two silent windows, and single requests afterwards. */
export const watchCost: QuestionCost = (figures) => ({
  requests: WATCH_REQUESTS,
  seconds: REMEMBERED_WINDOWS * figures.minuteSeconds + watchedMs(figures) / 1000,
});
