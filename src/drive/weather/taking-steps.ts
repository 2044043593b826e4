import { setTimeout as pause } from 'node:timers/promises';
import { HELD_BACK_MS } from '../../judge/clients/rests.js';
import type { Clock } from './recorded-server.js';
import type { Step, Weather } from './weather.js';
import { untilLate } from './steps.js';

/** Longest wait for the rest of a group, ms. Clients that send four together were seen to take up to 45 ms. */
const TOGETHER_MS = 500;
/** How long a refusal is held back, ms: a little more than the judge needs, because a timer may fire early. */
const HOLD_MS = HELD_BACK_MS + 10;

/**
 * Returns a function that resolves with the step of the next request, once its answer is due; null for a request that is served.
 * Refusals are held back a little, so that what a client sends together arrives before the first answer. A ban is for going on
 * after a refusal, so a request that arrives before the refusal is written gets that one too: a client may drop the rest of what
 * it sent together, and never read a ban.
 */
export function takingSteps({ steps, operations, together }: Weather, clock: Clock) {
  let taken = 0;
  let heldBack = 0;
  const company = gathering(steps.length);
  return async (operation: string): Promise<Step | null> => {
    if (operations && !(operations as readonly string[]).includes(operation)) return null;
    const isBeforeBan = steps[taken]?.kind === 'ban' && heldBack > 0;
    const step = isBeforeBan ? steps[taken - 1] : steps[taken];
    if (step === undefined) return null;
    if (together) {
      if (!(await company())) return null;
      taken = steps.length;
      return step;
    }
    if (!isBeforeBan) taken += 1;
    if (step.kind === 'refuse' || step.kind === 'ban') {
      heldBack += 1;
      await pause(HOLD_MS + untilLate(step, clock() + HOLD_MS));
      heldBack -= 1;
    }
    return step;
  };
}

/**
 * Returns a function that resolves once a request's group is complete: with true if others arrived with it, up to `most` in all.
 * A request that stays alone is no group, and neither is one that comes after the group was full.
 */
function gathering(most: number): () => Promise<boolean> {
  let size = 0;
  let waiting: ((isGroup: boolean) => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const release = (): void => {
    clearTimeout(timer);
    const isGroup = size > 1;
    for (const resolve of waiting) resolve(isGroup);
    size = 0;
    waiting = [];
  };
  return () =>
    new Promise((resolve) => {
      size += 1;
      waiting.push(resolve);
      clearTimeout(timer);
      // A full group waits a little too: then what repeats a refusal could not have been called with it.
      timer = setTimeout(release, size === 1 || size >= most ? HOLD_MS : TOGETHER_MS);
    });
}
