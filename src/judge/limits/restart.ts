import { BOTH_ROUNDED_MS, FEWEST, OVERTAKEN } from './bounds.js';
import { resetTime } from './clock.js';
import { wasServed } from './sample.js';
import type { KeyRun } from './key-run.js';
import { leftOf } from './left.js';

/** Keys come back at the same moment, each with its next request: so long after one another, ms. */
const TOGETHER_MS = 10_000;

/**
 * Returns when the server was restarted, Unix ms; null if nothing shows it. The allowance of all keys was
 * whole again, once and at the same moment, clearly before the Reset that was announced. A window that is too
 * short begins anew again and again.
 */
export function restartOf(runs: readonly KeyRun[]): number | null {
  const anew = runs.map(wholeAgain);
  const [first] = anew;
  // With one key alone, its window may be shorter than Reset says.
  if (runs.length < 2 || first === undefined || anew.some(({ length }) => length !== 1)) return null;
  const at = anew.flat();
  return Math.max(...at) - Math.min(...at) < TOGETHER_MS ? Math.min(...at) : null;
}

/** Returns the times at which Remaining was whole again although Reset was yet to come. */
function wholeAgain({ all, figures, limit, clock }: KeyRun): readonly number[] {
  const served = all.filter(wasServed);
  return served.flatMap((now, at) => {
    const before = served[at - 1];
    if (before === undefined || before.answeredAt > now.sentAt) return [];
    const [from, to] = [leftOf(before, figures), leftOf(now, figures)];
    const reset = resetTime(before, clock);
    if (from === null || to === null || reset === null) return [];
    const isWhole = to >= limit - OVERTAKEN && to > from + FEWEST;
    // Reset is in whole seconds, and a server's clock is known to a second.
    const isSooner = reset.earliest > now.answeredAt + BOTH_ROUNDED_MS;
    return isWhole && isSooner ? [now.answeredAt] : [];
  });
}

/** Words it: "a restart of the server (Remaining of all keys was whole again at 12:00:05 UTC)". */
export const restartText = (at: number): string =>
  `a restart of the server (Remaining of all keys was whole again at ${new Date(at)
    .toISOString()
    .slice('2026-01-01T'.length, '2026-01-01T12:00:05'.length)} UTC)`;
