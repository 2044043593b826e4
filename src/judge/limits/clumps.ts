import { countWhile } from '../../base/kernel/sorted.js';
import {
  OWN_PROBES,
  isLongBySeconds,
  longestByServer,
  minuteMs,
  mostRefilled,
  refillIntervalMs,
  type Figures,
} from './bounds.js';
import { onceEach } from '../../base/kernel/once-each.js';
import { samplesOf } from './key-samples.js';
import type { KeySeries } from './series.js';
import {
  cameBack,
  isCutOff,
  longestBetween,
  loneReadings,
  mostBetween,
  readingsIn,
  stepsOf,
} from './remaining-readings.js';
import { bySending, leftsOf, slidBetween, wasServed, type Sample } from './sample.js';

/* What comes back together. */

/** Clump: requests that come back together. */
export type Clump = ReturnType<typeof largestClump>;

/** Three times the even refill cannot be a rate, not even twice the plan's: it is a step. */
const SUDDENLY = 3;

/** Fewest single gains that show gradual refills: one or two may be the rest of a step that did not fit. */
export const CLEARLY_SINGLE = 3;

const isSingle = ({ gain, isCutOff }: ReturnType<typeof stepsOf>[number]): boolean => gain === 1 && !isCutOff;

/** Reads only allowed requests: a 429 does not count, and lies between two readings of a refill. */
const servedReadings = (samples: readonly Sample[], figures: Figures) =>
  loneReadings(samples.filter(wasServed), figures);

/**
 * Returns what came back up to each response, since the last response before its request. Only a rise of
 * Remaining shows it between concurrent requests, and less exactly: a request that is not counted never makes
 * it rise.
 */
function returnsShown(samples: readonly Sample[], figures: Figures) {
  const readings = readingsIn(bySending(samples.filter(wasServed)), figures);
  const answered = readings.toSorted((one, other) => one.sample.answeredAt - other.sample.answeredAt);
  return readings.flatMap((to) => {
    const from = answered[countWhile(answered, ({ sample }) => sample.answeredAt <= to.sample.sentAt) - 1];
    if (from === undefined) return [];
    const { least, most } = cameBack(from, to);
    const others = mostBetween(from, to) - 1;
    return least > 0 && (others === 0 || to.left > from.left)
      ? [{ from, to, others, least, gain: most, isCutOff: isCutOff(from, to, figures) }]
      : [];
  });
}

/** Finds the largest clump that the responses show to have come back together. */
export function largestClump(samples: readonly Sample[], figures: Figures) {
  const returns = returnsShown(samples, figures);
  const served = samples.filter(wasServed);
  const full = leftsOf(served, figures).reduce((most, { left }) => Math.max(most, left), 0);
  const rises = returns
    // The first of concurrent requests in a window may be another than the one read.
    .filter(({ to, others }) => to.left < full - OWN_PROBES - others)
    // At 0, only what the elapsed time explains came back.
    .filter(
      ({ from, to, gain, isCutOff }) => !isCutOff || gain <= mostRefilled(figures, longestBetween(from, to)),
    )
    // Once W has passed since an earlier request, a gain may be a new window, or that request's exit. In windows of seconds it
    // has nearly always passed. What a log by parts forgets sooner comes back together, as a step does.
    .filter(
      ({ from, to }) =>
        !isLongBySeconds(figures) ||
        slidBetween(served, figures, from.sample.sentAt, to.sample.answeredAt, minuteMs(figures)) === 0,
    );
  // Steps have one size, or two that differ by one: a larger gain is what came in several of them.
  const largest = rises.reduce((smallest, { gain }) => Math.min(smallest, gain), Infinity) + 1;
  /** Most that came back between two responses, sooner than a window and less than it holds; 0 if none did. */
  const size = rises.reduce((most, { gain }) => Math.max(most, Math.min(gain, largest)), 0);
  /** True if it came sooner than evenly: the limit comes back in refill steps. */
  const isSooner = rises.some(
    ({ from, to, least }) =>
      (least - 1) * refillIntervalMs(figures) > longestByServer(longestBetween(from, to)),
  );
  /**
   * Largest that came in much less time than the plan takes; a refill to the top counts too, unless it is a
   * window's. A bucket that holds one step shows no other.
   */
  const sudden = returns
    .filter(({ gain, isCutOff }) => !isCutOff && 2 * (gain - 1) <= figures.perMinute)
    .filter(({ from, to, least }) => least * refillIntervalMs(figures) >= SUDDENLY * longestBetween(from, to))
    .reduce((most, { gain }) => Math.max(most, Math.min(gain, largest)), 0);
  return { size, isSooner, sudden };
}

/** Returns the largest clump over all samples of a key. */
export const clumpOf = onceEach((key: KeySeries): Clump => largestClump(samplesOf(key), key.figures));

/**
 * Returns the most that may come back at once, in any span however short. If a share is no whole number,
 * steps differ by one.
 */
export function mostAtOnce({ size, sudden }: Pick<Clump, 'size' | 'sudden'>): number {
  const step = Math.max(size, sudden);
  return step <= 1 ? step : step + 1;
}

/** Counts the requests that Remaining shows to have come back. It shows none at 0, nor one below the limit. */
export const gainShown = (samples: readonly Sample[], figures: Figures): number =>
  stepsOf(servedReadings(samples, figures), figures).reduce(
    (sum, { gain, isCutOff }) => sum + (isCutOff ? 0 : Math.max(0, gain)),
    0,
  );

/** Counts the places where Remaining shows that one request came back or was not counted. */
export const singlesIn = (samples: readonly Sample[], figures: Figures): number =>
  stepsOf(servedReadings(samples, figures), figures).filter(isSingle).length;
