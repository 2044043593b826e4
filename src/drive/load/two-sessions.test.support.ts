import { RATE_HEADERS } from '../../base/interface/rate-headers.js';
import { rawServer, respond } from '../../testing/raw-server.js';
import { newConnectionReuse } from '../../wire/exchange/connection-reuse.js';
import { secret } from '../../wire/targets/secret.js';
import { keepsNothing } from './keeps-nothing.test.support.js';
import { network, openKeySession } from './key-session.js';
import { loadStore } from './requests.js';

const HEADERS = [
  'Content-Type: application/json',
  `${RATE_HEADERS.limit}: 60`,
  `${RATE_HEADERS.remaining}: 50`,
];
const PET = '{"id":1,"name":"Rex","categoryId":1}';
/** Time of each response, ms: parallel requests need as many connections. */
const LATENCY_MS = 5;

/** Starts a server that allows an address so many connections, and two sessions of one run to it. */
export async function twoSessions(most: number, latencyMs = LATENCY_MS) {
  const server = await rawServer(
    ({ socket, text }) =>
      void setTimeout(() => {
        if (text.startsWith('POST')) respond(socket, PET, HEADERS, '201 Created');
        else respond(socket, `[${PET}]`, HEADERS);
      }, latencyMs),
    { most },
  );
  const carrier = network();
  let id = 0;
  const open = (key: 'free' | 'pro') =>
    openKeySession({
      key,
      figures: { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 },
      origin: server.origin,
      limits: { timeoutMs: 5000, maxBodyBytes: 10_000 },
      context: { basePath: '/v1', userAgent: 'kit (test)', run: 'cafe0123', secret: secret('pk-test-key') },
      store: loadStore([]),
      keeper: keepsNothing,
      reuse: newConnectionReuse(),
      carrier,
      nextId: () => `l${(id += 1)}`,
      signal: new AbortController().signal,
    });
  const sessions = [open('free'), open('pro')] as const;
  return {
    server,
    sessions,
    close: async () => {
      await Promise.all(sessions.map((session) => session.close()));
      await server.close();
    },
  };
}
