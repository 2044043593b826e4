import type { OperationName, RequirementId } from '../contract/types.js';
import type { KeyName } from '../contract/names.js';

/** A header as sent: its name in the original case, and its value. */
export type Header = readonly [name: string, value: string];

/**
 * Credential of a request. `valid`: the plan's key as a bearer token. `none`: no credential. `invalid`: any other, with the
 * manner in words ("key cut short", "key as X-API-Key").
 */
export type Credential =
  | { readonly kind: 'valid'; readonly plan: KeyName }
  | { readonly kind: 'none' }
  | { readonly kind: 'invalid'; readonly manner: string };

/**
 * Expected response, and the row charged with its status code (rule 2 of the ledger). `expects`: a row names the status code.
 * `declared`: no row names it for this valid request, so any code that the operation declares is right. `open`: the interface
 * leaves it open.
 */
export type Intent =
  | { readonly kind: 'expects'; readonly statuses: readonly number[]; readonly chargedTo: RequirementId }
  | { readonly kind: 'declared'; readonly statuses: readonly number[] }
  | { readonly kind: 'open'; readonly row: RequirementId };

/** Reason for an incomplete response. */
export type TransportCode =
  | 'refused'
  | 'unknown-host'
  | 'tls'
  | 'reset'
  | 'timeout'
  | 'too-large'
  | 'bad-encoding'
  | 'malformed-http'
  | 'aborted';

/** A complete response with its decoded text, or the reason why there is none. */
export type Answer =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: readonly Header[];
      /** Body after content decoding, read as UTF-8. */
      readonly text: string;
      /** True if the body has bytes that are not UTF-8; the text has replacement characters for them. */
      readonly notUtf8?: true;
      /** Set if only the beginning is stored: original length of the text in UTF-8 bytes. */
      readonly cutFrom?: number;
    }
  | { readonly kind: 'none'; readonly code: TransportCode; readonly message: string };

/** A request and its response, as recorded without any part of a key. */
export interface Exchange {
  /** Unique within the run, e.g. "x12". */
  readonly id: string;
  /** Name of the probe, canonical and readable, e.g. "listing limit=20". It is the key of the run's memory. */
  readonly probe: string;
  /** null for a request of no declared operation (an undeclared method). */
  readonly operation: OperationName | null;
  readonly intent: Intent;
  readonly credential: Credential;
  readonly request: {
    readonly method: string;
    /** Path and query as sent, from the root of the origin. */
    readonly path: string;
    /** With `$PETSTORE_KEY` for the key. */
    readonly headers: readonly Header[];
    readonly body: string | null;
  };
  /** Unix milliseconds, with a fraction, on a monotonic scale. */
  readonly sentAt: number;
  /** From sending to the last byte, in ms. */
  readonly latencyMs: number;
  /** 2 if a reused connection broke before the first byte and the request was resent. */
  readonly attempts: number;
  readonly answer: Answer;
  /** Set if a gateway refused this request and the run since then: number of requests before. */
  readonly blockedAfter?: number;
}
