import type { OperationName } from '../base/interface/types.js';
import type { Json } from './json.js';

/** Names of the rate headers (part 8): the server's own copy, which no judge reads. */
export const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

/** A header as sent, its name in the original case. */
export type Header = readonly [name: string, value: string];

export interface Incoming {
  /** 1 for the first request that this server received. */
  readonly serial: number;
  readonly method: string;
  /** The path as sent, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Names of the headers in the letter case in which they were sent. */
  readonly headerNames: readonly string[];
  /** Body read as UTF-8, '' if there is none. */
  readonly body: string;
  readonly address: string;
  readonly connection: object;
  /** The server's clock at arrival, Unix ms. */
  readonly at: number;
}

export type Body =
  | { readonly kind: 'json'; readonly value: Json; readonly mediaType?: string }
  | { readonly kind: 'text'; readonly text: string; readonly mediaType: string | null }
  | { readonly kind: 'none' };

/** A response before encoding. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: Body;
}

/** Encoded response, and how to send it. */
export interface Wire {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly payload: Buffer;
  readonly delayMs: number;
  /** True for pieces without a Content-Length. */
  readonly chunked: boolean;
  /** True if the connection ends after this response. */
  readonly closes: boolean;
  /** True to reset the connection without a response. */
  readonly resets: boolean;
}

/** Reason for a refusal. `status` is the status code and, in a sound server, the Error body's. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: readonly Header[];
}

export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

export type Route =
  | { readonly kind: 'operation'; readonly operation: OperationName; readonly petId: string }
  | { readonly kind: 'undeclared-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown' };

export const read = <T>(value: T): Read<T> => ({ ok: true, value });

export const refused = (problem: Problem): Read<never> => ({ ok: false, problem });

export const invalid = (message: string): Problem => ({ status: 400, code: 'invalid_request', message });

export const json = (status: number, value: Json, headers: readonly Header[] = []): Answer => ({
  status,
  headers,
  body: { kind: 'json', value },
});

export const errorAnswer = ({ code, message, status, headers }: Problem): Answer =>
  json(status, { code, message, status }, headers);

/** Returns the response with a header set; it replaces one of the same name, in any letter case. */
export const withHeader = (answer: Answer, name: string, value: string): Answer => ({
  ...answer,
  headers: [...withoutHeader(answer, name).headers, [name, value]],
});

export const withoutHeader = (answer: Answer, name: string): Answer => ({
  ...answer,
  headers: answer.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase()),
});
