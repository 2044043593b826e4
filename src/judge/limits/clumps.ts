import {
  OWN_PROBES,
  longestByServer,
  mayHaveRefilled,
  mostRefilled,
  refillIntervalMs,
  type Figures,
} from './bounds.js';
import { plainInteger } from './headers/header-number.js';
import { longestBetween, type Reading, readingsOf, stepsOf } from './header-readings.js';
import type { KeySeries } from './series.js';
import { describesMinute, mayHaveSlid, wasServed, type Sample } from './sample.js';

/* What comes back together, to a client that sends one by one. */

/** Clump: requests that come back together to a client that sends one by one. */
export type Clump = ReturnType<typeof largestClump>;

/** At this many times the even refill it is a refill step and no rate, not even twice the plan's. */
const SUDDENLY = 3;

/** Finds the largest clump of a client that sends one by one. Concurrent requests may meet one as large. */
export function largestClump(samples: readonly Sample[], figures: Figures) {
  const readings = readingsOf(samples, figures);
  const full = readings.reduce((most, { left }) => Math.max(most, left), 0);
  const alone = stepsOf(readings, figures).filter(({ from, to, gain }) => gain > 0 && to.place - from.place === 1);
  const rises = alone
    .filter(({ to }) => to.left < full - OWN_PROBES)
    // At 0, only what the elapsed time explains came back.
    .filter(({ from, to, gain, isCutOff }) => !isCutOff || gain <= mostRefilled(figures, longestBetween(from, to)))
    .filter(({ from, to }) => !isWindowLater(from, to, samples, figures));
  /** Most that came back between two responses, sooner than a window and less than it holds; 0 if none did. */
  const size = rises.reduce((most, { gain }) => Math.max(most, gain), 0);
  /** True if it came sooner than evenly: the limit comes back in refill steps. */
  const isSooner = rises.some(
    ({ from, to, gain }) => (gain - 1) * refillIntervalMs(figures) > longestByServer(longestBetween(from, to)),
  );
  /**
   * Largest sudden clump: it came in much less time than the plan takes, so no rate explains it. A refill to the top may be
   * a refill step as well, unless it is a window's.
   */
  const sudden = alone
    .filter(({ gain, isCutOff }) => !isCutOff && 2 * gain <= figures.perMinute)
    .filter(({ from, to, gain }) => gain * refillIntervalMs(figures) >= SUDDENLY * longestBetween(from, to))
    .reduce((most, { gain }) => Math.max(most, gain), 0);
  return { size, isSooner, sudden };
}

/** Requests of slack: Remaining may be one too high, and a part of a request may have been left. */
const TOLD_BESIDES = 2;

/**
 * Returns how long nothing comes back after a refill, ms; 0 if unknown. A refill that exceeds the even rate after a 429
 * with Remaining 0 is a window or a clump. Nothing more comes back until the plan has brought as much. Requests that
 * Remaining does not count until then bypass the limit.
 */
export const longestWithoutRefill = ({ recoveries, figures }: Pick<KeySeries, 'recoveries' | 'figures'>): number =>
  recoveries.reduce((longest, { refusal, retry, resetRetry }) => {
    const answer = [retry, resetRetry].find((sample) => sample !== null && wasServed(sample));
    if (!answer || ![refusal, answer].every((sample) => describesMinute(sample, figures))) return longest;
    const back = (plainInteger(answer.remaining) ?? 0) + 1;
    const ahead = back - mayHaveRefilled(figures, answer.answeredAt - refusal.sentAt) - TOLD_BESIDES;
    return plainInteger(refusal.remaining) === 0 ? Math.max(longest, ahead * refillIntervalMs(figures)) : longest;
  }, 0);

/** Counts the places where Remaining shows that one request came back or was not counted. */
export const singlesIn = (samples: readonly Sample[], figures: Figures): number =>
  stepsOf(readingsOf(samples, figures), figures).filter(({ gain, isCutOff }) => gain === 1 && !isCutOff).length;

/** True if W had passed since an earlier request. Then a gain may be a new window, or that request's exit. */
const isWindowLater = (from: Reading, to: Reading, samples: readonly Sample[], figures: Figures): boolean =>
  mayHaveSlid(samples, figures, from.sample.sentAt, to.sample.answeredAt).some(wasServed);
