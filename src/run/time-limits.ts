import { LONGEST_TIMER_MS } from '../base/kernel/longest-timer.js';
import type { Target } from '../wire/targets/target.js';

/** Factor of the planned time for a slow target, a used-up rate limit and retries. */
const TIMES = 2;
/** Windows that a run may wait out because others used them up, in minutes of the plan. */
const WINDOWS = 10;
/** For a target that takes a few seconds for each response to the suites, s. */
const SLOWNESS_SECONDS = 300;

/**
 * Returns the maximum duration of a run in seconds, whatever the target makes it wait for.
 *
 * @param planned seconds of the run without delays
 */
export const mostSeconds = (planned: number, { windows }: Pick<Target, 'windows'>): number =>
  Math.ceil(TIMES * planned + WINDOWS * windows.minute + SLOWNESS_SECONDS);

/**
 * Windows that a load run may wait out: until the Reset of one that was used, and one more, for a sliding
 * window. A key that others use up again and again has none left for a load.
 */
const USED_WINDOWS = 2;
/** Responses that it may wait for: the first, one after each of these windows, and the last of the scenario. */
const AWAITED_ANSWERS = USED_WINDOWS + 2;
/** For other work of this machine: loading, writing and background load, s. */
const OWN_SECONDS = 10;

/**
 * Returns the maximum duration of a load run in seconds: preflight, the scenario, and its last responses.
 *
 * @param scenarioMs from now to the end of its last phase
 */
export const mostLoadSeconds = (
  scenarioMs: number,
  { windows, http }: Pick<Target, 'windows' | 'http'>,
): number =>
  Math.ceil(
    (scenarioMs + AWAITED_ANSWERS * http.timeoutMs) / 1000 + USED_WINDOWS * windows.minute + OWN_SECONDS,
  );

/**
 * Returns the maximum duration of own suites in seconds: enough for slow ones, and for some that wait for the
 * rate limit.
 */
export const mostOwnSeconds = ({ windows }: Pick<Target, 'windows'>): number =>
  Math.ceil(SLOWNESS_SECONDS + (WINDOWS / 2) * windows.minute);

export type TimeLimit = ReturnType<typeof withTimeLimit>;

export function withTimeLimit(signal: AbortSignal) {
  const own = new AbortController();
  const ended = AbortSignal.any([signal, own.signal]);
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let over: number | null = null;
  return {
    /** Aborted by the caller, or when the time is over. */
    signal: ended,
    /** Sets the time limit, from its creation. */
    within: (seconds: number): void => {
      const left = Math.max(0, seconds * 1000 - (performance.now() - startedAt));
      timer = setTimeout(
        () => {
          if (ended.aborted) return;
          over = seconds;
          own.abort();
        },
        Math.min(left, LONGEST_TIMER_MS),
      );
      timer.unref();
    },
    /** Returns the time limit in seconds if it ended the run; otherwise null. */
    over: (): number | null => over,
    release: (): void => clearTimeout(timer),
  };
}
