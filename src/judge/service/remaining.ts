import { keyName, spanOf, type ClientExchange } from '../../wire/exchange/client-exchange.js';
import { answerHeader } from '../../wire/exchange/headers.js';
import { headerNumber, plainInteger, RATE_FIELDS, RATE_HEADERS } from '../../base/interface/rate-headers.js';
import { parseHttpDate } from '../../base/interface/retry-after.js';
import { kept, untried, violated, type Judgement } from '../findings/finding.js';
import { count, duration } from '../../base/kernel/format.js';
import { runsOf } from '../limits/sample.js';

export interface Served {
  readonly id: string;
  readonly key: string;
  /** Unix ms: earliest sending and latest arrival of the response. */
  readonly from: number;
  readonly to: number;
  /** The response's `Date`, Unix ms; null without one. */
  readonly date: number | null;
  readonly limit: number;
  readonly remaining: number;
}

/** The limit is for a minute (part 8, "Request rate, by plan"). A day's limit refills more slowly. */
const MINUTE_MS = 60_000;

/** Fewest served requests of a stretch: rounding and an edge of two windows explain two or three. */
const FEWEST = 5;
const MOST_NAMED = 3;

/**
 * Judges `rate-remaining-counts` by the traffic of one key: a Remaining that stays through more requests than
 * any refill explains.
 *
 * Why it cannot be wrong in the server's disfavour: other clients only lower Remaining. It can come back by
 * an even refill, which the elapsed time bounds, and in a sliding window by what was used before, which is at
 * most Limit less Remaining. The time is taken from the first sending to the last response, or from the first
 * `Date` to the last where these contradict it: a recorder's clock may be set back. So only more requests
 * than both together can bring back show a fault.
 *
 * @param served all served requests of the key, in any order
 */
export function remainingCounts(served: readonly Served[]): readonly Judgement[] {
  const ordered = oneByOne(served.toSorted((one, other) => one.from - other.from));
  const isSameLimit = (one: Served, next: Served): boolean => one.limit === next.limit;
  const stuck = runsOf(
    ordered,
    (one, next) => isSameLimit(one, next) && next.remaining === one.remaining,
  ).find(isBeyondRefill);
  const [first] = stuck ?? [];
  if (stuck && first)
    return [
      violated(
        stuck.slice(0, MOST_NAMED),
        [
          `${RATE_HEADERS.remaining} stayed at ${first.remaining} over ${count(stuck.length)} served requests`,
          `in ${duration(elapsedOf(stuck))}`,
        ].join(' '),
        {
          expected: 'one less for each request, apart from refill',
          actual: `${first.remaining} each time`,
          measured: { what: ['constant'] },
        },
      ),
    ];
  const falling = runsOf(
    ordered,
    (one, next) => isSameLimit(one, next) && next.remaining < one.remaining,
  ).find(isBeyondRefill);
  return falling ? [kept(falling), untried('whether it falls by exactly one (others may use the key)')] : [];
}

/** Returns requests that follow each other: what was under way together has no order. */
function oneByOne(ordered: readonly Served[]): readonly Served[] {
  let until = -Infinity;
  return ordered.filter(({ from, to }) => {
    if (from < until) return false;
    until = to;
    return true;
  });
}

/** A `Date` is cut to the second, so two of them show up to this much more or less than passed, ms. */
const CUT_MS = 1000;

function elapsedOf(run: readonly Served[]): number {
  const byClock = (run.at(-1)?.to ?? 0) - (run[0]?.from ?? 0);
  const dates = run.flatMap(({ date }) => date ?? []);
  const byDate = dates.length < 2 ? 0 : Math.max(...dates) - Math.min(...dates);
  return byDate > byClock + CUT_MS ? byDate + CUT_MS : byClock;
}

/** At 0 a bucket rounds down, and may serve on. */
function isBeyondRefill(run: readonly Served[]): boolean {
  const [first] = run;
  if (run.length < FEWEST || first === undefined || first.remaining === 0) return false;
  const usedBefore = Math.max(0, first.limit - 1 - first.remaining);
  return run.length - 1 > (first.limit * elapsedOf(run)) / MINUTE_MS + 1 + usedBefore;
}

/**
 * Returns the time and figures of a served response; null without usable ones, or a key. A shared cache
 * replays figures.
 */
export function servedOf(exchange: ClientExchange): Served | null {
  const span = spanOf(exchange.times);
  const [limit = null, remaining = null] = [RATE_FIELDS.limit, RATE_FIELDS.remaining].map((name) =>
    plainInteger(headerNumber(answerHeader(exchange, name))),
  );
  const key = isOfOneKey(exchange) ? keyName(exchange.credential.key) : null;
  if (span === null || key === null || limit === null || remaining === null) return null;
  if (answerHeader(exchange, 'age') !== null) return null;
  const date = parseHttpDate(answerHeader(exchange, 'date') ?? '');
  return { id: exchange.id, key, from: span.from, to: span.to + span.resolutionMs, date, limit, remaining };
}

/** A mask may stand for several keys, except ours, which names the plan. */
const isOfOneKey = ({ credential: { key } }: ClientExchange): boolean =>
  key.kind !== 'masked' || OUR_MASK.test(key.mask);

const OUR_MASK = /^\$(?:PETSTORE_[A-Z]+|UNKNOWN)_KEY/;
