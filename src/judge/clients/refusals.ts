import { type Traffic } from '../../wire/exchange/client-exchange.js';
import { answerHeader, statusOf } from '../../wire/exchange/headers.js';
import { countWhile } from '../../base/kernel/sorted.js';
import { LONGEST_BAN_MS, parseHttpDate, readRetryAfter, waitOf } from '../../base/interface/retry-after.js';
import { countingUnderWay } from './overlaps.js';
import { TIMER_SLACK_MS, type Timed } from './timing.js';

/** A 429, and how long it lets its key rest. */
export interface Refusal extends Timed {
  /** Rest after the earliest writing, ms; null without a usable Retry-After. */
  readonly restMs: number | null;
  /** Number of requests of the same key that were under way when it was written, itself included. */
  readonly underWay: number;
}

/**
 * Returns the refusals among the requests of one key that the client stayed for, in order of arrival. One
 * that gave up waiting for a response did not read it.
 */
export function refusalsAmong(requests: readonly Timed[], facts: Pick<Traffic, 'source'>): Refusal[] {
  const underWay = countingUnderWay(requests);
  return requests
    .filter(({ exchange }) => statusOf(exchange) === 429 && exchange.mayHaveLeft !== true)
    .map((each) => ({ ...each, restMs: restOf(each, facts), underWay: underWay(each) }));
}

/**
 * A `Date` is cut to the second, and sound servers sent one that was 2 s old: a wait is counted from so much
 * later, ms.
 */
const STALE_DATE_MS = 3000;

/**
 * Largest difference of the client's clock and ours on one machine, ms: our clock never steps, and the
 * calendar's may.
 */
const CLOCKS_APART_MS = 100;

/**
 * Returns the rest that a 429 demands, ms from its earliest writing; null if it names none that a client can
 * wait for. Part 8, "Exceeding the limit", 2. The reference server's date is compared with its own clock. Any
 * other date is compared with the `Date` sent with it.
 */
function restOf({ exchange, timing }: Timed, { source }: Pick<Traffic, 'source'>): number | null {
  const retryAfter = answerHeader(exchange, 'retry-after');
  const sent = parseHttpDate(answerHeader(exchange, 'date') ?? '');
  const byRecord = sent === null ? null : sent + STALE_DATE_MS;
  const date = source === 'reference' ? timing.earliestWritten + CLOCKS_APART_MS : byRecord;
  const rest = waitOf({ retryAfter, date });
  if (rest === null || rest > LONGEST_BAN_MS) return null;
  // A date that may be over asks for no certain wait.
  return rest > 0 || readRetryAfter(retryAfter).kind === 'seconds' ? rest : null;
}

/**
 * Returns the shortest wait that keeps a refusal's rest, ms; null where there is none to keep: nothing breaks
 * or keeps Retry-After: 0.
 */
export const leastWait = ({ restMs }: Refusal): number | null =>
  restMs !== null && restMs > TIMER_SLACK_MS ? restMs - TIMER_SLACK_MS : null;

/** A rest without a usable Retry-After ends when it begins. */
export const endOf = ({ timing, restMs }: Refusal): number => timing.earliestWritten + (restMs ?? 0);

/** The time in which a key has to rest: that of refusals whose rests overlap, as known when one was written. */
export interface Resting {
  /** Earliest writing of the refusals, and latest end of their rests, Unix ms. */
  readonly since: number;
  readonly until: number;
  /** Most requests under way with one of them. */
  readonly underWay: number;
}

/**
 * Returns a function that returns the time of rest that lasts at a moment; null where the key need not rest.
 *
 * @param refusals in the order of their writing
 */
export function restingAt(refusals: readonly Refusal[]): (at: number) => Resting | null {
  const known: Resting[] = [];
  for (const one of refusals) {
    const { earliestWritten } = one.timing;
    const before = known.at(-1);
    known.push(
      before === undefined || before.until <= earliestWritten
        ? { since: earliestWritten, until: endOf(one), underWay: one.underWay }
        : {
            since: before.since,
            until: Math.max(before.until, endOf(one)),
            underWay: Math.max(before.underWay, one.underWay),
          },
    );
  }
  return (at) => {
    const latest = known[countWhile(refusals, ({ timing }) => timing.earliestWritten < at) - 1];
    return latest !== undefined && at < latest.until ? latest : null;
  };
}
