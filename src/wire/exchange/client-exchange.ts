import {
  count,
  kinds,
  list,
  moment,
  number,
  object,
  optional,
  text,
  truth,
  type Of,
} from '../../base/kernel/shape.js';
import { addressOf, parseRequestTarget } from './request-target.js';
import { ofAnswer, quoted, redacted, type Redaction } from './redaction.js';
import { headers, type Exchange, type Header } from './types.js';
import { key, long, redactedText } from './shapes.js';

/**
 * The record of a client's traffic: one model for what the reference server received, what the proxy passed
 * on, and what a HAR file holds. Its reader has already replaced every key, so the record can be judged again
 * from a log.
 */

/**
 * A key as the record holds it. `plan`: a key of the target, or of the reference server. `other`: a token
 * that is none of these, the nth distinct one of its record. `masked`: the program that made the record
 * replaced it; `mask` keeps two masks apart. `unset`: what a program writes for a value that is not set, such
 * as `undefined`. `none`: no key anywhere in the request.
 */
export type ClientKey = Of<typeof clientKey>;
const clientKey = kinds({
  plan: { plan: key },
  other: { nth: count },
  masked: { mask: redactedText },
  unset: { text: redactedText },
  none: {},
});

export type ClientCredential = Of<typeof credential>;
const credential = object({
  key: clientKey,
  /** True for a token after `Bearer` in Authorization, in any letter case (RFC 9110, 11.1). */
  bearer: truth,
  /**
   * All further places of a known key, in words that follow "in": "the query parameter api_key", "the header
   * X-API-Key".
   */
  elsewhere: list(redactedText),
});

/**
 * A recorded body. `empty`: certainly no bytes. `whole`: complete text, decoded. `cut`: its beginning only.
 * `missing`: there may have been one, but the record lacks it; `why` says why, in words; `file` names the
 * file that should hold it.
 */
export type RecordedBody = Of<typeof body>;
const words = redacted(long, shortened);
const body = kinds({
  empty: {},
  /** Without its byte order mark, and if its bytes are not UTF-8 with replacements. */
  whole: { text: words, notUtf8: optional(truth), marked: optional(truth) },
  cut: { text: words, why: long },
  missing: { why: long, file: optional(redactedText) },
});

const answer = kinds({
  response: { status: count, headers: redacted(headers, pairs), body },
  none: { why: redactedText },
});

/**
 * Times of one exchange, Unix ms with a fraction, on a clock that never steps back. `server`: stamped at our
 * own server or proxy, `readAt` after the whole request was read, `writtenAt` before the first byte of the
 * response was written. `client`: stamped where the client ran; `startedAt` is the call, which may wait for a
 * connection. `unknown`: the record has no times.
 */
export type ExchangeTimes = Of<typeof times>;
const times = kinds({
  server: { readAt: moment, writtenAt: moment },
  client: {
    startedAt: moment,
    firstByteAt: moment,
    endedAt: moment,
    /** Unit in which the record writes times, ms. */
    resolutionMs: number,
  },
  unknown: {},
});

export type ClientExchange = Of<typeof clientExchange>;
export const clientExchange = object({
  /** Unique within the run, e.g. "t12". */
  id: text(),
  /** Origin that the request went to, as `http://127.0.0.1:8080`; absent for the service's own. */
  origin: optional(redactedText),
  credential,
  request: object({
    method: redactedText,
    /** Path and query as sent, from the root of the origin. */
    target: redactedText,
    /** In the order and spelling of the wire. */
    headers: redacted(headers, pairs),
    body,
  }),
  /** Name of the connection; absent where the record does not show it. */
  connection: optional(text()),
  /**
   * True if requests on this connection may have been sent before the response to an earlier one: pipelining,
   * HTTP/2.
   */
  multiplexed: optional(truth),
  /** True if the client may have left before the response began: nothing shows that it read it. */
  mayHaveLeft: optional(truth),
  times,
  answer,
  /** True if the proxy answered in the service's place: the client is judged by it, the service is not. */
  byProxy: optional(truth),
});

/** Why a client got no response where it did not wait for one. */
export const CLIENT_LEFT = 'the client closed the connection first';
/** Why a client got no response at the end of a record, which closes all connections. */
export const RECORD_ENDED = 'the record ended first';

type TrafficSource = 'reference' | 'proxy' | 'har';

/**
 * Facts about one record of traffic, which hold for all its exchanges. Keys, animals and waits of different
 * records have nothing to do with each other: each scenario is its own record.
 */
export type TrafficFacts = Of<typeof trafficFacts>;
export const trafficFacts = object({
  source: text<TrafficSource>(),
  /** Scenario of the reference server; absent elsewhere. */
  scenario: optional(text()),
  /** Path of the base address, as `/v1`. */
  basePath: redactedText,
  /**
   * Longest time between a client's call and the arrival of its request on another connection, ms: the
   * slowest connect that was measured, and never less than 250.
   */
  graceMs: number,
  /**
   * True if the client reached the service over plain http on another machine, as a record made at the client
   * shows.
   */
  insecure: optional(truth),
});

