import type { ClientExchange, ExchangeTimes, Traffic } from '../../wire/exchange/client-exchange.js';
import type { ClientRow } from '../../base/interface/requirement-ids.js';
import { judgeClient } from './judge-client.js';

/** Start of these records, Unix ms; a whole second. */
export const START = Date.parse('2026-11-20T10:00:00Z');

export interface Given {
  readonly method?: string;
  readonly target?: string;
  readonly body?: string | null;
  readonly type?: string | null;
  readonly status?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly requestHeaders?: readonly (readonly [string, string])[];
  readonly answer?: string;
  readonly key?: ClientExchange['credential']['key'];
  readonly bearer?: boolean;
  readonly elsewhere?: readonly string[];
  readonly origin?: string;
  readonly connection?: string;
  /** ms after the start: read and written at the server. */
  readonly at?: readonly [read: number, written: number];
  readonly times?: ExchangeTimes;
}

let made = 0;

/** Returns an exchange: `GET /pets` with the Free key, answered with 200, unless given otherwise. */
export function sent(given: Given = {}): ClientExchange {
  const { method = 'GET', target = '/v1/pets', body = null, status = 200, at = [0, 1] } = given;
  const type = given.type === undefined ? (body === null ? null : 'application/json') : given.type;
  made += 1;
  return {
    id: `t${made}`,
    ...(given.origin !== undefined && { origin: given.origin }),
    credential: {
      key: given.key ?? { kind: 'plan', plan: 'free' },
      bearer: given.bearer ?? true,
      elsewhere: given.elsewhere ?? [],
    },
    request: {
      method,
      target,
      headers: [
        ['Host', 'shop.example.com'],
        ['Authorization', 'Bearer $PETSTORE_FREE_KEY'],
        ...(type === null ? [] : ([['Content-Type', type]] as const)),
        ...(given.requestHeaders ?? []),
      ],
      body: body === null ? { kind: 'empty' } : { kind: 'whole', text: body },
    },
    connection: given.connection ?? 'c1',
    times: given.times ?? { kind: 'server', readAt: START + at[0], writtenAt: START + at[1] },
    answer: {
      kind: 'response',
      status,
      headers: given.headers ?? [],
      body: given.answer === undefined ? { kind: 'empty' } : { kind: 'whole', text: given.answer },
    },
  };
}

export const refused = (
  retryAfter: string,
  at: readonly [number, number],
  given: Given = {},
): ClientExchange =>
  sent({ ...given, at, status: 429, headers: [['Retry-After', retryAfter], ...(given.headers ?? [])] });

/** Returns the reference server's record of a client that ended by itself, unless given otherwise. */
export const recordOf = (exchanges: readonly ClientExchange[], given: Partial<Traffic> = {}): Traffic => ({
  source: 'reference',
  basePath: '/v1',
  graceMs: 250,
  exchanges,
  end: { endedAt: START + 60_000, finished: true, graceMs: 250 },
  ...given,
});

/** Returns how a row is judged: its worst finding's kind, `not-shown` for none. */
export function judgedAs(row: ClientRow, record: Traffic): 'kept' | 'violated' | 'not-shown' {
  const kinds = judgeClient([record], [row]).map(({ kind }) => kind);
  if (kinds.includes('violated')) return 'violated';
  return kinds.includes('kept') ? 'kept' : 'not-shown';
}

export const messagesOf = (row: ClientRow, record: Traffic): readonly string[] =>
  judgeClient([record], [row]).flatMap((finding) => (finding.kind === 'violated' ? [finding.message] : []));
