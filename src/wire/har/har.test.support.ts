import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { ClientExchange } from '../exchange/client-exchange.js';
import { readHar } from './read-har.js';

export const BASE = 'https://shop.example.com/v1';
/** A key as a client sends it. No record may hold it. */
export const KEY = 'pk-5f0d1e7a9c3b';

type Made = Record<string, unknown>;

export const pairs = (headers: Readonly<Record<string, string>>): readonly Made[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const START = Date.parse('2026-11-20T10:00:00.000Z');

/**
 * Returns an entry as most recorders write it: `GET /pets` with the key, answered with an empty list after 20
 * ms.
 */
export function entryOf({
  request = {},
  response = {},
  ...more
}: { readonly request?: Made; readonly response?: Made; readonly at?: number } & Made = {}): Made {
  const { at = 0, ...members } = more as { readonly at?: number } & Made;
  return {
    startedDateTime: new Date(START + at).toISOString(),
    time: 20,
    timings: { blocked: 1, dns: -1, connect: -1, send: 1, wait: 15, receive: 3 },
    cache: {},
    request: {
      method: 'GET',
      url: `${BASE}/pets`,
      httpVersion: 'HTTP/1.1',
      headers: pairs({ Authorization: `Bearer ${KEY}` }),
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: 0,
      ...request,
    },
    response: {
      status: 200,
      statusText: 'OK',
      headers: pairs({ 'Content-Type': 'application/json', Date: new Date(START + at).toUTCString() }),
      content: { size: 2, mimeType: 'application/json', text: '[]' },
      ...response,
    },
    ...members,
  };
}

export const harOf = (entries: readonly unknown[], log: Made = {}): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries, ...log } });

export function fileOf(t: TestContext, content: string | Uint8Array, name = 'traffic.har'): string {
  const folder = mkdtempSync(join(tmpdir(), 'har-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

export async function recordOf(
  t: TestContext,
  content: readonly unknown[] | string | Uint8Array,
  baseUrl = BASE,
) {
  let count = 0;
  const streamed: ClientExchange[] = [];
  const record = await readHar({
    file: fileOf(t, typeof content === 'string' || content instanceof Uint8Array ? content : harOf(content)),
    baseUrl,
    keys: {},
    nextId: () => `t${(count += 1)}`,
    onExchange: (exchange) => streamed.push(exchange),
  });
  return { ...record, exchanges: record.traffic.exchanges, streamed };
}
