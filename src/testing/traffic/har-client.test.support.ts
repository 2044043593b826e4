import { request as send, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';

/** A request of a client, and its entry in a HAR file. */
export interface Wanted {
  readonly method?: string;
  /** Path below the base address. */
  readonly path: string;
  /** null for none. */
  readonly key?: string | null;
  readonly body?: string;
}

/** A client that writes a HAR file of its own requests, as libraries do. */
export function recordingClient(baseUrl: string, key: string) {
  const entries: unknown[] = [];
  return {
    /** Sends a request, and records it. */
    async send({
      method = 'GET',
      path,
      key: own = key,
      body,
    }: Wanted): Promise<{ readonly status: number; readonly text: string }> {
      const headers = {
        ...(own !== null && { Authorization: `Bearer ${own}` }),
        ...(body !== undefined && {
          'Content-Type': 'application/json',
          'Content-Length': String(Buffer.byteLength(body)),
        }),
      };
      const started = Date.now();
      const since = performance.now();
      const outgoing = send(`${baseUrl}${path}`, { method, headers });
      outgoing.end(body);
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      const wait = performance.now() - since;
      const content = await text(response);
      const time = performance.now() - since;
      entries.push({
        startedDateTime: new Date(started).toISOString(),
        time,
        timings: { blocked: 0, send: 0, wait, receive: time - wait },
        request: {
          method,
          url: `${baseUrl}${path}`,
          headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
          ...(body !== undefined && { postData: { mimeType: 'application/json', text: body } }),
        },
        response: {
          status: response.statusCode,
          headers: pairsOf(response.rawHeaders),
          content: {
            size: Buffer.byteLength(content),
            mimeType: response.headers['content-type'] ?? '',
            text: content,
          },
        },
      });
      return { status: response.statusCode ?? 0, text: content };
    },
    /** Returns the file. */
    har: (): string =>
      JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } }),
  };
}

const pairsOf = (raw: readonly string[]): readonly object[] =>
  Array.from({ length: raw.length / 2 }, (_, at) => ({ name: raw[2 * at], value: raw[2 * at + 1] }));

/** Sends what an ordinary client sends: listings, creations, fetches, some of them wrong, one without the key. */
export async function ordinaryTraffic(baseUrl: string, key: string): Promise<string> {
  const client = recordingClient(baseUrl, key);
  const created = (body: object): Promise<{ readonly text: string }> =>
    client.send({ method: 'POST', path: '/pets', body: JSON.stringify(body) });
  for (const query of [
    '',
    '?limit=5',
    '?limit=100',
    '?status=available',
    '?status=sold&limit=2',
    '?status=pending',
    '?limit=1000',
  ])
    await client.send({ path: `/pets${query}` });
  const { text: rex } = await created({ name: 'Rex', categoryId: 1 });
  await created({ name: 'Zoë <&> "x"', categoryId: 2, status: 'sold' });
  for (const wrong of [
    { name: 'a' },
    { name: null, categoryId: 1 },
    { name: 'a', categoryId: '1' },
    { name: 'a', categoryId: 1, status: 'x' },
  ])
    await created(wrong);
  const id = /"id":(\d+)/.exec(rex)?.[1];
  if (id !== undefined) await client.send({ path: `/pets/${id}` });
  for (const path of ['/pets/9223372036854775807', '/pets/abc']) await client.send({ path });
  await client.send({ path: '/pets', key: null });
  await client.send({ path: '/pets', key: 'never-issued-key' });
  return client.har();
}
