import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { petstore, start } from './e2e/support/command.js';
import { REDIS, redisServer } from './e2e/support/redis.js';
import { resultsIn } from './e2e/support/results.js';
import { fastServer, scratch } from './measure.js';

const AGENTS = 4;
/** Per agent. */
const CONNECTIONS = 10;
const SECONDS = 5;
/**
 * Warm-up: processes that share cores slow each other while they compile code, and only the time after that
 * counts.
 */
const WARM_SECONDS = 3;
const KEY = 'pk-some-key-of-a-bench';

/** Cores without contention: one per agent, one for the server and one for the rest. */
export const CORES_OF_FOUR = AGENTS + 2;

/**
 * Measures the requests a second of four agents and of one, each at full speed, against one server. `workers`
 * is that of four workers, which need no Redis: the bound that the cores set. `costRatio` is the processor
 * time of the generators per request, four over one. Null where there is no Redis.
 */
export async function measureFleet() {
  if (!existsSync(REDIS)) return null;
  using folder = scratch();
  using server = await fastServer();
  const { cwd } = folder;
  const place = { cwd, env: { KEY } };
  const endings: (() => unknown)[] = [];
  try {
    writeFileSync(
      join(cwd, 't.yaml'),
      `name: t\nbaseUrl: ${server.origin}/v1\nkeys: { enterprise: "\${KEY}" }\nplans: { enterprise: { perMinute: 100000000, perDay: 1000000000 } }\n`,
    );
    for (const agents of [1, AGENTS]) {
      const connections = `connections: ${agents * CONNECTIONS}`;
      const phases = `{ name: warm, duration: ${WARM_SECONDS}s, ${connections} }, { name: flood, duration: ${SECONDS}s, ${connections} }`;
      const text = `name: b\nphases: [${phases}]\noperations: [{ operation: listPets, query: { limit: 20 } }]\noverLimit: allow\n`;
      writeFileSync(join(cwd, `${agents}.yaml`), text);
    }
    const load = async (agents: number, directory: string, words: readonly string[]) => {
      const files = ['--target', 't.yaml', '--scenario', `${agents}.yaml`, '--report-dir', directory];
      await petstore(['load', ...files, '--reporter', 'quiet', ...words], place);
      const { capacity } = resultsIn(join(cwd, directory));
      const sent = capacity?.phases.reduce((sum, phase) => sum + phase.sent, 0) ?? 0;
      const cpu = capacity?.agents.reduce((sum, agent) => sum + agent.cpu, 0) ?? 0;
      return { perSecond: capacity?.phases[1]?.perSecond ?? 0, cost: cpu / Math.max(1, sent) };
    };
    const { url } = await redisServer({ after: (end) => endings.push(end as () => unknown) });
    const run = (agents: number) =>
      load(agents, String(agents), ['--agents', String(agents), '--redis', url]);
    const begin = async (name: string): Promise<void> => {
      const agent = start(['agent', '--redis', url, '--name', name, '--allow-loopback'], place);
      endings.push(() => agent.child.kill('SIGKILL'));
      await agent.shows(/waits for work/);
    };
    await begin('a1');
    const one = await run(1);
    for (const name of ['a2', 'a3', 'a4']) await begin(name);
    const four = await run(AGENTS);
    const workers = await load(AGENTS, 'workers', ['--workers', String(AGENTS)]);
    return {
      one: one.perSecond,
      four: four.perSecond,
      workers: workers.perSecond,
      costRatio: four.cost / one.cost,
    };
  } finally {
    for (const end of endings.toReversed()) await end();
  }
}
