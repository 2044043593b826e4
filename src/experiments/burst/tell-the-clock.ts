import type { Sample } from '../../limits/sample.js';
import type { Lab } from '../../load/lab.js';
import type { KeySession } from '../../load/key-session.js';
import { halvingAt } from './refusal-phase.js';

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
