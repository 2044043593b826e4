import { createHash } from 'node:crypto';
import type { KeyName } from '../../base/interface/names.js';
import { isLoopback } from '../targets/base-url.js';
import type { ClientExchange, RecordedBody, Traffic } from '../exchange/client-exchange.js';
import { credentialReader, isMask } from '../exchange/request-credential.js';
import { basePathOf } from '../exchange/request-spec.js';
import { parseRequestTarget } from '../exchange/request-target.js';
import { header } from '../exchange/headers.js';
import type { Header } from '../exchange/types.js';
import { grouped } from '../../base/kernel/format.js';
import { countWhile } from '../../base/kernel/sorted.js';
import { entriesOf } from './open-har.js';
import { readEntry, type HarEntry, type LeftOutReason } from './har-entry.js';
import { preflightBook } from './preflights.js';
import { clockReader, timesOf, type HarSpan } from './times.js';

/** A HAR file, read. */
export interface HarRecord {
  readonly traffic: Traffic;
  readonly leftOut: Readonly<Partial<Record<LeftOutReason, number>>>;
  /** Texts that may be keys, in clear, for a redactor. Never log them. */
  readonly secrets: readonly string[];
}

export interface HarReading {
  readonly file: string;
  /** Address of the service; an entry belongs to it by origin and path. */
  readonly baseUrl: string;
  readonly keys: Readonly<Partial<Record<KeyName, string>>>;
  readonly nextId: () => string;
  /** Called with each request of the client, whole, in the order of the file. Its times are not known yet. */
  readonly onExchange: (exchange: ClientExchange) => void;
}

/** Most requests of one file: more would fill the memory of those who judge and draw them. */
const MOST_EXCHANGES = 20_000;
/** Longest body to keep for the client's rows and for reports, in characters, while there is room for it. */
const LONGEST_BODY = 256 * 1024;
/** Room for all bodies of a file, in characters. */
const ROOM = 16 * 2 ** 20;
/** Longest body to keep when there is no more room. */
const SHORT_BODY = 1024;

/** The shortest grace of a record, ms; the client's own clock needs none. */
const GRACE_MS = 250;

/** A request in scope, until the end of the file shows its times. */
interface Pending {
  readonly exchange: ClientExchange;
  readonly span: HarSpan | null;
  readonly isOfWorker: boolean;
}

/**
 * Reads a HAR file as the record of a client's traffic. Pure apart from the file. It keeps one entry at a time, and of the
 * client's requests what their judges need. A file that was cut short has no end. Throws UsageError for one that cannot be read,
 * or is no HAR file.
 */
