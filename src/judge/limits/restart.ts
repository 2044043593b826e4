import { resetTime } from './clock.js';
import { wasServed } from './sample.js';
import type { KeyRun } from './key-run.js';
import { leftOf } from './left.js';

/** Answers of parallel requests come in any order: so many may be used by the first of them. */
const OVERTAKEN = 8;
/** A rise of Remaining by as many is no single return. */
const JUMP = 3;
/** Reset is in whole seconds, and a server's clock is known to a second, ms. */
const SOONER_MS = 2000;
/** Keys come back at the same moment, each with its next request: so long after one another, ms. */
const TOGETHER_MS = 10_000;
/** With one key alone, its window may be shorter than Reset says. */
const FEWEST_KEYS = 2;

/**
 * Returns when the server was restarted, Unix ms; null if nothing shows it. The allowance of all keys was
 * whole again, once and at the same moment, clearly before the Reset that was announced. A window that is too
 * short begins anew again and again.
 */
export function restartOf(runs: readonly KeyRun[]): number | null {
  const anew = runs.map(wholeAgain);
  const [first] = anew;
  if (runs.length < FEWEST_KEYS || first === undefined || anew.some(({ length }) => length !== 1))
    return null;
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
    const isWhole = to >= limit - OVERTAKEN && to > from + JUMP;
    return isWhole && reset.earliest > now.answeredAt + SOONER_MS ? [now.answeredAt] : [];
  });
}

/** Words it: "a restart of the server (Remaining of all keys was whole again at 12:00:05 UTC)". */
export const restartText = (at: number): string =>
  `a restart of the server (Remaining of all keys was whole again at ${new Date(at)
    .toISOString()
    .slice('2026-01-01T'.length, '2026-01-01T12:00:05'.length)} UTC)`;
