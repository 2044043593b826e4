import { createHash } from 'node:crypto';
import type { KeyName } from '../../base/interface/names.js';
import { isInClear } from '../targets/base-url.js';
import { spanOf, textIn, type ClientExchange, type Traffic } from '../exchange/client-exchange.js';
import { isMask, isUnset } from '../exchange/mask.js';
import { MetSecrets } from '../exchange/met-secrets.js';
import { CredentialReader } from '../exchange/request-credential.js';
import { basePathOf } from '../exchange/request-spec.js';
import { outOfScope, recordBounds, SHORT_BODY, shortened } from '../exchange/recorded.js';
import { withoutSecrets } from '../exchange/secrets.js';
import { parseRequestTarget } from '../exchange/request-target.js';
import { header } from '../exchange/headers.js';
import { bodyFilesOf } from './body-files.js';
import type { BodyFiles } from './bodies.js';
import { entriesOf } from './open-har.js';
import { readEntry, type HarEntry, type LeftOutReason } from './har-entry.js';
import { spansByName } from './spans-by-name.js';
import { clockReader, timesOf, type HarSpan } from './times.js';

export interface HarRecord {
  readonly traffic: Traffic;
  /** Amounts by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Texts that may be keys, in clear, for a redactor. Never log them. */
  readonly secrets: readonly string[];
}

interface HarReading {
  readonly file: string;
  /** Address of the service; an entry belongs to it by origin and path. */
  readonly baseUrl: string;
  readonly keys: Readonly<Partial<Record<KeyName, string>>>;
  readonly nextId: () => string;
  /** Meets what the client's requests and their responses name as secrets. */
  readonly secrets?: MetSecrets;
  /** Called with each request of the client, whole, in the order of the file. Its times are not known yet. */
  readonly onExchange: (exchange: ClientExchange) => void;
}

/** Most requests of one file: more would fill the memory of those who judge and draw them. */
const MOST_EXCHANGES = 20_000;
/** Longest body to keep for the client's rows and for reports, in characters, while there is room for it. */
const LONGEST_BODY = 256 * 1024;
/** Room for all bodies of a file, in characters. */
const ROOM = 16 * 2 ** 20;

/** The shortest grace of a record, ms; the client's own clock needs none. */
const GRACE_MS = 250;

/** A request in scope, until the end of the file shows its times. */
interface Pending {
  readonly exchange: ClientExchange;
  readonly span: HarSpan | null;
  readonly isOfWorker: boolean;
}

/**
 * Reads a HAR file as the record of a client's traffic. Pure apart from the file. It keeps one entry at a
 * time, and of the client's requests what their judges need. A file that was cut short has no end. Throws
 * UsageError for one that cannot be read, or is no HAR file.
 */
