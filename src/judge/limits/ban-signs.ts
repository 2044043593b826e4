import { minuteMs, ROUNDED_UP_MS, type Figures } from './bounds.js';
import { plainInteger } from '../../base/interface/rate-headers.js';
import { CLOCK_GRACE_MS } from './headers/reset-fault.js';
import { readRetryAfter, waitOf } from '../../base/interface/retry-after.js';
import { wasRefusedByMinute, type Sample } from './sample.js';

/**
 * Is true for the usual status of a ban. 401 says that the key is invalid: it may have been withdrawn
 * meanwhile.
 */
export const isForbidden = ({ status }: Sample): boolean => status === 403;

export const refusesKey = (sample: Sample): boolean => sample.status === 401 || isForbidden(sample);

/**
 * Is true if a response looks like a ban. The key itself is refused, a 429 asks for a wait that no window of
 * the plan explains, or a 429 says that requests are left.
 */
export function looksBanned(answer: Sample, figures: Figures): boolean {
  if (refusesKey(answer)) return true;
  if (!wasRefusedByMinute(answer, figures)) return false;
  // A date is read against the response's own Date, which may be older.
  const slackMs = readRetryAfter(answer.retryAfter).kind === 'date' ? CLOCK_GRACE_MS : ROUNDED_UP_MS;
  const tooLong = (waitOf(answer) ?? 0) > minuteMs(figures) + slackMs;
  return tooLong || (plainInteger(answer.remaining) ?? 0) >= 1;
}

/** A 429 that looks like the limit's own 429 is no ban. */
export const isBan = (answer: Sample, limitRefusal: Sample, figures: Figures): boolean =>
  refusesKey(answer) || (looksBanned(answer, figures) && !looksBanned(limitRefusal, figures));
