import { networkInterfaces } from 'node:os';
import type { Obstacle } from '../log/record.js';
import { UsageError } from '../base/kernel/errors.js';
import { Connection } from '../wire/exchange/connection.js';
import { userAgent } from '../wire/exchange/headers.js';
import { endpointOf, isLoopback } from '../wire/targets/base-url.js';
import type { Target } from '../wire/targets/target.js';
import { unreachable } from './unreachable.js';

/**
 * Sends one request without a key, and returns why the target does not answer, as `doctor` says it; null if
 * it does. Any response is one: what it means, the client's own requests show.
 */
export async function reachTarget(target: Target): Promise<Obstacle | null> {
  const { origin, pathname } = new URL(target.baseUrl);
  await using connection = new Connection(origin, target.http);
  const { answer } = await connection.send({
    method: 'GET',
    path: `${pathname}/pets?limit=1`,
    headers: [['User-Agent', userAgent('proxy', 'is the target there?')]],
    body: null,
  });
  return answer.kind === 'response' ? null : await unreachable(answer, target);
}

/**
 * Throws UsageError if the target is the proxy's own address: it would pass each request on to itself, for
 * ever.
 */
export function refuseItself({ baseUrl, http }: Target, port: number): void {
  const url = new URL(baseUrl);
  const { host, port: targetPort } = endpointOf(url);
  if (port === 0 || targetPort !== port) return;
  const own = Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []);
  if (!isLoopback(url) && !own.includes(http.address ?? host)) return;
  throw new UsageError(
    'proxy-itself',
    `The target ${baseUrl} is the address at which the proxy listens.`,
    'Name another port with --port, or the address of the server with --target.',
  );
}
