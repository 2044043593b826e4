import { ALGORITHMS, type Algorithm } from './limiter-algorithms.js';
import type { LimiterCase } from './limiter-case.js';

/**
 * What a limiter is, from how it was made and from what it told, by the rows of the ledger; the kit's oracles have no part
 * in it. `free`: wrong, but by less than the ledger lets anybody tell, or in a way that no run of its profiles can show.
 */
export type Truth =
  | { readonly kind: 'sound' }
  | { readonly kind: 'broken'; readonly why: readonly string[]; readonly of: ReadonlySet<Aspect> }
  | { readonly kind: 'free'; readonly why: readonly string[] };

/** A refusal with what was true of it; times in the server's ms. */
export interface Refusal {
  readonly key: string;
  readonly at: number;
  /** By how much the Retry-After that it was sent with is too short. */
  readonly shortBy: number;
}

/** What of a limiter is not as the plan says: how much and when, what it tells of that, or how it goes about it. */
export type Aspect = 'allowance' | 'retry-after' | 'algorithm' | 'clock';

/** One thing that is not as the plan says. */
interface Fault {
  readonly of: Aspect;
  readonly shows: boolean;
  readonly why: string;
}

/** rate-not-early: only a run at 95 % of the plan decides where a burst got less. */
const PACED = 0.95;

/** rate-headers-wellformed: Reset may lie this far past the window, ms. */
const RESET_GRACE_MS = 4000;

/** rate-window, rate-429: two allowances in a window are what any algorithm may serve, so that more than two are a breach. */
const MOST_IN_A_WINDOW = 2;

/**
 * Percent within which a window is the plan's: below, no run of a few windows shows what is too much or too little. By a
 * clock that is coarse it begins and ends up to a stroke later.
 */
const NEAR = 5;
const nearBy = ({ grain, minute }: LimiterCase): number => NEAR + (100 * 2 * grain) / (minute * 1000);

/** What is wrong whatever the figures, where the clock is fine enough to have windows of that length at all. */
const ofAlgorithm = ({ window, minute, grain }: LimiterCase, { fault }: Algorithm): Fault | null =>
  fault === undefined ? null : { of: 'algorithm', shows: window * minute * 10 > grain, why: fault };

/** Of an allowance: a refill that is too fast by no more comes to a few requests in the window for which it is asked. */
const NEAR_RATE = 0.1;

/** A window that is too short or too long, or a limit that is too high or too low: what of both a client gets. */
function ofAllowance(limiter: LimiterCase, { refills, holds }: Algorithm): Fault | null {
  const { window, minute, over, limit } = limiter;
  if (window === 100 && over === 0) return null;
  const [part, whole] = [window / 100, (limit + over) / limit];
  const rate = whole / part;
  const why = [
    ...(window === 100 ? [] : [`the window is ${window} % of a minute`]),
    ...(over > 0 ? [`${over} served beyond ${limit}`] : over < 0 ? [`${-over} of ${limit} held back`] : []),
  ].join(', ');
  const isWindowOff = Math.abs(window - 100) > nearBy(limiter);
  if (!refills) {
    // Less than the allowance in less than a minute is what the plan promises, unless it is more than two in one.
    const isTooMuch = whole > 1 || (isWindowOff && part < 1 && (whole === 1 || rate > MOST_IN_A_WINDOW));
    const isTooLittle = (isWindowOff && part > 1) || rate < PACED;
    return { of: 'allowance', shows: isTooMuch || isTooLittle, why };
  }
  // What comes back bit by bit: too fast is what exceeds two allowances in a minute, too slow what a paced client misses.
  // A pacer lets one through at each Retry-After, and that is told in whole seconds: who waits never gets too much.
  const isTooMuch = holds > 0 && holds * whole + rate > MOST_IN_A_WINDOW + NEAR_RATE;
  const farReset = holds * part * minute * 1000 > minute * 1000 + RESET_GRACE_MS + 1000;
  return { of: 'allowance', shows: isTooMuch || farReset || holds * whole + rate < PACED, why };
}

/** Of a window: a clock that is coarser has no windows of that length. */
const COARSE = 0.1;

/**
 * A clock that is too coarse for the window; and a pacer of which the clock, or the way to it, is too coarse for its pace: it
 * refuses a client at 95 % of the plan by how they happen to fall.
 */
function ofGrain({ grain, minute, limit, jitter }: LimiterCase, { holds }: Algorithm): Fault | null {
  if (grain > COARSE * minute * 1000)
    return { of: 'clock', shows: false, why: `a window of ${minute} s by a clock of ${grain} ms` };
  // The larger of the two simulated plans has three times the smaller.
  const spare = ((minute * 1000) / (3 * limit)) * (1 / PACED - 1);
  const isTooCoarse = holds === 0 && grain + 2 * jitter > spare;
  return isTooCoarse
    ? { of: 'clock', shows: false, why: `a pacer by a clock of ${grain} ms, ${jitter} ms of jitter away` }
    : null;
}

/**
 * A Retry-After that is too short. A client that waits for exactly that time comes back a way there and a way back after
 * the refusal was decided, and another such time later where it opens a connection, so that what is shorter by less than
 * that cannot be seen; nor can a date that has passed by no
 * more than the server's clock is uncertain, by its whole seconds and by what its Date is stale.
 */
function ofRetryAfter(
  { retryAfterAs, latency, jitter, stale, grain }: LimiterCase,
  refusals: readonly Refusal[],
): Fault | null {
  const worst = Math.max(0, ...refusals.map(({ shortBy }) => shortBy));
  if (worst <= 0) return null;
  const unseen = 2 * latency + 4 * jitter + 1 + grain + (retryAfterAs === 'date' ? 1000 + stale : 0);
  // Of a key only the first refusal proves something: after more of them a ban would be legal.
  const firsts = refusals.filter(({ key }, at) => refusals.findIndex((other) => other.key === key) === at);
  return {
    of: 'retry-after',
    shows: firsts.some(({ shortBy }) => shortBy > unseen),
    why: `Retry-After is up to ${Math.round(worst)} ms too short`,
  };
}

/** The truth about a limiter, given the refusals of the run in their order. */
export function truthOf(limiter: LimiterCase, refusals: readonly Refusal[]): Truth {
  const algorithm = ALGORITHMS[limiter.algorithm];
  if (algorithm === undefined) throw new Error(`there is no algorithm named "${limiter.algorithm}"`);
  const faults = [
    ofAlgorithm(limiter, algorithm),
    ofAllowance(limiter, algorithm),
    ofGrain(limiter, algorithm),
    ofRetryAfter(limiter, refusals),
  ].filter((fault) => fault !== null);
  const why = faults.map((fault) => fault.why);
  if (faults.length === 0) return { kind: 'sound' };
  const shown = faults.filter(({ shows }) => shows);
  return shown.length > 0 ? { kind: 'broken', why, of: new Set(shown.map(({ of }) => of)) } : { kind: 'free', why };
}
