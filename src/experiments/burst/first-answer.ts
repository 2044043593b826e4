import { type Sample, wasRefused, wasServed } from '../../limits/sample.js';
import { type Lab, leftBy, sinkOf } from '../../load/lab.js';
import type { KeySession } from '../../load/key-session.js';
import { halvingAt } from './refusal-phase.js';
import { resetTime } from '../../limits/clock.js';
import { retryAt } from '../recovery/waits.js';

/** Waits, where the next request should tell more of the server's clock (`halvingAt`). */
export async function tellTheClock(
  own: Sample,
  left: number | null,
  { figures, key }: Pick<KeySession, 'figures' | 'key'>,
  lab: Pick<Lab, 'pause' | 'now' | 'clock'>,
): Promise<void> {
  const at = halvingAt(own, left, { figures, now: lab.now(), clock: lab.clock() });
  if (at !== null) await lab.pause(at, `the server's second, for the ${key} plan`);
}

/** With less than this share left at the start, a fresh window is worth waiting for. */
export const ENOUGH_LEFT = 0.9;

/** The first answer of a burst, and when a fresh window begins where this one is used already. */
export interface FirstAnswer {
  readonly before: readonly Sample[];
  readonly samples: readonly Sample[];
  /** Null where nothing need be waited for. Unix ms. */
  readonly freshAt: number | null;
}

/** Asks once, and tells whether a fresh window is worth waiting for. */
export async function firstAnswer(session: KeySession, lab: Lab): Promise<FirstAnswer> {
  const { figures, key } = session;
  const told = session.samples().at(-1);
  const isRefused = told !== undefined && wasRefused(told);
  if (isRefused) await lab.pause(retryAt(told, figures, lab.clock()).at, `Retry-After on the ${key} plan`);
  const sink = sinkOf('burst', figures);
  const answer = await session.ask('listPets', sink);
  const left = leftBy(answer, figures);
  const isUsed = wasServed(answer) && left !== null && left < ENOUGH_LEFT * figures.perMinute;
  // A key that is refused again after it has waited is not going to be served.
  const isWorthIt = !isRefused && (wasRefused(answer) || isUsed);
  return { before: [], samples: sink.samples, freshAt: isWorthIt ? freshAtBy(answer, session, lab) : null };
}

/** A served answer of a key whose window is fresh, waited for once where it has to be; null where there is none. */
export async function freshAnswer(session: KeySession, lab: Lab): Promise<Sample | null> {
  const first = await firstAnswer(session, lab);
  const waits = first.freshAt !== null && (await lab.pause(first.freshAt, `the ${session.key} plan's window`));
  const last = (waits ? await firstAnswer(session, lab) : first).samples.at(-1);
  return last !== undefined && wasServed(last) ? last : null;
}

/** Past Reset a second may be missing to rounding. */
const ROUNDED_MS = 1050;

/** When a window that is used already ought to be over, at most two windows from now; null where nothing tells. */
function freshAtBy(answer: Sample, { figures }: KeySession, { clock }: Lab): number | null {
  const latest = answer.answeredAt + 2 * figures.minuteSeconds * 1000;
  const after = wasRefused(answer) ? Number.parseInt(answer.retryAfter ?? '', 10) * 1000 : Number.NaN;
  const told = Number.isNaN(after) ? 0 : answer.answeredAt + after + ROUNDED_MS / 2;
  const reset = resetTime(answer, clock());
  if (reset === null && told === 0) return null;
  return Math.min(latest, Math.max(told, (reset?.latest ?? 0) + ROUNDED_MS));
}