export async function readHar(reading: HarReading): Promise<HarRecord> {
  const { file, baseUrl, keys, nextId, onExchange } = reading;
  const base = new URL(baseUrl);
  const basePath = basePathOf(base);
  const reader = credentialReader(keys);
  const leftOut: Partial<Record<LeftOutReason, number>> = {};
  const leaveOut = (reason: LeftOutReason): void => void (leftOut[reason] = (leftOut[reason] ?? 0) + 1);
  const pending: Pending[] = [];
  const elsewhere: HarEntry[] = [];
  const preflights = preflightBook();
  const times = clockReader();
  const secrets = new Set(Object.values(keys));
  const seen = new Set<string>();
  let room = ROOM;

  const stored = (body: RecordedBody): RecordedBody => {
    if (body.kind !== 'whole' && body.kind !== 'cut') return body;
    const most = room > 0 ? LONGEST_BODY : SHORT_BODY;
    room -= Math.min(body.text.length, most);
    return shortened(body, most);
  };

  const entries = entriesOf(file);
  let step = await entries.next();
  for (; !step.done; step = await entries.next()) {
    if (step.value.kind === 'too-large') {
      leaveOut('too large');
      continue;
    }
    const { text } = step.value;
    const entry = readEntry(text);
    if (entry === null) {
      leaveOut('unreadable');
      continue;
    }
    const isOfService = entry.url.origin === base.origin;
    if (entry.span && isOfService) times.add(entry.span);
    if (entry.notSent === 'CORS preflights' && entry.span) preflights.add(entry.url.href, entry.span);
    const reason = entry.notSent ?? outOfScope(entry, basePath, isOfService);
    const digest = reason === null ? createHash('sha256').update(text).digest('base64') : '';
    if (!isOfService && entry.notSent === null && tokenOf(entry) !== null && elsewhere.length < MOST_EXCHANGES)
      elsewhere.push(withoutBodies(entry));
    else if (reason !== null) leaveOut(reason);
    else if (seen.has(digest)) leaveOut('the same entry again');
    else if (pending.length >= MOST_EXCHANGES) leaveOut('beyond the first 20,000');
    else {
      seen.add(digest);
      const token = tokenOf(entry);
      if (token !== null) secrets.add(token);
      const exchange = exchangeOf(entry, nextId(), reader);
      onExchange(exchange);
      pending.push({ exchange: withBodies(exchange, stored), span: entry.span, isOfWorker: entry.isOfWorker });
    }
  }
  // A key counts elsewhere only if the service got it as well.
  for (const entry of elsewhere) {
    const token = tokenOf(entry);
    if (token === null || !secrets.has(token)) leaveOut('other addresses');
    else {
      const { origin } = entry.url;
      const exchange = { ...exchangeOf(entry, nextId(), reader), origin };
      pending.push({ exchange: withBodies(exchange, stored), span: entry.span, isOfWorker: entry.isOfWorker });
    }
  }
  const clock = times.clock();
  const sent = withoutDoubles(pending);
  for (let doubles = pending.length - sent.length; doubles > 0; doubles -= 1) leaveOut('answered by a service worker');
  const exchanges = sent
    .map(({ exchange, span }) => {
      const { target } = exchange.request;
      const address = `${exchange.origin ?? base.origin}${target}`;
      return { ...hidden(exchange, reader), times: timesOf(span, clock, preflights.delayOf(address, span)) };
    })
    .toSorted((one, other) => startOf(one) - startOf(other));
  const last = exchanges.reduce(
    (latest, { times }) => (times.kind === 'client' ? Math.max(latest, times.endedAt) : latest),
    0,
  );
  return {
    traffic: {
      source: 'har',
      basePath,
      graceMs: GRACE_MS,
      ...(base.protocol === 'http:' && !isLoopback(base) && { insecure: true }),
      exchanges,
      end: step.value ? { endedAt: last, finished: false, graceMs: GRACE_MS } : null,
    },
    leftOut,
    secrets: [...secrets],
  };
}

/** Returns the text after a scheme in Authorization; null without one, and for a mask. */
function tokenOf({ headers }: HarEntry): string | null {
  const token = /^\S+ +(\S+)$/.exec((header(headers, 'authorization') ?? '').trim())?.[1] ?? null;
  return token === null || isMask(token) ? null : token;
}

function outOfScope(entry: HarEntry, basePath: string, isOfService: boolean): LeftOutReason | null {
  if (!isOfService) return 'other addresses';
  const { operation, belowBase } = parseRequestTarget(entry, basePath);
  const hasKey = header(entry.headers, 'authorization') !== null;
  if (operation !== null || hasKey) return null;
  return belowBase ? 'without the key, of no operation' : 'other addresses';
}

