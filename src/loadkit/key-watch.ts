import type { PlanFigures } from '../base/interface/plans.js';
import { MOST_REFUSED } from '../judge/limits/asked.js';
import type { Target } from '../wire/targets/target.js';

/** Longest piece of a window, ms. A window has one piece more, since clocks and latency differ by as much. */
const PIECE_MS = 50;
const PIECES = 200;

/**
 * First step by which a wait grows if the request after it is refused too, ms; it doubles (part 8, "Exceeding
 * the limit").
 */
const FIRST_STEP_MS = 250;

export type KeyWatch = ReturnType<typeof watchKey>;

/**
 * Watches the requests of a key, to distinguish a 429 within the plan from one beyond it. After a 429 a
 * limiter may hold a key for another window, or for its wait.
 *
 * @param overLimit whether the run keeps to the plan, and so waits if a 429 demands it
 */
export function watchKey(
  { perMinute, perDay }: PlanFigures,
  windows: Target['windows'],
  overLimit: 'refuse' | 'allow' = 'allow',
) {
  const windowMs = windows.minute * 1000;
  const pieceMs = Math.min(PIECE_MS, windowMs / PIECES);
  /** Ring of request counts by piece of time. */
  const ring = Array.from({ length: Math.ceil(windowMs / pieceMs) + 1 }, () => 0);
  let last = Number.NEGATIVE_INFINITY;
  let inRing = 0;
  let total = 0;
  let heldUntil = Number.NEGATIVE_INFINITY;
  let waitUntil = Number.NEGATIVE_INFINITY;
  /** 429s since the last success, and when the latest came; only if the run keeps to the plan. */
  let refusals = 0;
  let refusedAt = Number.NEGATIVE_INFINITY;
  /** True while the one request after a wait is open: its response decides whether others follow. */
  let isTrying = false;
  /**
   * Waits in a row whose next request was refused too. A Retry-After that was rounded down is 0 in its last
   * second.
   */
  let vainWaits = 0;

  const forward = (at: number): void => {
    const piece = Math.floor(at / pieceMs);
    for (let next = Math.max(last + 1, piece - ring.length + 1); next <= piece; next += 1) {
      const place = next % ring.length;
      inRing -= ring[place] ?? 0;
      ring[place] = 0;
    }
    last = Math.max(last, piece);
  };
  /**
   * Is true if a 429 that comes now, for a request sent at `sentAt`, is justified. Either more than the plan
   * allows left within the window until now (some may have overtaken it), or the key ignored a wait.
   */
  const isBeyond = (sentAt: number): boolean => inRing > perMinute || total > perDay || sentAt <= heldUntil;
  return {
    /** Notes a departing request; Unix ms, never decreasing. Returns `isBeyond` for an immediate 429. */
    sent(at: number): boolean {
      forward(at);
      const place = last % ring.length;
      ring[place] = (ring[place] ?? 0) + 1;
      inRing += 1;
      total += 1;
      isTrying ||= refusals > 0 && at >= waitUntil;
      return isBeyond(at);
    },
    /** Notes a response that is no 429, or its absence, for a request sent at `sentAt`. */
    answered(sentAt: number, isServed: boolean): void {
      if (refusals === 0 || sentAt < refusedAt) return;
      isTrying = false;
      if (!isServed) return;
      refusals = 0;
      vainWaits = 0;
    },
    isBeyond,
    /** Is true if a 429 beyond the limit came and its wait is not over. */
    isHeld: (at: number): boolean => at <= heldUntil,
    /**
     * Notes a 429 beyond the limit: responses during its wait are neither the client's nor the server's
     * fault.
     */
    refused(at: number, retryAfterMs: number): void {
      heldUntil = Math.max(heldUntil, at + Math.max(windowMs, retryAfterMs));
    },
    /** Notes any 429; `retryAfterMs` is null if it names no wait. */
    told(at: number, retryAfterMs: number | null): void {
      if (overLimit !== 'refuse') return;
      if (isTrying) vainWaits += 1;
      const step = vainWaits === 0 ? 0 : Math.min(windowMs, FIRST_STEP_MS * 2 ** (vainWaits - 1));
      waitUntil = Math.max(waitUntil, at + (retryAfterMs ?? windowMs) + step);
      refusals += 1;
      refusedAt = at;
      isTrying = false;
    },
    /**
     * Is true if a 429 demands a wait that is not over, or if the one request after it has no response yet.
     * Also true after `MOST_REFUSED` refusals in a row; never if the run may exceed the limit.
     */
    isToWait: (at: number): boolean => at < waitUntil || isTrying || refusals >= MOST_REFUSED,
  };
}
