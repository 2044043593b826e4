import type { RecordedBody } from '../exchange/client-exchange.js';
import { header } from '../exchange/headers.js';
import { isPreflight, type OutOfScope } from '../exchange/recorded.js';
import { withReadableToken } from '../exchange/mask.js';
import type { Header } from '../exchange/types.js';
import { requestBody, responseBody, type BodyFiles } from './bodies.js';
import { isRecord } from '../../base/kernel/shape.js';
import { at, numberAt, recordAt, textAt, type Loose } from './loose.js';
import { spanOf, type HarSpan } from './times.js';
import { parsedJson } from '../../base/kernel/json.js';

/** A request and its response as a recorder wrote them, read as far as they can be. */
export interface HarEntry {
  readonly method: string;
  /** Address as written, with the query. */
  readonly url: URL;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: RecordedBody;
  readonly span: HarSpan | null;
  readonly response: {
    readonly status: number;
    readonly headers: readonly Header[];
    readonly body: RecordedBody;
  } | null;
  /** Reason why it is no request of the client; null if it may be one. */
  readonly notSent: LeftOutReason | null;
  /** True for a request that a service worker sent. */
  readonly isOfWorker: boolean;
}

/** Reasons why an entry is no request of the client, in words that follow a number. */
export type LeftOutReason =
  | OutOfScope
  | 'other addresses'
  | 'of another protocol'
  | 'from a cache'
  | 'answered by a service worker'
  | 'answered by the test itself'
  | 'without a response'
  | 'the same entry again'
  | 'unreadable'
  | 'too large';

export type HarHead = Pick<HarEntry, 'url' | 'target' | 'headers'>;

/** Reads only the head of an entry's request; null if it has no absolute http address. Never throws. */
export function readHead(text: string): HarHead | null {
  const head = headOf(recordAt(parsed(text), 'request'));
  return head !== null && isHttp(head) ? head : null;
}

/** A browser also records sockets, and data that addresses hold. */
const isHttp = ({ url: { protocol } }: HarHead): boolean => protocol === 'http:' || protocol === 'https:';

function headOf(request: Loose): HarHead | null {
  const written = textAt(request, 'url');
  const address = written === null ? null : withQuery(written, at(request, 'queryString'));
  if (address === null || !URL.canParse(address)) return null;
  return {
    url: new URL(address),
    target: targetOf(address),
    headers: headersOf(at(request, 'headers')).map(withoutMask),
  };
}

/**
 * Reads an entry; null if it has no request with a method and an absolute address. Never throws.
 *
 * @param bodyFilesFor returns a reader of the bodies in files of their own, for an address
 */
export function readEntry(text: string, bodyFilesFor: (url: URL) => BodyFiles): HarEntry | null {
  const entry = parsed(text);
  const request = recordAt(entry, 'request');
  const head = headOf(request);
  const written = textAt(request, 'method');
  if (head === null || written === null) return null;
  const headers = withType(head.headers, recordAt(request, 'postData'));
  const files = bodyFilesFor(head.url);
  const response = recordAt(entry, 'response');
  const method = methodOf(written);
  const answered = headersOf(at(response, 'headers'));
  const status = numberAt(response, 'status') ?? 0;
  return {
    ...head,
    headers,
    method,
    body: requestBody(method, recordAt(request, 'postData'), headers, files),
    span: spanOf(entry),
    response:
      status >= 100 && status <= 999
        ? {
            status,
            headers: answered,
            body: responseBody(method, status, recordAt(response, 'content'), answered, files),
          }
        : null,
    notSent: isHttp(head) ? whyNotSent(entry, method, headers, status) : 'of another protocol',
    isOfWorker: at(entry, '_serviceWorkerRef') !== undefined,
  };
}

function parsed(text: string): Loose {
  const value = parsedJson(text);
  return isRecord(value) ? value : {};
}

/**
 * Methods are case-sensitive (RFC 9110, 9.1). Some libraries record them in lower case, and send them in
 * upper case.
 */
const methodOf = (text: string): string => (text === text.toLowerCase() ? text.toUpperCase() : text);

