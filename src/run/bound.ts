import { MAX_PATIENCE } from '../probes/patience.js';
import type { Target } from '../targets/target.js';

/** A slow target, a limit that others have used up, and an answer that is waited for again may double what was planned. */
const TIMES = 2;
/** Minutes of the plan (its windows, however short) that a run may wait out because somebody else has used them up. */
const WINDOWS = 10;
/** For a target that takes a few seconds for each answer of the suites, s. */
const SLOWNESS_SECONDS = 300;

/**
 * The longest that a run takes, in seconds from its start: whatever a target makes it wait for, it is cut short then. So that
 * nobody waits for nothing, it is said before.
 * @param planned seconds that the run is going to take where nothing holds it up
 */
export const mostSeconds = (planned: number, { windows }: Pick<Target, 'windows'>): number =>
  Math.ceil(TIMES * planned + WINDOWS * windows.minute + SLOWNESS_SECONDS);

/** Responses that the preflight of a load run may wait for: the first, and one after each limit that it waits out. */
const FIRST_ANSWERS = MAX_PATIENCE + 1;
/** Windows that an earlier run may have used: until its Reset, and one more. */
const USED_WINDOWS = 2;
/** For what this machine does besides: loading, writing, and being busy with other things, s. */
const OWN_SECONDS = 10;

/**
 * The longest that a load run takes, in seconds: preflight, the scenario's own time, and its last answers.
 * @param scenarioMs from now to the end of its last phase
 */
export const mostLoadSeconds = (scenarioMs: number, { windows, http }: Pick<Target, 'windows' | 'http'>): number =>
  Math.ceil(
    (scenarioMs + (FIRST_ANSWERS + 1) * http.timeoutMs) / 1000 +
      (FIRST_ANSWERS + USED_WINDOWS) * windows.minute +
      OWN_SECONDS,
  );

/** The longest that own suites take, in seconds: enough for slow ones, and for some that wait for the limit. */
export const mostOwnSeconds = ({ windows }: Pick<Target, 'windows'>): number =>
  Math.ceil(SLOWNESS_SECONDS + (WINDOWS / 2) * windows.minute);

/** The signal of a run that ends by itself. */
export interface Bounded {
  /** Aborted by whoever started the run, or when its time is over. */
  readonly signal: AbortSignal;
  /** Says how long it may take, from the making of this on. */
  readonly within: (seconds: number) => void;
  /** Whether its time, and nobody, has ended it; how long that was, in seconds. */
  readonly over: () => number | null;
  readonly release: () => void;
}

/** The longest that a timer of Node waits; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Ends with a signal, or by itself. */
export function bounded(signal: AbortSignal): Bounded {
  const own = new AbortController();
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let over: number | null = null;
  const breakOff = (): void => own.abort(signal.reason);
  if (signal.aborted) breakOff();
  signal.addEventListener('abort', breakOff, { once: true });
  return {
    signal: own.signal,
    within: (seconds) => {
      const left = Math.max(0, seconds * 1000 - (performance.now() - startedAt));
      timer = setTimeout(
        () => {
          if (own.signal.aborted) return;
          over = seconds;
          own.abort();
        },
        Math.min(left, MAX_TIMER_MS),
      );
      timer.unref();
    },
    over: () => over,
    release: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', breakOff);
    },
  };
}
