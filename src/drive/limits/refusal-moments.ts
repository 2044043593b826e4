import { isLongBySeconds, ROUNDED_UP_MS, type Figures } from '../../judge/limits/bounds.js';

/**
 * Moments of a refusal within the seconds since its burst began, ms. Half a second late a wait rounded to the
 * nearest second is too short, whose window begins with its first request; two thirds apart, for one that
 * begins with the server's clock.
 */
const MOMENTS_MS = [550, 883, 217] as const;

/** Returns when to send a request that should be refused, Unix ms: now, or within a second. */
export function momentAfter(now: number, began: number, place: number, figures: Figures): number {
  // Within a short window, waiting for a moment would bring requests back.
  if (!isLongBySeconds(figures)) return now;
  const due = began + (MOMENTS_MS[place % MOMENTS_MS.length] ?? 0);
  const late = (((now - due) % ROUNDED_UP_MS) + ROUNDED_UP_MS) % ROUNDED_UP_MS;
  return now + ((ROUNDED_UP_MS - late) % ROUNDED_UP_MS);
}