/** Headers that may hold a secret of another kind: their values are no matter of the interface. */
const SECRET_HEADERS = /^(cookie|set-cookie|proxy-authorization|x-api-key|x-auth-token)$/i;
const SECRET_PARAMETERS = /([?&][^=&]*(?:key|token|secret|auth|password)[^=&]*=)[^&#]+/gi;

const clean = (headers: readonly Header[]): readonly Header[] =>
  headers.map(([name, value]) => (SECRET_HEADERS.test(name) ? [name, '[redacted]'] : [name, value]));

function exchangeOf(entry: HarEntry, id: string, reader: ReturnType<typeof credentialReader>): ClientExchange {
  const { method, target, headers, body, response } = entry;
  const text = body.kind === 'whole' || body.kind === 'cut' ? body.text : null;
  return {
    id,
    credential: reader.credentialOf({ method, target, headers, body: text }),
    request: { method, target: target.replace(SECRET_PARAMETERS, '$1[redacted]'), headers: clean(headers), body },
    times: { kind: 'unknown' },
    answer: response
      ? { kind: 'response', ...response, headers: clean(response.headers) }
      : { kind: 'none', why: 'the record has no response' },
  };
}

/**
 * Cuts the text of a body that is longer than `most`. The beginning is copied: a part of a text keeps the whole text in memory.
 */
const shortened = (body: RecordedBody, most: number): RecordedBody =>
  'text' in body && body.text.length > most
    ? { kind: 'cut', text: Buffer.from(body.text.slice(0, most)).toString(), why: 'it is too long to keep' }
    : body;

/** Of a request to another address only the key and its place count. Most of them are dropped once all keys are known. */
const withoutBodies = (entry: HarEntry): HarEntry => ({
  ...entry,
  body: shortened(entry.body, SHORT_BODY),
  response: entry.response && { ...entry.response, body: shortened(entry.response.body, SHORT_BODY) },
});

function withBodies(exchange: ClientExchange, change: (body: RecordedBody) => RecordedBody): ClientExchange {
  const { request, answer } = exchange;
  return {
    ...exchange,
    request: { ...request, body: change(request.body) },
    answer: answer.kind === 'none' ? answer : { ...answer, body: change(answer.body) },
  };
}

/** Replaces all keys that the file shows. A token may be read after a response that repeats it, so this comes last. */
function hidden(exchange: ClientExchange, { hide, hideIn }: ReturnType<typeof credentialReader>): ClientExchange {
  const { request, answer } = exchange;
  const withoutKeys = withBodies(exchange, (body) => ('text' in body ? { ...body, text: hide(body.text) } : body));
  const authorization = (headers: readonly Header[]): readonly Header[] =>
    hideIn(headers).map(([name, value]) =>
      // A scheme other than Bearer holds a password, and a short token is not replaced in texts.
      name.toLowerCase() === 'authorization' && !isHidden(value) ? [name, '[redacted]'] : [name, value],
    );
  return {
    ...withoutKeys,
    request: { ...withoutKeys.request, target: hide(request.target), headers: authorization(request.headers) },
    answer: answer.kind === 'none' ? answer : { ...answer, ...withoutKeys.answer, headers: hideIn(answer.headers) },
  } as ClientExchange;
}

const isHidden = (value: string): boolean => isMask(value) || isMask(/^\S+ +(\S+)$/.exec(value.trim())?.[1] ?? value);

/** Leaves out what a service worker sent for a page: Playwright records both the page's request and the worker's. */
function withoutDoubles(pending: readonly Pending[]): readonly Pending[] {
  const nameOf = ({ exchange: { request } }: Pending): string => `${request.method} ${request.target}`;
  const startsOf = new Map(
    [
      ...grouped(
        pending.filter(({ isOfWorker }) => isOfWorker),
        nameOf,
      ),
    ].map(([name, ofWorkers]) => [
      name,
      ofWorkers.flatMap(({ span }) => (span === null ? [] : [span.startedAt])).toSorted((one, other) => one - other),
    ]),
  );
  return pending.filter((each) => {
    const { span, isOfWorker } = each;
    if (isOfWorker || span === null) return true;
    const starts = startsOf.get(nameOf(each)) ?? [];
    const next = starts[countWhile(starts, (start) => start < span.startedAt)];
    return next === undefined || next > span.startedAt + span.time;
  });
}

const startOf = ({ times }: ClientExchange): number => (times.kind === 'client' ? times.startedAt : 0);
