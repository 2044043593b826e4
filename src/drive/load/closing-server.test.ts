import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newConnectionReuse } from '../../wire/exchange/connection-reuse.js';
import { secret } from '../../wire/targets/secret.js';
import { rawServer, respond } from '../../testing/raw-server.js';
import { keepsNothing } from './keeps-nothing.test.support.js';
import { collector, openKeySession } from './key-session.js';
import { loadStore } from './requests.js';
import { RATE_HEADERS } from '../../base/interface/rate-headers.js';

const HEADERS = [
  'Content-Type: application/json',
  `${RATE_HEADERS.limit}: 60`,
  `${RATE_HEADERS.remaining}: 9`,
];
const PET = '{"id":1,"name":"Rex","categoryId":1}';

/** Reads that may meet a closed connection until the server's habit is known (`reuse.ts`). */
const MOST_REPEATED = 2;

/** Reads until the habit must be known: two ends show it, and a close that comes late hides one for a while. */
const MOST_ASKED = 30;

/**
 * Ways to close a connection after its response without `Connection: close`, which RFC 9112 section 9.6
 * allows.
 */
const CLOSERS = {
  'in the moment of the response': (close: () => void) => close(),
  '5 ms after the response': (close: () => void) => void setTimeout(close, 5),
} as const;

for (const [when, soon] of Object.entries(CLOSERS))
  for (const how of ['end', 'destroySoon'] as const)
    test(`a server that closes each connection ${when} (${how}) answers each request of a burst, sent once`, async (t) => {
      const server = await rawServer(({ socket, text }) => {
        if (text.startsWith('POST')) respond(socket, PET, HEADERS, '201 Created');
        else respond(socket, `[${PET}]`, HEADERS);
        soon(() => void socket[how]());
      });
      let id = 0;
      const reuse = newConnectionReuse();
      const session = openKeySession({
        key: 'free',
        figures: { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 },
        origin: server.origin,
        limits: { timeoutMs: 5000, maxBodyBytes: 10_000 },
        context: { basePath: '/v1', userAgent: 'kit (test)', run: 'cafe0123', secret: secret('pk-test-key') },
        store: loadStore([]),
        keeper: keepsNothing,
        reuse,
        nextId: () => `l${(id += 1)}`,
        signal: new AbortController().signal,
      });
      t.after(async () => {
        await session.close();
        await server.close();
      });
      // Reads show the server's habit. On a busy machine one may meet a close that came late, and is sent again.
      const before = collector('burst');
      for (let asked = 0; asked < MOST_ASKED && !reuse.isSingle; asked += 1)
        await session.ask('listPets', before);
      assert.ok(
        reuse.isSingle,
        `${before.samples.length} reads did not show that the server closes each connection`,
      );
      assert.ok(before.samples.filter(({ status }) => status === 0).length <= MOST_REPEATED);
      const received = server.requests.length;
      const sink = collector('burst');
      let sent = 0;
      const next = () =>
        (sent += 1) > 30 ? null : sent % 2 === 0 ? ('createPet' as const) : ('listPets' as const);
      await session.inParallel({ connections: 5, next, stopsAt: ({ status }) => status === 0 }, sink);
      for (const operation of ['createPet', 'getPet', 'createPet'] as const)
        await session.ask(operation, sink);
      const lost = sink.samples.filter(({ status }) => status === 0);
      assert.deepEqual([lost, sink.samples.length, server.requests.length - received], [[], 33, 33]);
    });
