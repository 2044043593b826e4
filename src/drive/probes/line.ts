import { isOutgrown } from '../../judge/checks/layers.js';
import { now, waitUntil } from '../../wire/exchange/connection.js';
import type { RequestSpec } from '../../wire/exchange/request-spec.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { retryPatiently, type Patience } from './patience.js';
import type { Pause } from './waits.js';

/** Requests without a response in a row that end all sending, because each may cost a whole timeout. */
export const MOST_SILENCE = 3;

export interface LineOptions {
  /** Most requests of the account. */
  readonly most: number;
  readonly spent?: number;
  readonly counts: (spec: RequestSpec) => boolean;
  /** Returns how many requests of the account an exchange took. */
  readonly costOf: (exchange: Exchange) => number;
  /**
   * Sends a request once, on a new connection if `fresh`. `lane` is the connection of one of several parallel
   * requests.
   */
  readonly send: (spec: RequestSpec, fresh: boolean, lane: number) => Promise<Exchange>;
  /** Most parallel requests; 1 by default. */
  readonly lanes?: number;
  /** Length of the plan's minute on this target, ms. */
  readonly windowMs: number;
  readonly onPause?: ((pause: Pause) => void) | undefined;
  /** Interrupts a pause, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** True if no response came; one that cannot be read is a response, too. */
const isSilent = (exchange: Exchange): boolean => {
  const { answer } = exchange;
  return (
    answer.kind === 'none' &&
    answer.code !== 'bad-encoding' &&
    answer.code !== 'too-large' &&
    // The request was longer than any server must accept.
    !isOutgrown(exchange)
  );
};

/**
 * Opens a line to the target. It keeps an account with a fixed maximum, waits out 429, 502, 503 and 504, and
 * knows when the target no longer responds. What a user does then differs: suites throw, exploring ends.
 */
export function openLine({
  most,
  counts,
  costOf,
  send,
  lanes = 1,
  windowMs,
  onPause,
  signal,
  ...options
}: LineOptions) {
  let { spent = 0 } = options;
  let silence = 0;

  async function pause(what: Pause): Promise<void> {
    onPause?.(what);
    await waitUntil(now() + what.ms, signal);
  }

  const affords = (requests: number): boolean => spent + requests <= most;

  return {
    affords,
    pause,
    spent: (): number => spent,
    async sendOnce(spec: RequestSpec, { fresh = false, lane = 0 } = {}): Promise<Exchange> {
      const own = counts(spec) ? 1 : 0;
      // A kept connection may break under a request, which is then sent twice. On a new one it is only if this
      // machine stood still meanwhile: the account may then be exceeded by one, as a lost request shows nothing.
      const isLast = own > 0 && !affords(2 * lanes);
      // Counted before it leaves, for parallel requests.
      spent += own;
      const exchange = await send(spec, fresh || isLast, lane);
      spent += costOf(exchange) - own;
      silence = isSilent(exchange) ? silence + 1 : 0;
      return exchange;
    },
    /** Sends again as long as the target asks to wait; `first` is the first response. */
    retry: (first: Exchange, how: Omit<Patience, 'pause' | 'windowMs'>) =>
      retryPatiently(first, { ...how, pause, windowMs }),
    isUnanswered: (): boolean => silence >= MOST_SILENCE,
  };
}
