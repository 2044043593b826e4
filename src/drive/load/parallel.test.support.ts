import type { RequestSpec } from '../../wire/exchange/request-spec.js';
import { secret } from '../../wire/targets/secret.js';
import { newConnectionReuse } from '../../wire/exchange/connection-reuse.js';
import type { LocalServer } from './local-server.test.support.js';
import type { ParallelOptions } from './parallel.js';
import { requestsOf, loadStore } from './requests.js';

const context = { basePath: '/v1', userAgent: 'kit (test)', run: 'cafe0123', secret: secret('pk-test-key') };
const list: RequestSpec = requestsOf('free', 'cafe0123', loadStore([]))('listPets');

/** A timeout that no response of these servers exceeds, however slow the machine, ms. */
export const LONG_MS = 60_000;

/** Returns an order of `count` listings that stops as the test demands. */
export function order(
  server: LocalServer,
  count: number,
  more: Partial<ParallelOptions> = {},
): ParallelOptions {
  let sent = 0;
  let id = 0;
  return {
    origin: server.origin,
    limits: { timeoutMs: LONG_MS, maxBodyBytes: 10_000 },
    context,
    connections: 5,
    nextId: () => `l${(id += 1)}`,
    next: () => (sent++ < count ? list : null),
    stopsAt: () => false,
    reuse: newConnectionReuse(),
    signal: new AbortController().signal,
    ...more,
  };
}
