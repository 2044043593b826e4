import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { petstore } from './e2e/support/command.js';
import { resultsIn } from './e2e/support/results.js';
import { fastServer, scratch } from './measure.js';

const KEY = 'pk-some-key-of-a-bench';
const CONNECTIONS = 20;
const SECONDS = 5;
/**
 * Warm-up: processes that share cores slow each other while they compile code, and only the time after that
 * counts.
 */
const WARM_SECONDS = 3;
/** 3 of 100 responses are slow, so that the median and the 99th percentile are both well within one delay. */
const DELAYS = Array.from({ length: 100 }, (_, at) => (at % 33 === 32 ? 200 : 50));
const RATE = 200;
const DELAYED_SECONDS = 15;

/** Runs a scenario with some workers, and returns the results of its last phase. */
async function phaseOf(origin: string, phases: string, workers: number) {
  using folder = scratch();
  const { cwd } = folder;
  writeFileSync(
    join(cwd, 't.yaml'),
    `name: t\nbaseUrl: ${origin}/v1\nkeys: { enterprise: "\${KEY}" }\n` +
      'plans: { enterprise: { perMinute: 100000000, perDay: 1000000000 } }\n',
  );
  const operations = 'operations: [{ operation: listPets, query: { limit: 20 } }]';
  writeFileSync(join(cwd, 's.yaml'), `name: b\nphases: [${phases}]\n${operations}\noverLimit: allow\n`);
  const words = ['--target', 't.yaml', '--scenario', 's.yaml', '--report-dir', 'out', '--reporter', 'quiet'];
  await petstore(['load', ...words, '--workers', String(workers)], { cwd, env: { KEY } });
  return resultsIn(join(cwd, 'out')).capacity?.phases.at(-1);
}

/** Returns the requests a second of one process and of two workers, at full speed against one server. */
async function throughputs() {
  using server = await fastServer();
  const warm = `{ name: warm, duration: ${WARM_SECONDS}s, connections: ${CONNECTIONS} }`;
  const flood = `${warm}, { name: flood, duration: ${SECONDS}s, connections: ${CONNECTIONS} }`;
  const [one, two] = [await phaseOf(server.origin, flood, 1), await phaseOf(server.origin, flood, 2)];
  return { one: one?.perSecond ?? 0, two: two?.perSecond ?? 0 };
}

/** Returns measured over true latencies, against a server with known delays. */
async function truthOf(workers: number) {
  using server = await fastServer(DELAYS);
  const phase = await phaseOf(
    server.origin,
    `{ name: hold, duration: ${DELAYED_SECONDS}s, rate: ${RATE}/s }`,
    workers,
  );
  const delays = (await server.end()).toSorted((one, other) => one - other);
  const at = (share: number): number => delays[Math.ceil(delays.length * share) - 1] ?? Number.NaN;
  return { p50: (phase?.latencyMs.p50 ?? 0) / at(0.5), p99: (phase?.latencyMs.p99 ?? 0) / at(0.99) };
}

/** Measures what workers send, and whether latencies are true. */
export const measureWorkers = async () => ({
  ...(await throughputs()),
  truth: { one: await truthOf(1), two: await truthOf(2) },
});