export type TrafficEnd = Of<typeof trafficEnd>;
export const trafficEnd = object({
  /** Unix ms; the record holds all requests until then. */
  endedAt: moment,
  /** True if the client ended by itself: its silence is its own. */
  finished: truth,
  graceMs: number,
});

/** One record: its facts, and its exchanges in order of their arrival or start. */
export interface Traffic extends TrafficFacts {
  readonly exchanges: readonly ClientExchange[];
  /** null if the record was cut off. */
  readonly end: TrafficEnd | null;
}

function shortened(...[value, redact]: Parameters<Redaction<string>>): string {
  const cleaned = ofAnswer({ kind: 'response', status: 200, headers: [], text: value }, redact);
  return cleaned.kind === 'response' ? cleaned.text : value;
}

function pairs(...[value, redact]: Parameters<Redaction<readonly Header[]>>): readonly Header[] {
  return value.map(([name, text]) => [quoted(name, redact), quoted(text, redact)] as const);
}

/** Returns a name for people: `GET /pets?limit=5`, below the base path. */
export const nameOfRequest = ({ request }: Pick<ClientExchange, 'request'>, basePath: string): string => {
  const { method, target } = request;
  return `${method} ${target.startsWith(`${basePath}/`) ? target.slice(basePath.length) : target}`;
};

/** '' for an empty body; null if the record does not hold it whole. */
export const wholeText = (recorded: RecordedBody): string | null =>
  recorded.kind === 'whole' ? recorded.text : recorded.kind === 'empty' ? '' : null;

const whyUnread = (recorded: RecordedBody): string | null =>
  recorded.kind === 'missing' && recorded.file !== undefined ? recorded.why : null;

/** Returns why bodies in files of their own were not read; null for other bodies. */
export const filesUnread = ({ request, answer }: Pick<ClientExchange, 'request' | 'answer'>) => ({
  request: whyUnread(request.body),
  answer: answer.kind === 'none' ? null : whyUnread(answer.body),
});

/** Equal for equal keys of one record; null for none. */
export function keyName(key: ClientKey): string | null {
  switch (key.kind) {
    case 'plan':
      return key.plan;
    case 'other':
      return `unknown key ${key.nth}`;
    case 'masked':
      return `masked key ${key.mask}`;
    case 'unset':
    case 'none':
      return null;
  }
}

/** What the record lacks is empty in the exchange, so checks must not read it. */
export function shownExchange(
  { id, origin, credential: { key: used, bearer }, request, times: when, answer: received }: ClientExchange,
  { basePath }: Pick<TrafficFacts, 'basePath'>,
): Exchange {
  const text = textIn(request.body) ?? '';
  const { from, to } = spanOf(when) ?? { from: 0, to: 0 };
  return {
    id,
    probe: nameOfRequest({ request }, basePath),
    operation: parseRequestTarget(request, basePath).operation,
    intent: { kind: 'declared', statuses: [] },
    credential:
      used.kind === 'plan' && bearer
        ? { kind: 'valid', plan: used.plan }
        : used.kind === 'none'
          ? { kind: 'none' }
          : { kind: 'invalid', manner: 'key of the record' },
    request: {
      method: request.method,
      path: origin === undefined ? request.target : addressOf(origin, request.target),
      headers: request.headers,
      body: text === '' ? null : text,
    },
    sentAt: from,
    latencyMs: Math.max(0, to - from),
    attempts: 1,
    answer:
      received.kind === 'none'
        ? { kind: 'none', code: 'aborted', message: received.why }
        : {
            kind: 'response',
            status: received.status,
            headers: received.headers,
            text: textIn(received.body) ?? '',
            ...(received.body.kind === 'whole' && received.body.notUtf8 === true && { notUtf8: true }),
            ...(received.body.kind === 'whole' && received.body.marked === true && { marked: true }),
          },
  };
}

/** Null for a body of which the record holds no text. */
export const textIn = (recorded: RecordedBody): string | null => ('text' in recorded ? recorded.text : null);

/** From the arrival or the call of a request to its response's writing or arrival, Unix ms. */
interface Span {
  readonly from: number;
  readonly to: number;
  /** Unit in which both are written, ms; 0 at our own server. */
  readonly resolutionMs: number;
}

export function spanOf(times: ExchangeTimes): Span | null {
  switch (times.kind) {
    case 'server':
      return { from: times.readAt, to: times.writtenAt, resolutionMs: 0 };
    case 'client':
      return { from: times.startedAt, to: times.endedAt, resolutionMs: times.resolutionMs };
    case 'unknown':
      return null;
  }
}
