import {
  OWN_PROBES,
  isLongBySeconds,
  longestByServer,
  mostRefilled,
  refillIntervalMs,
  type Figures,
} from './bounds.js';
import { longestBetween, readingsOf, stepsOf } from './header-readings.js';
import { mayHaveSlid, wasServed, type Sample } from './sample.js';

/* What comes back together, to a client that sends one by one. */

/** Clump: requests that come back together to a client that sends one by one. */
export type Clump = ReturnType<typeof largestClump>;

/** Three times the even refill cannot be a rate, not even twice the plan's: it is a step. */
const SUDDENLY = 3;

/** Fewest single gains that show gradual refills: one or two may be the rest of a step that did not fit. */
export const CLEARLY_SINGLE = 3;

const isSingle = ({ gain, isCutOff }: ReturnType<typeof stepsOf>[number]): boolean => gain === 1 && !isCutOff;

/** Finds the largest clump of a client that sends one by one. Concurrent requests may meet one as large. */
export function largestClump(samples: readonly Sample[], figures: Figures) {
  const readings = readingsOf(samples, figures);
  const full = readings.reduce((most, { left }) => Math.max(most, left), 0);
  const steps = stepsOf(readings, figures);
  const rises = steps
    .filter(({ from, to, gain }) => gain > 0 && to.place - from.place === 1)
    .filter(({ to }) => to.left < full - OWN_PROBES)
    // At 0, only what the elapsed time explains came back.
    .filter(({ from, to, gain, isCutOff }) => !isCutOff || gain <= mostRefilled(figures, longestBetween(from, to)))
    // Once W has passed since an earlier request, a gain may be a new window, or that request's exit. In windows of seconds it
    // has nearly always passed.
    .filter(
      ({ from, to }) =>
        !isLongBySeconds(figures) ||
        !mayHaveSlid(samples, figures, from.sample.sentAt, to.sample.answeredAt).some(wasServed),
    );
  // Steps have one size, or two that differ by one: a larger gain is what came in several of them.
  const largest = rises.reduce((least, { gain }) => Math.min(least, gain), Infinity) + 1;
  /** Most that came back between two responses, sooner than a window and less than it holds; 0 if none did. */
  const size = rises.reduce((most, { gain }) => Math.max(most, Math.min(gain, largest)), 0);
  /** True if it came sooner than evenly: the limit comes back in refill steps. */
  const isSooner = rises.some(
    ({ from, to, gain }) => (gain - 1) * refillIntervalMs(figures) > longestByServer(longestBetween(from, to)),
  );
  /**
   * Largest that came in much less time than the plan takes; a refill to the top counts too, unless it is a window's. A bucket
   * that holds one step shows no other.
   */
  const sudden = steps
    .filter(
      ({ from, to, gain, isCutOff }) => to.place - from.place === 1 && !isCutOff && 2 * (gain - 1) <= figures.perMinute,
    )
    .filter(({ from, to, gain }) => gain * refillIntervalMs(figures) >= SUDDENLY * longestBetween(from, to))
    .reduce((most, { gain }) => Math.max(most, Math.min(gain, largest)), 0);
  return { size, isSooner, sudden };
}

/** Returns the most that may come back at once, in any span however short. If a share is no whole number, steps differ by one. */
export function mostAtOnce({ size, sudden }: Pick<Clump, 'size' | 'sudden'>): number {
  const step = Math.max(size, sudden);
  return step <= 1 ? step : step + 1;
}

/** Counts the requests that Remaining shows to have come back. It shows none at 0, nor one below the limit. */
export const gainShown = (samples: readonly Sample[], figures: Figures): number =>
  stepsOf(readingsOf(samples, figures), figures).reduce(
    (sum, { gain, isCutOff }) => sum + (isCutOff ? 0 : Math.max(0, gain)),
    0,
  );

/** Counts the places where Remaining shows that one request came back or was not counted. */
export const singlesIn = (samples: readonly Sample[], figures: Figures): number =>
  stepsOf(readingsOf(samples, figures), figures).filter(isSingle).length;
