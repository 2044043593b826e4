import { leftBy, type Sample, wasRefused, wasServed } from '../../../judge/limits/sample.js';
import type { Lab } from '../../load/lab.js';
import type { KeySession } from '../../load/key-session.js';
import { sinkOf } from '../open-series.js';
import { halvingAt } from '../../../judge/limits/refusal-phase.js';
import { resetTime } from '../../../judge/limits/clock.js';
import { retryAt } from '../../../judge/limits/waits.js';

/** Waits, if that lets the next request show more of the server's clock (`halvingAt`). */
export async function learnClock(
  own: Sample,
  left: number | null,
  { figures, key }: Pick<KeySession, 'figures' | 'key'>,
  lab: Pick<Lab, 'pause' | 'now' | 'clock'>,
): Promise<void> {
  const at = halvingAt(own, left, { figures, now: lab.now(), clock: lab.clock() });
  if (at !== null) await lab.pause(at, `the start of a server second, for the ${key} plan`);
}

/** Slack for a Reset or Retry-After rounded to seconds, ms. */
const ROUNDED_MS = 1050;

/** Share left at the start, below which a fresh window is worth a wait. */
export const ENOUGH_LEFT = 0.9;

/**
 * Sends one request. If its window is used, `freshAt` is the start of a fresh one, Unix ms; null if no wait
 * is needed.
 */
export async function firstAnswer(session: KeySession, lab: Lab) {
  const { figures, key } = session;
  const latest = session.samples().at(-1);
  const isRefused = latest !== undefined && wasRefused(latest);
  // Nothing judges this wait, so it allows for a Retry-After that was rounded down.
  const at = isRefused ? retryAt(latest, figures, lab.clock()).at + ROUNDED_MS : null;
  if (at !== null) await lab.pause(at, `Retry-After on the ${key} plan`);
  const sink = sinkOf('burst', figures);
  const answer = await session.ask('listPets', sink);
  const left = leftBy(answer, figures);
  const isUsed = wasServed(answer) && left !== null && left < ENOUGH_LEFT * figures.perMinute;
  // A key that gets 429 again after its wait stays refused.
  const isWorthIt = !isRefused && (wasRefused(answer) || isUsed);
  return { samples: sink.samples, freshAt: isWorthIt ? freshAtBy(answer, session, lab) : null };
}

/** Returns the first success in a fresh window, after at most one wait; null without one. */
export async function freshAnswer(session: KeySession, lab: Lab): Promise<Sample | null> {
  const first = await firstAnswer(session, lab);
  const waits =
    first.freshAt !== null && (await lab.pause(first.freshAt, `the ${session.key} plan's window`));
  const last = (waits ? await firstAnswer(session, lab) : first).samples.at(-1);
  return last !== undefined && wasServed(last) ? last : null;
}

/** Start of a fresh window, at most two windows from now; null if no header shows it. */
function freshAtBy(answer: Sample, { figures }: KeySession, { clock }: Lab): number | null {
  const latest = answer.answeredAt + 2 * figures.minuteSeconds * 1000;
  const after = wasRefused(answer) ? Number.parseInt(answer.retryAfter ?? '', 10) * 1000 : Number.NaN;
  const waitEnd = Number.isNaN(after) ? 0 : answer.answeredAt + after + ROUNDED_MS / 2;
  const reset = resetTime(answer, clock());
  if (reset === null && waitEnd === 0) return null;
  return Math.min(latest, Math.max(waitEnd, (reset?.latest ?? 0) + ROUNDED_MS));
}
