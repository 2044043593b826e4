import { request } from 'undici';
import { headerIn, pairsOf } from '../wire/exchange/headers.js';
import type { Reference } from '../reference/server.js';

/** Request that a test sends. */
export interface Asking {
  readonly key?: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS' | 'PATCH';
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Response, with headers by lower-case name; several headers of one name are joined. */
export interface Asked {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Header names in the case in which they came. */
  readonly names: readonly string[];
  readonly text: string;
}

/** Sends one request to a reference server; `path` follows the base address. */
export async function ask(
  server: Pick<Reference, 'baseUrl'>,
  path: string,
  asking: Asking = {},
): Promise<Asked> {
  const answer = await request(server.baseUrl + path, {
    method: asking.method ?? 'GET',
    body: asking.body ?? null,
    responseHeaders: 'raw',
    headers: {
      ...(asking.key === undefined ? {} : { authorization: `Bearer ${asking.key}` }),
      ...asking.headers,
    },
  });
  // Raw headers are names and values in turn, contrary to their type.
  const raw = answer.headers as unknown as readonly string[];
  const names = pairsOf(raw).map(([name]) => name);
  const headers: Readonly<Record<string, string>> = Object.fromEntries(
    names.map((name) => [name.toLowerCase(), headerIn(raw, name.toLowerCase()) ?? '']),
  );
  return { status: answer.statusCode, headers, names, text: await answer.body.text() };
}
