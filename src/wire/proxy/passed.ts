import type { Header } from '../exchange/types.js';
import type { KeptBody } from './kept-body.js';

/**
 * A request that went through the proxy, and its response, as they passed. Keys are in clear, so it is never
 * logged.
 */
export interface Passed {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** As the client sent them: alternate names and values. */
  readonly headers: readonly string[];
  readonly body: KeptBody;
  /** Name of the client's connection. */
  readonly connection: string;
  /** True if the client sent a request ahead of a response on it. */
  readonly pipelined: boolean;
  /** Time at which the request had been read, Unix ms. */
  readonly readAt: number;
  /** Time before the first byte of the response was written, Unix ms. */
  readonly writtenAt: number;
  readonly answer: PassedAnswer;
  /** True if the client had closed its side before the response began: it may have left, and read none of it. */
  readonly mayHaveLeft: boolean;
}

/** A response of the target; a response of the proxy in its place; or the reason why the client got none. */
export type PassedAnswer =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: readonly string[];
      readonly body: KeptBody;
    }
  | { readonly kind: 'own'; readonly given: OwnAnswer }
  | { readonly kind: 'none'; readonly why: string };

export interface OwnAnswer {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly text: string;
}

/** Returns what the proxy answers in place of a request's way to the target; null to pass it on. */
export type Intervene = (request: Pick<Passed, 'method' | 'target' | 'headers'>) => Promise<OwnAnswer | null>;
