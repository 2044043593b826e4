import type { KeyName } from '../../base/interface/names.js';
import { RATE_FIELDS, type RateHeader } from '../../base/interface/rate-headers.js';
import { kit } from '../../base/kernel/package.js';
import { randomFillSync } from 'node:crypto';
import type { Exchange, Header } from './types.js';

export const isSetCookie = (name: string): boolean => /^set-cookie2?$/i.test(name);

/**
 * Joins repeated headers (RFC 9110 section 5.3).
 *
 * @param name in lower case
 */
export function header(headers: readonly Header[], name: string): string | null {
  const found = headers.filter((one) => isNamed(one[0], name));
  return found.length === 0 ? null : found.map(([, value]) => value).join(', ');
}

/** True if a flat list of headers announces the end of their connection (RFC 9112, 9.6). */
export const announcesClose = (flat: readonly string[]): boolean =>
  /\bclose\b/i.test(headerIn(flat, 'connection') ?? '');

/** True if headers say where the body ends; otherwise the end of the connection does (RFC 9112, 6.3). */
export const isFramed = (flat: readonly string[]): boolean =>
  headerIn(flat, 'content-length') !== null || headerIn(flat, 'transfer-encoding') !== null;

/** Returns a header's value from a flat list of alternate names and values. */
export function headerIn(flat: readonly string[], name: string): string | null {
  let joined: string | null = null;
  for (let at = 0; at < flat.length; at += 2)
    if (isNamed(flat[at] ?? '', name))
      joined = joined === null ? (flat[at + 1] ?? '') : `${joined}, ${flat[at + 1]}`;
  return joined;
}

/** Compares with a name in lower case. Lengths come first, which is cheap: few names have the same length. */
const isNamed = (is: string, name: string): boolean =>
  is.length === name.length && (is === name || is.toLowerCase() === name);

export const pairsOf = (flat: readonly string[]): Header[] =>
  Array.from(
    { length: Math.floor(flat.length / 2) },
    (_, at) => [flat[at * 2] ?? '', flat[at * 2 + 1] ?? ''] as const,
  );

/** What an exchange of the kit and one of a client have alike: a response, or none. */
interface Answered {
  readonly answer:
    | { readonly kind: 'response'; readonly status: number; readonly headers: readonly Header[] }
    | { readonly kind: 'none' };
}

export const answerHeader = ({ answer }: Answered, name: string): string | null =>
  answer.kind === 'response' ? header(answer.headers, name) : null;

export const rateHeader = (exchange: Exchange, name: RateHeader): string | null =>
  answerHeader(exchange, RATE_FIELDS[name]);

export const statusOf = ({ answer }: Answered): number | null =>
  answer.kind === 'response' ? answer.status : null;

export const isWithKey = ({ credential }: Pick<Exchange, 'credential'>, key: KeyName): boolean =>
  credential.kind === 'valid' && credential.plan === key;

/** Time of the response or of its final absence, Unix ms. */
export const answeredAt = ({ sentAt, latencyMs }: Pick<Exchange, 'sentAt' | 'latencyMs'>): number =>
  sentAt + latencyMs;

/** As `getPet 404`. */
export const kindOfAnswer = (exchange: Exchange): string => `${exchange.operation} ${statusOf(exchange)}`;

export const userAgent = (run: string, what: string): string =>
  `${kit().name}/${kit().version} (run ${run}; ${what})`;

/** Random bytes of a traceparent: 12 of the trace id, 8 of the parent id. */
const RANDOM_BYTES = 20;
/**
 * Random bytes for the next traceparents: drawn singly, they take most of the time that it takes to build a
 * request.
 */
const drawn = Buffer.alloc(200 * RANDOM_BYTES);
let used = drawn.length;

/**
 * W3C Trace Context: returns a header whose trace id starts with the run's eight digits, for searching a
 * server's log.
 */
export function traceparent(run: string): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const random = drawn.toString('hex', used, used + RANDOM_BYTES);
  used += RANDOM_BYTES;
  return `00-${run}${random.slice(0, 24)}-${random.slice(24)}-01`;
}

/** Returns the trace id of a traceparent (W3C Trace Context): 32 hexadecimal digits after the version. */
export const traceIdOf = (traceparent: string): string => traceparent.split('-')[1] ?? '';

/** For searching a server's traces. */
export function traceOf({ request }: Pick<Exchange, 'request'>): string | null {
  const [, value = ''] = request.headers.find(([name]) => name === 'traceparent') ?? [];
  const id = traceIdOf(value);
  return /^[0-9a-f]{32}$/.test(id) ? id : null;
}
