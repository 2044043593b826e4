import type { OperationName, RequirementId } from '../contract/types.js';
import type { KeyName } from '../contract/names.js';

/** A header as it went over the wire: name in the case that was sent, and its value. */
export type Header = readonly [name: string, value: string];

/**
 * Whose credential a request carries. `valid`: the plan's key as a bearer token. `none`: no credential at all.
 * `invalid`: anything else, with the manner in words ("key cut short", "key as X-API-Key").
 */
export type Credential =
  | { readonly kind: 'valid'; readonly plan: KeyName }
  | { readonly kind: 'none' }
  | { readonly kind: 'invalid'; readonly manner: string };

/**
 * What a sound server answers, and which row its status is charged to (rule 2 of the ledger).
 * `expects`: a row names the status. `declared`: the request is valid but no row names its status, so any status
 * that the operation declares will do. `open`: the interface is silent.
 */
export type Intent =
  | { readonly kind: 'expects'; readonly statuses: readonly number[]; readonly chargedTo: RequirementId }
  | { readonly kind: 'declared'; readonly statuses: readonly number[] }
  | { readonly kind: 'open'; readonly row: RequirementId };

/** Why no whole answer came. */
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
      /** The body after content decoding, read as UTF-8. */
      readonly text: string;
      /** The body has bytes that are not UTF-8; the text has replacement characters in their place. */
      readonly notUtf8?: true;
      /** What is kept of it is the beginning: so many bytes the text had, in UTF-8, when it came and was judged. */
      readonly cutFrom?: number;
    }
  | { readonly kind: 'none'; readonly code: TransportCode; readonly message: string };

/** One request and its answer, as recorded: no part of a key is in it. */
export interface Exchange {
  /** Unique within the run, e.g. "x12". */
  readonly id: string;
  /** The probe that sent it, canonical and readable, e.g. "listing limit=20". The run's memory is keyed by it. */
  readonly probe: string;
  /** null when the request is none of the declared operations (an undeclared method). */
  readonly operation: OperationName | null;
  readonly intent: Intent;
  readonly credential: Credential;
  readonly request: {
    readonly method: string;
    /** Path and query as sent, from the root of the origin. */
    readonly path: string;
    /** With `$PETSTORE_KEY` where the key stood. */
    readonly headers: readonly Header[];
    readonly body: string | null;
  };
  /** Unix milliseconds, with a fraction, on a monotonic scale. */
  readonly sentAt: number;
  /** From sending to the last byte, in ms. */
  readonly latencyMs: number;
  /** 2 when a reused connection died before a byte came back and the request was sent once more. */
  readonly attempts: number;
  readonly answer: Answer;
  /** Something before the service refused it, and refuses the whole run since: so many requests were let through before. */
  readonly blockedAfter?: number;
}
