import { DAY_MS } from '../../base/kernel/day.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { integerOf, isObject, member } from '../../base/kernel/json.js';
import { kept, violated, type Judgement } from '../findings/finding.js';
import { CLOCK_GRACE_MS } from '../limits/headers/reset-fault.js';
import { errorMembers } from '../../base/interface/resources.js';
import { LONGEST_BAN_MS, parseHttpDate, readRetryAfter, waitOf } from '../../base/interface/retry-after.js';
import { bodyOf, type Judging } from '../checks/layers.js';

const EXPECTED = 'Retry-After in whole seconds (0 or more) or as an HTTP date, at most a day away';

/**
 * Judges `rate-retry-after-present` by the headers of one 429; null where its time cannot be placed.
 *
 * @param mayBeBan false if the key was certainly not banned
 */
export function hasRetryAfter(
  { retryAfter, date }: { readonly retryAfter: string | null; readonly date: string | null },
  mayBeBan: boolean,
  shown: readonly Exchange[],
): Judgement | null {
  const after = readRetryAfter(retryAfter);
  const fault = (message: string, actual: string, what: string): Judgement =>
    violated(shown, message, { expected: EXPECTED, actual, measured: { what: [what] } });
  if (after.kind === 'absent') return fault('a 429 has no Retry-After', 'none', 'absent');
  const actual = `Retry-After: ${retryAfter}`;
  if (after.kind === 'invalid')
    return fault('a 429 has a Retry-After that no client can read', actual, 'invalid');
  const waitMs = waitOf({ retryAfter, date: parseHttpDate(date ?? '') });
  if (waitMs === null) return null;
  return waitMs > (mayBeBan ? LONGEST_BAN_MS : DAY_MS) + CLOCK_GRACE_MS
    ? fault('a 429 has a Retry-After that is too far away', actual, 'too-far')
    : kept(shown);
}

/** Part 8 promises no body for 429. If there is an Error of part 2, it is complete and has status 429. */
export function hasErrorBody(refusal: Exchange, { validator }: Judging): boolean {
  const body = bodyOf(refusal);
  if (refusal.operation === null || !isObject(body)) return false;
  const isError = validator.validate(refusal.operation, REFUSED, body).length === 0;
  return isError && integerOf(member(body, 'status')) === BigInt(REFUSED);
}

const REFUSED = 429;

/** Judges `rate-429-error-body`: a 429 should have an Error, though no operation declares it. */
export const isError = (refusal: Exchange, judging: Judging): Judgement =>
  hasErrorBody(refusal, judging)
    ? kept([refusal])
    : violated([refusal], 'a 429 has no Error body', {
        expected: `an Error body: ${errorMembers.join(', ')}`,
        actual: 'another body',
      });
