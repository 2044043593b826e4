import { RATE_HEADERS } from '../../base/interface/rate-headers.js';
import { answerHeader, rateHeader, statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Measured } from '../../judge/findings/finding.js';
import { count, duration } from '../../base/kernel/format.js';
import { eachBurstGot, someBurstGot } from './limiter.js';
import { all, allMeasured, every, isRed, type Natural, type Seen } from './natural-mistake.js';

const first = ({ measured }: Seen, holds: (one: Measured) => boolean): Measured | undefined =>
  measured.find(holds);

/** Largest part that rounding down to whole seconds loses, ms, with a reserve for the network. */
const MOST_ROUNDED_MS = 1_200;

/** Unix seconds lie between these; below are seconds to go, above milliseconds. */
const UNIX_SECONDS = [1e9, 1e11] as const;

const resetOf = (exchange: Exchange): number => Number(rateHeader(exchange, 'reset') ?? Number.NaN);

/** A Reset in a sentence, without a fraction or a date. */
const RESET = new RegExp(`${RATE_HEADERS.reset}: (\\d+)(?![\\d.:-])`);

/**
 * Returns the rule that a Reset lies between two bounds, by a response or by the text of a finding, which
 * under load names no response. A date in a text begins with digits as well.
 */
const resetWithin =
  (least: number, most: number, is: string, not: string): Natural['sentence'] =>
  ({ responses, actual }) => {
    const told = actual.flatMap((text) => RESET.exec(text)?.[1] ?? []).map(Number);
    const reset = [...responses.map(resetOf), ...told].find((value) => value > least && value < most);
    return reset === undefined ? null : `Reset is ${is} (${reset}), not ${not}.`;
  };

const allNamed = (seen: Seen, what: string): boolean =>
  allMeasured(seen, (one) => one.what?.includes(what) === true);

/** A burst got one less than Remaining promised, or a lone request was refused with one left. */
const isOneTooHigh = ({ most, got, what }: Measured): boolean =>
  what?.includes('short') === true ? got !== undefined && most === got + 1 : most === 0 && got === 1;

const isOneOver = ({ most, got }: Measured): boolean => most !== undefined && got === most + 1;

/** Mistakes in rate headers and refusals that developers and frameworks make by default. */
export const LIMIT_MISTAKES: readonly Natural[] = [
  {
    name: 'rate-headers-of-the-draft',
    rows: /^rate-headers-present$/,
    sentence: all(
      (one) => answerHeader(one, 'ratelimit-limit') !== null && rateHeader(one, 'limit') === null,
      'The headers are RateLimit-*, as in the IETF’s draft, without X-',
    ),
  },
  {
    name: 'reset-in-seconds-to-go',
    rows: /^rate-headers-wellformed$/,
    sentence: resetWithin(-Infinity, UNIX_SECONDS[0], 'the number of seconds to go', 'Unix seconds'),
  },
  {
    name: 'reset-in-milliseconds',
    rows: /^rate-headers-wellformed$/,
    sentence: resetWithin(UNIX_SECONDS[1], Infinity, 'in milliseconds', 'in seconds'),
  },
  {
    name: 'no-rate-headers-on-errors',
    rows: /^rate-headers-present$/,
    sentence: ({ actual }) => {
      if (!every(actual, (text) => / with none/.test(text))) return null;
      const statuses = actual
        .flatMap((text) => /\(status ([\d, ]+)\)/.exec(text)?.[1]?.split(', ') ?? [])
        .map(Number);
      return every(statuses, (status) => status >= 400)
        ? `Only successful responses have rate headers: those with ${[...new Set(statuses)].join(', ')} have none.`
        : null;
    },
  },
  {
    name: 'no-rate-headers-on-401',
    rows: /^rate-headers-present$/,
    sentence: all(
      (one) => statusOf(one) === 401 && rateHeader(one, 'limit') === null,
      'The limiter runs after the key check, so that a 401 has no rate headers',
    ),
  },
  {
    name: 'retry-after-too-short',
    rows: /^rate-retry-after-honoured$/,
    sentence: (seen) => {
      const early = first(
        seen,
        ({ dueMs = 0, tookMs = 0 }) => dueMs > 0 && tookMs >= dueMs && tookMs - dueMs < MOST_ROUNDED_MS,
      );
      // A key that stays refused has another mistake.
      const isServedLater = seen.run.requirements.some(
        ({ id, outcome }) => id === 'rate-reset-truthful' && outcome !== 'failed',
      );
      if (early?.tookMs === undefined || early.dueMs === undefined || !isServedLater) return null;
      // Where Reset is later by more, Retry-After has another mistake.
      if (!allNamed(seen, 'fraction')) return null;
      const after = `still refused ${duration(early.tookMs - early.dueMs)} after it had passed`;
      return `Retry-After is too short, as where a fraction of a second is cut off: ${after}.`;
    },
  },
  {
    name: 'limit-one-over',
    rows: /^rate-429$/,
    sentence: (seen) => {
      const [over] = every(seen.measured, isOneOver) ? seen.measured : [];
      // With parallel requests only, it may be a race, and with one operation only, that is not limited.
      return over && someBurstGot(seen.run, 1) && !isRed(seen, 'rate-all-operations')
        ? `One request too many is allowed: ${count(over.got ?? 0)} in place of ${count(over.most ?? 0)}.`
        : null;
    },
  },
  {
    name: 'remaining-one-behind',
    rows: /^rate-remaining-counts$/,
    sentence: (seen) =>
      every(seen.measured, isOneTooHigh) && eachBurstGot(seen.run, 0)
        ? 'Remaining is one too high: it is read before the request is counted.'
        : null,
  },
  {
    name: 'refused-with-503',
    rows: /^rate-429$/,
    sentence: (seen) =>
      allMeasured(seen, ({ status }) => status === 503)
        ? 'Past the limit 503 comes in place of 429, the default of nginx.'
        : null,
  },
  {
    name: 'retry-after-in-milliseconds',
    rows: /^rate-retry-after-present$/,
    sentence: (seen) =>
      allNamed(seen, 'milliseconds') ? `Retry-After is in milliseconds: ${seen.actual[0] ?? ''}.` : null,
  },
];
