import { minuteMs } from './bounds.js';
import { plainInteger } from './headers/header-number.js';
import { readRetryAfter } from './headers/retry-after.js';
import type { Figures } from './series.js';
import { speaksOfDay, wasRefused, type Sample } from './sample.js';

/** A wait of whole seconds may be rounded up by one. */
const ROUNDED_UP_MS = 1000;

/** Statuses with which a ban is answered: 403 is common, 401 says that the key is no good. */
export const refusesKey = ({ status }: Sample): boolean => status === 401 || status === 403;

/**
 * Whether an answer looks like that of a ban: the key itself is refused, or a 429 speaks of a wait that no window of the
 * plan explains, or says in the same breath that requests are left.
 */
export function looksBanned(answer: Sample, figures: Figures): boolean {
  if (refusesKey(answer)) return true;
  if (!wasRefused(answer) || speaksOfDay(answer, figures)) return false;
  const after = readRetryAfter(answer.retryAfter);
  const tooLong = after.kind === 'seconds' && after.seconds * 1000 > minuteMs(figures) + ROUNDED_UP_MS;
  return tooLong || (plainInteger(answer.remaining) ?? 0) >= 1;
}

/** Whether an answer is that of a ban, known how the limit itself refused: a 429 that looks as that one is the limit's. */
export const isBan = (answer: Sample, limitRefusal: Sample, figures: Figures): boolean =>
  refusesKey(answer) || (looksBanned(answer, figures) && !looksBanned(limitRefusal, figures));
