import type { OperationName } from '../contract/types.js';
import type { Json } from './json.js';

/** A header as it goes over the wire, its name in the case that is sent. */
export type Header = readonly [name: string, value: string];

/** One request as the server sees it. */
export interface Incoming {
  /** 1 for the first request that this server received. */
  readonly serial: number;
  readonly method: string;
  /** The path as sent, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body read as UTF-8, '' when there is none. */
  readonly body: string;
  /** The sender's address. */
  readonly address: string;
  /** The connection that it came over. */
  readonly connection: object;
  /** The server's clock at arrival, Unix ms. */
  readonly at: number;
}

/** Body of a response: JSON, other text, or nothing. */
export type Body =
  | { readonly kind: 'json'; readonly value: Json; readonly mediaType?: string }
  | { readonly kind: 'text'; readonly text: string; readonly mediaType: string | null }
  | { readonly kind: 'none' };

/** An answer before it is written out. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: Body;
}

/** Bytes and manners of one answer on the wire. */
export interface Wire {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly payload: Buffer;
  /** Delay of the response, ms. */
  readonly delayMs: number;
  /** Written in pieces, with no Content-Length. */
  readonly chunked: boolean;
  /** The connection ends after this answer. */
  readonly closes: boolean;
  /** The connection is reset and nothing is written. */
  readonly resets: boolean;
}

/** Why a request is refused. `status` is the HTTP status and, in a sound server, the Error body's. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: readonly Header[];
}

/** A value that was read from a request, or why it could not be. */
export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

/** Route of a request. */
export type Route =
  | { readonly kind: 'operation'; readonly operation: OperationName; readonly petId: string }
  | { readonly kind: 'undeclared-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown' };

/** A value that could be read. */
export const read = <T>(value: T): Read<T> => ({ ok: true, value });

/** A value that could not. */
export const refused = (problem: Problem): Read<never> => ({ ok: false, problem });

/** The problem of a request whose body or parameters are not what the interface describes. */
export const invalid = (message: string): Problem => ({ status: 400, code: 'invalid_request', message });

/** An answer with a JSON body. */
export const json = (status: number, value: Json, headers: readonly Header[] = []): Answer => ({
  status,
  headers,
  body: { kind: 'json', value },
});

/** Returns the response with a header set; it replaces one of the same name, in any letter case. */
export const withHeader = (answer: Answer, name: string, value: string): Answer => ({
  ...answer,
  headers: [...withoutHeader(answer, name).headers, [name, value]],
});

/** Returns the response without the headers of that name, in any letter case. */
export const withoutHeader = (answer: Answer, name: string): Answer => ({
  ...answer,
  headers: answer.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase()),
});
