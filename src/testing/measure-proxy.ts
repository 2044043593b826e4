import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { start } from './e2e/support/command.js';
import { fastServer, scratch } from './measure.js';

/** Requests over each way: enough for a 99th percentile. */
const REQUESTS = 1_000;
/** Requests before the first that counts, so that both ways are compiled. */
const WARM_UP = 200;

/** Times of responses, ms. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/**
 * Measures a listing of 20 animals over one kept connection, directly and through the proxy with its record,
 * in turns: other work of the machine meets both.
 */
export async function measureProxy(): Promise<{ readonly direct: Latency; readonly proxied: Latency }> {
  using folder = scratch();
  using server = await fastServer();
  const words = [
    'proxy',
    '--base-url',
    `${server.origin}/v1`,
    '--key',
    'business=${KEY}',
    '--report-dir',
    'out',
  ];
  const running = start(words, { cwd: folder.cwd, env: { KEY: 'pk-of-the-bench-0123456789' } });
  const [, baseUrl = ''] = await running.shows(/listening (\S+)/);
  const ways = { direct: timing(`${server.origin}/v1`), proxied: timing(baseUrl) };
  for (let count = 0; count < WARM_UP + REQUESTS; count += 1) {
    const isCounted = count >= WARM_UP;
    await ways.direct.send(isCounted);
    await ways.proxied.send(isCounted);
  }
  running.child.kill('SIGINT');
  await running.ended;
  return { direct: ways.direct.latency(), proxied: ways.proxied.latency() };
}

/** Sends listings over one connection, and keeps their times. */
function timing(baseUrl: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  const at = (share: number): number =>
    times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? 0;
  return {
    async send(isCounted: boolean): Promise<void> {
      const startedAt = performance.now();
      const sent = request(`${baseUrl}/pets?limit=20`, {
        agent,
        headers: { Authorization: 'Bearer pk-of-the-bench-0123456789' },
      }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
      if (isCounted) times.push(performance.now() - startedAt);
    },
    latency(): Latency {
      agent.destroy();
      return { p50: at(0.5), p99: at(0.99) };
    },
  };
}
