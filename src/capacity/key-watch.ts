import type { PlanFigures } from '../contract/plans.js';
import type { Windows } from './allowance.js';

/** What is sent with one key, so that a 429 can be told from one that the plan allows. */
export interface KeyWatch {
  /** A request leaves; Unix ms of a clock that never goes back. Says what `isBeyond` would of a refusal that came at once. */
  sent(at: number): boolean;
  /**
   * Whether a refusal that comes now, of a request that left at this moment, is the limit's own: more than the plan allows
   * left within the window until now, some of which may have overtaken it, or the key was told to wait and has not.
   */
  isBeyond(sentAt: number): boolean;
  /** Whether a refusal beyond the allowance was seen and its wait is not over. */
  isHeld(at: number): boolean;
  /** A refusal beyond the allowance was seen: what follows while it lasts is not the client's affair, nor the server's fault. */
  refused(at: number, retryAfterMs: number): void;
  /** A 429 came, whatever explains it; null where it says no wait. */
  told(at: number, retryAfterMs: number | null): void;
  /** Whether a 429 asked for a wait that is not over; never where the run is to go beyond the limit. */
  isToWait(at: number): boolean;
}

/** A window is counted in pieces of so many ms at most, and one more than it has: clocks and ways differ by as much. */
const PIECE_MS = 50;
/** A short window has as many pieces at least. */
const PIECES = 200;

/**
 * Watches a key. After a refusal a limiter may hold a key for another window, or longer where it says so.
 * @param overLimit whether the run keeps to what the plan allows, and so waits where a 429 asks for it
 */
export function watchKey(
  { perMinute, perDay }: PlanFigures,
  windows: Windows,
  overLimit: 'refuse' | 'allow' = 'allow',
): KeyWatch {
  const windowMs = windows.minute * 1000;
  const pieceMs = Math.min(PIECE_MS, windowMs / PIECES);
  /** Requests by piece of time, a ring. */
  const ring = Array.from({ length: Math.ceil(windowMs / pieceMs) + 1 }, () => 0);
  let last = Number.NEGATIVE_INFINITY;
  let inRing = 0;
  let total = 0;
  let heldUntil = Number.NEGATIVE_INFINITY;
  let waitUntil = Number.NEGATIVE_INFINITY;

  const forward = (at: number): void => {
    const piece = Math.floor(at / pieceMs);
    for (let next = Math.max(last + 1, piece - ring.length + 1); next <= piece; next += 1) {
      const place = next % ring.length;
      inRing -= ring[place] ?? 0;
      ring[place] = 0;
    }
    last = Math.max(last, piece);
  };
  const isBeyond = (sentAt: number): boolean => inRing > perMinute || total > perDay || sentAt <= heldUntil;
  return {
    sent(at) {
      forward(at);
      const place = last % ring.length;
      ring[place] = (ring[place] ?? 0) + 1;
      inRing += 1;
      total += 1;
      return isBeyond(at);
    },
    isBeyond,
    isHeld: (at) => at <= heldUntil,
    refused(at, retryAfterMs) {
      heldUntil = Math.max(heldUntil, at + Math.max(windowMs, retryAfterMs));
    },
    told(at, retryAfterMs) {
      if (overLimit === 'refuse') waitUntil = Math.max(waitUntil, at + (retryAfterMs ?? windowMs));
    },
    isToWait: (at) => at < waitUntil,
  };
}
