import { type Circumstances, PLAIN } from '../simulated/simulate.js';

// What chance finds once in thousands of runs, kept: each of these once failed a sound limiter.

/** No answer of the steady run comes without delay. */
export const UNEVEN: Circumstances = {
  seed: 1_554_314_264,
  minuteSeconds: 10,
  freeLimit: 62,
  latencyMs: 0.4,
  jitterMs: 8,
  offsetMs: 0,
  staleMs: 0,
  grainMs: 0,
  usedBefore: 25,
  dayLeft: 50,
};

/** Of requests under way together the one sent first is the first of the next window. */
export const ACROSS_THE_EDGE: Circumstances = {
  ...PLAIN,
  seed: 638_258_698,
  minuteSeconds: 2,
  freeLimit: 70,
  latencyMs: 0.05,
  jitterMs: 8,
  offsetMs: -11_196,
};

/** As a window begins, a request overtakes the one that was sent before it. */
export const OVERTAKEN: Circumstances = {
  ...PLAIN,
  seed: 842_476_767,
  minuteSeconds: 1,
  freeLimit: 86,
  latencyMs: 2,
  jitterMs: 0.01,
  offsetMs: 89_990,
  dayLeft: 400,
};

/** A millisecond that seems to have passed is told as a token that came back. */
export const ON_THE_EDGE: Circumstances = {
  ...PLAIN,
  seed: 25,
  freeLimit: 81,
  minuteSeconds: 1,
  latencyMs: 0.07,
  jitterMs: 0.01,
  grainMs: 1,
};

/** Of requests side by side, one is refused that was overtaken by the one that took the last. */
export const OVERTAKEN_AT_THE_LAST: Circumstances = {
  ...PLAIN,
  seed: 1_531_093_495,
  minuteSeconds: 1,
  freeLimit: 81,
  latencyMs: 20,
  jitterMs: 0.01,
  offsetMs: 83_722,
  dayLeft: 400,
};

/** As a minute begins, unseen, the headers turn to the day's figures in the midst of requests under way. */
export const AT_THE_TURN: Circumstances = {
  ...PLAIN,
  seed: 2_147_483_620,
  minuteSeconds: 2,
  freeLimit: 63,
  latencyMs: 80,
  jitterMs: 8,
  offsetMs: -65_524,
  staleMs: 1300,
  dayLeft: 100,
};

/** Of requests side by side that use up a day, the one sent last is told that one is left, which another took. */
export const TAKEN_BESIDE: Circumstances = {
  ...PLAIN,
  minuteSeconds: 1,
  freeLimit: 63,
  latencyMs: 20,
  jitterMs: 0.01,
  dayLeft: 50,
};
