import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Results } from '../verdict/results.js';
import { petstore, start } from './e2e/support/command.js';
import { REDIS, redisServer } from './e2e/support/redis.js';

/** What four agents send beside one, as fast as each goes, against one server. */
export interface FleetMeasured {
  /** Requests a second. */
  readonly one: number;
  readonly four: number;
  /** Processor time of the generators for a request, four against one. */
  readonly costRatio: number;
}

const AGENTS = 4;
/** Of each agent. */
const CONNECTIONS = 10;
const SECONDS = 5;
const KEY = 'pk-some-key-of-a-bench';

/** So many cores do not stand in each other's way: one for each agent, one for the server and one for the rest. */
export const CORES_OF_FOUR = AGENTS + 2;

/** Measures once; null where there is no Redis. */
export async function measureFleet(): Promise<FleetMeasured | null> {
  if (!existsSync(REDIS)) return null;
  const endings: (() => unknown)[] = [];
  const cwd = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  endings.push(() => rmSync(cwd, { recursive: true, force: true }));
  const server = spawn(process.execPath, [join(import.meta.dirname, 'fast-server.js')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  endings.push(() => server.kill());
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    writeFileSync(
      join(cwd, 't.yaml'),
      `name: t\nbaseUrl: http://127.0.0.1:${String(port).trim()}/v1\nkeys: { enterprise: "\${KEY}" }\nplans: { enterprise: { perMinute: 100000000, perDay: 1000000000 } }\n`,
    );
    const { url } = await redisServer({ after: (end) => endings.push(end as () => unknown) });
    const words = (agents: number): readonly string[] => {
      const phase = `{ name: flood, duration: ${SECONDS}s, connections: ${agents * CONNECTIONS} }`;
      const text = `name: b\nphases: [${phase}]\noperations: [{ operation: listPets, query: { limit: 20 } }]\noverLimit: allow\n`;
      writeFileSync(join(cwd, `${agents}.yaml`), text);
      const load = ['load', '--target', 't.yaml', '--scenario', `${agents}.yaml`, '--report-dir', String(agents)];
      return [...load, '--reporter', 'quiet', '--agents', String(agents), '--redis', url];
    };
    const run = async (agents: number) => {
      await petstore(words(agents), { cwd, env: { KEY } });
      const { capacity } = JSON.parse(readFileSync(join(cwd, `${agents}/results.json`), 'utf8')) as Results;
      const perSecond = capacity?.phases[0]?.perSecond ?? 0;
      const cpu = capacity?.agents.reduce((sum, agent) => sum + agent.cpu, 0) ?? 0;
      return { perSecond, cost: cpu / Math.max(1, perSecond) };
    };
    const begin = async (name: string): Promise<void> => {
      const agent = start(['agent', '--redis', url, '--name', name], { cwd, env: { KEY } });
      endings.push(() => agent.child.kill('SIGKILL'));
      await agent.shows(/waits for work/);
    };
    await begin('a1');
    const one = await run(1);
    for (const name of ['a2', 'a3', 'a4']) await begin(name);
    const four = await run(AGENTS);
    return { one: one.perSecond, four: four.perSecond, costRatio: four.cost / one.cost };
  } finally {
    for (const end of endings.toReversed()) await end();
  }
}