/** Some libraries write the query apart from the address only. */
function withQuery(address: string, query: unknown): string {
  if (address.includes('?') || !Array.isArray(query) || query.length === 0) return address;
  const pairs = query.filter(isRecord).flatMap((pair) => {
    const [name, value] = [textAt(pair, 'name'), at(pair, 'value')];
    const text = isPlain(value) ? String(value) : REMOVED;
    return name === null ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(text)}`];
  });
  return pairs.length === 0 ? address : `${address}?${pairs.join('&')}`;
}

/** Returns path and query as written: `URL` would rewrite some escapes. */
function targetOf(address: string): string {
  const [clean = ''] = address.split('#');
  const from = clean.indexOf('/', clean.indexOf('//') + 2);
  if (from !== -1) return clean.slice(from);
  const query = clean.indexOf('?');
  return query === -1 ? '/' : `/${clean.slice(query)}`;
}

/**
 * Returns headers in any of the forms that recorders write: pairs, or members of an object. HTTP/2's own
 * fields are no headers.
 */
function headersOf(written: unknown): readonly Header[] {
  const pairs: readonly (readonly [name: unknown, value: unknown])[] = Array.isArray(written)
    ? written.filter(isRecord).map((each) => [at(each, 'name'), at(each, 'value')] as const)
    : isRecord(written)
      ? Object.entries(written)
      : [];
  return pairs.flatMap(([name, value]): readonly Header[] => {
    if (typeof name !== 'string' || name === '' || name.startsWith(':')) return [];
    const texts = (Array.isArray(value) ? value : [value]).filter(isPlain).map(String);
    // Chromium joins repeated headers by line feeds.
    return (texts.length === 0 ? [''] : texts).flatMap((text) =>
      text.split('\n').map((line): Header => [name, line === '' ? REMOVED : line]),
    );
  });
}

/** A sanitiser's mask may be of any form: what is no token is none of the client's. */
const withoutMask = ([name, value]: Header): Header => [
  name,
  name.toLowerCase() === 'authorization' ? withReadableToken(value, REMOVED) : value,
];

/** Some recorders keep few headers: where the type of a body shows elsewhere, Content-Type was left out. */
function withType(headers: readonly Header[], postData: Loose): readonly Header[] {
  const isLeftOut = headers.length > 0 && header(headers, 'content-type') === null;
  return isLeftOut && /^application\/json\b/i.test(textAt(postData, 'mimeType') ?? '')
    ? [...headers, ['Content-Type', REMOVED]]
    : headers;
}

/** Value of a header or parameter that a recorder left empty, or out: it kept the names only. */
const REMOVED = '[removed]';

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Members in which recorders say that an entry failed. */
const FAILURES = ['_failureText', '_error', '_errorText'];

/** What Safari writes of where a response came from, in its `_fetchType`. */
const FETCH_TYPES: ReadonlyMap<string, LeftOutReason> = new Map([
  ['Memory Cache', 'from a cache'],
  ['Disk Cache', 'from a cache'],
  ['Service Worker', 'answered by a service worker'],
  ['Inspector Override', 'answered by the test itself'],
]);

function whyNotSent(
  entry: Loose,
  method: string,
  headers: readonly Header[],
  status: number,
): LeftOutReason | null {
  const response = recordAt(entry, 'response');
  // Recorders write their own members into the entry, or into its response.
  const says = (name: string): boolean => isSet(at(entry, name)) || isSet(at(response, name));
  if (isPreflight({ method, headers })) return 'CORS preflights';
  if (says('_wasFulfilled')) return 'answered by the test itself';
  if (says('_fetchedViaServiceWorker')) return 'answered by a service worker';
  if (says('_fromCache') || isFromCache(response)) return 'from a cache';
  const fetched = FETCH_TYPES.get(textAt(entry, '_fetchType') ?? '');
  if (fetched !== undefined) return fetched;
  // Chromium: no byte came over the network.
  if (numberAt(response, '_transferSize') === 0 && status >= 100) return 'from a cache';
  if (tookNoTime(entry) && status >= 100) return 'from a cache';
  if (FAILURES.some(says) || says('_wasAborted') || status < 100) return 'without a response';
  // A browser writes what it redirects itself, for HSTS, as a response.
  const isInternal = /^hsts$/i.test(
    header(headersOf(at(response, 'headers')), 'non-authoritative-reason') ?? '',
  );
  return isInternal ? 'from a cache' : null;
}

const PHASES = ['blocked', 'dns', 'connect', 'ssl', 'send', 'wait', 'receive'];

/** Firefox marks a response of its cache in no other way. A recorder that knows no times leaves phases out. */
const tookNoTime = (entry: Loose): boolean =>
  numberAt(entry, 'time') === 0 && PHASES.every((phase) => numberAt(recordAt(entry, 'timings'), phase) === 0);

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && value !== '';

const isFromCache = (response: Loose): boolean =>
  /from (disk|memory|service worker)? ?cache/i.test(textAt(response, 'statusText') ?? '');
