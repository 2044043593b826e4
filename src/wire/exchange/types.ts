import {
  count,
  described,
  kinds,
  list,
  loose,
  moment,
  number,
  object,
  oneOf,
  optional,
  orNull,
  text,
  type Of,
} from '../../base/kernel/shape.js';
import type { OperationName } from '../../base/interface/types.js';
import { ofAnswer, redacted } from './redaction.js';
import { key, long, operation, requirement, sent } from './shapes.js';

export type Header = readonly [name: string, value: string];
export const headers = list(
  described(
    'Name and value, as they went over the wire.',
    loose<Header>({ type: 'array', items: long, minItems: 2, maxItems: 2 }),
  ),
);

/**
 * Credential of a request. `valid`: the plan's key as a bearer token. `none`: no credential. `invalid`: any
 * other, with the manner in words ("key cut short", "key as X-API-Key").
 */
export type Credential = Of<typeof credential>;
const credential = kinds({ valid: { plan: key }, none: {}, invalid: { manner: long } });

/**
 * Expected response, and the row charged with its status code (rule 2 of the ledger). `expects`: a row names
 * the status code. `declared`: no row names it for this valid request, so any code that the operation
 * declares is right. `open`: the interface leaves it open.
 */
export type Intent = Of<typeof intent>;
const intent = kinds({
  expects: { statuses: list(count), chargedTo: requirement },
  declared: { statuses: list(count) },
  open: { row: requirement },
});

export type TransportCode =
  | 'refused'
  | 'unreachable'
  /** This machine has no file, port or memory left for a connection. */
  | 'exhausted'
  | 'unknown-host'
  /** The resolver of this machine did not answer. */
  | 'resolver'
  | 'tls'
  | 'reset'
  | 'timeout'
  | 'too-large'
  | 'bad-encoding'
  | 'malformed-http'
  | 'aborted';

export type Answer = Of<typeof answer>;
const answer = kinds({
  response: {
    status: count,
    headers,
    /** Body after content decoding, read as UTF-8. */
    text: long,
    /** True if the body has bytes that are not UTF-8; the text has replacement characters for them. */
    notUtf8: optional(oneOf([true])),
    /** True if a byte order mark precedes the body; the text does not have it. */
    marked: optional(oneOf([true])),
    /** True if the body is not in the coding that Content-Encoding names; the text is as received. */
    miscoded: optional(oneOf([true])),
    /** Set if only the beginning is stored: original length of the text in UTF-8 bytes. */
    cutFrom: optional(count),
  },
  /** `cause` is the error code of the system or of OpenSSL. */
  none: { code: text<TransportCode>(), message: long, cause: optional(text()) },
});

/** A request and its response, as recorded without any part of a key. */
export type Exchange = Of<typeof exchange>;
export const EXCHANGE = {
  /** Unique within the run, e.g. "x12". */
  id: text(),
  /** Name of the probe, canonical and readable, e.g. "listing limit=20". It is the key of the run's memory. */
  probe: sent,
  /** null for a request of no declared operation (an undeclared method). */
  operation: orNull(operation),
  intent,
  credential,
  request: object({
    method: text(),
    /** Path and query as sent, from the root of the origin. */
    path: sent,
    /** With `$PETSTORE_KEY` for the key. */
    headers,
    body: orNull(sent),
  }),
  /** With a fraction, on a monotonic scale. */
  sentAt: described('Unix time in milliseconds.', moment),
  /** From sending to the last byte, in ms. */
  latencyMs: number,
  /** 2 if a reused connection broke before the first byte and the request was resent. */
  attempts: count,
  answer: redacted(answer, ofAnswer),
  /** Set if an https address redirected this request to http on the same host. */
  losesTls: optional(oneOf([true])),
  /** Set if a gateway refused this request and the run since then: number of requests before. */
  blockedAfter: optional(count),
  /** Set if the form of the key made a part of the request unusually long: length of that part, in bytes. */
  grownTo: optional(count),
  /** Set if the fault shows only after another request on the same connection: path of that request. */
  after: optional(sent),
};
export const exchange = object(EXCHANGE);

/** One finished request, as every measurement takes it. Times are Unix ms with a fraction, monotonic. */
export interface TimedRequest {
  /** Scheduled time, or sentAt without a schedule. */
  readonly intendedAt: number;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly operation: OperationName;
  /** Status code; 0 without a complete response. */
  readonly status: number;
}