export async function readHar(reading: HarReading): Promise<HarRecord> {
  const { file, baseUrl, keys, nextId, secrets: met = new MetSecrets(), onExchange } = reading;
  const base = new URL(baseUrl);
  const basePath = basePathOf(base);
  const reader = new CredentialReader(keys);
  const leftOut: Record<string, number> = {};
  const leaveOut = (reason: string): void => void (leftOut[reason] = (leftOut[reason] ?? 0) + 1);
  const pending: Pending[] = [];
  const elsewhere: HarEntry[] = [];
  const times = clockReader();
  const secrets = new Set(Object.values(keys));
  const seen = new Set<string>();
  const bounds = recordBounds({ exchanges: MOST_EXCHANGES, body: LONGEST_BODY, room: ROOM });
  const take = (entry: HarEntry, exchange: ClientExchange): void =>
    void pending.push({ exchange: bounds.take(exchange), span: entry.span, isOfWorker: entry.isOfWorker });

  const ofFile = bodyFilesOf(file);
  // Only the service's bodies are judged.
  const bodyFilesFor = (url: URL): BodyFiles =>
    url.origin === base.origin ? ofFile : () => ({ kind: 'unread', why: 'is not read' });

  const entries = entriesOf(file);
  let step = await entries.next();
  for (; !step.done; step = await entries.next()) {
    if (step.value.kind === 'too-large') {
      leaveOut('too large');
      continue;
    }
    const { text } = step.value;
    const entry = readEntry(text, bodyFilesFor);
    if (entry === null) {
      leaveOut('unreadable');
      continue;
    }
    const isOfService = entry.url.origin === base.origin;
    if (entry.span && isOfService) times.add(entry.span);
    const reason = entry.notSent ?? whyLeftOut(entry, basePath, isOfService);
    const digest = reason === null ? createHash('sha256').update(text).digest('base64') : '';
    if (
      !isOfService &&
      entry.notSent === null &&
      tokenOf(entry) !== null &&
      elsewhere.length < MOST_EXCHANGES
    )
      elsewhere.push(withoutBodies(entry));
    else if (reason !== null) leaveOut(reason);
    else if (seen.has(digest)) leaveOut('the same entry again');
    else if (bounds.isFull()) leaveOut(bounds.reason);
    else {
      seen.add(digest);
      if (entry.span && isOfService) times.follow(entry.span);
      const token = tokenOf(entry);
      if (token !== null) secrets.add(token);
      const exchange = exchangeOf(entry, nextId(), { reader, met });
      onExchange(exchange);
      take(entry, exchange);
    }
  }
  // A key counts elsewhere only if the service got it as well.
  for (const entry of elsewhere) {
    const token = tokenOf(entry);
    if (token === null || !secrets.has(token)) leaveOut('other addresses');
    else take(entry, { ...exchangeOf(entry, nextId(), { reader, met }), origin: entry.url.origin });
  }
  const clock = times.clock();
  const sent = withoutDoubles(pending);
  for (let doubles = pending.length - sent.length; doubles > 0; doubles -= 1)
    leaveOut('answered by a service worker');
  const exchanges = sent
    .map(({ exchange, span }) => ({ ...reader.hidden(exchange), times: timesOf(span, clock) }))
    .toSorted((one, other) => startOf(one) - startOf(other));
  const last = exchanges.reduce((latest, { times }) => Math.max(latest, spanOf(times)?.to ?? 0), 0);
  return {
    traffic: {
      source: 'har',
      basePath,
      graceMs: GRACE_MS,
      ...(isInClear(base) && { insecure: true }),
      exchanges,
      end: step.value ? { endedAt: last, finished: false, graceMs: GRACE_MS } : null,
    },
    leftOut,
    secrets: [...secrets],
  };
}

/** Returns the text after a scheme in Authorization; null without one, and for a mask or a value not set. */
function tokenOf({ headers }: HarEntry): string | null {
  const token = /^\S+ +(\S+)$/.exec((header(headers, 'authorization') ?? '').trim())?.[1] ?? null;
  return token === null || isMask(token) || isUnset(token) ? null : token;
}

function whyLeftOut(entry: HarEntry, basePath: string, isOfService: boolean): LeftOutReason | null {
  const hasKey = header(entry.headers, 'authorization') !== null;
  const reason = isOfService ? outOfScope(entry, { basePath, hasKey }) : 'other addresses';
  return reason !== null && !parseRequestTarget(entry, basePath).belowBase ? 'other addresses' : reason;
}

function exchangeOf(
  entry: HarEntry,
  id: string,
  { reader, met }: { readonly reader: CredentialReader; readonly met: MetSecrets },
): ClientExchange {
  const { method, target, headers, body, response } = entry;
  met.meetCredential(headers);
  const exchange: ClientExchange = {
    id,
    credential: reader.credentialOf({ method, target, headers, body: textIn(body) }),
    request: { method, target, headers, body },
    times: { kind: 'unknown' },
    answer: response
      ? { kind: 'response', ...response }
      : { kind: 'none', why: 'the record has no response' },
  };
  return withoutSecrets(exchange, met.meet);
}

/**
 * Of a request to another address only the key and its place count. Most of them are dropped once all keys
 * are known.
 */
const withoutBodies = (entry: HarEntry): HarEntry => ({
  ...entry,
  body: shortened(entry.body, SHORT_BODY),
  response: entry.response && { ...entry.response, body: shortened(entry.response.body, SHORT_BODY) },
});

/**
 * Leaves out what a service worker sent for a page: Playwright records both the page's request and the
 * worker's.
 */
function withoutDoubles(pending: readonly Pending[]): readonly Pending[] {
  const nameOf = ({ exchange: { request } }: Pending): string => `${request.method} ${request.target}`;
  const ofWorkers = spansByName();
  for (const each of pending) if (each.isOfWorker) ofWorkers.add(nameOf(each), each.span);
  return pending.filter((each) => each.isOfWorker || !ofWorkers.hasStartingIn(nameOf(each), each.span));
}

const startOf = ({ times }: ClientExchange): number => spanOf(times)?.from ?? 0;
