import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Results } from '../verdict/results.js';
import { petstore, start } from './e2e/support/command.js';
import { REDIS, redisServer } from './e2e/support/redis.js';

/** Throughput of four agents and of one, each at full speed, against one server. */
export interface FleetMeasured {
  /** Requests a second. */
  readonly one: number;
  readonly four: number;
  /** Requests a second of four processes that each send a slice without Redis: the bound that the cores set. */
  readonly slices: number;
  /** Processor time of the generators per request, four over one. */
  readonly costRatio: number;
}

const AGENTS = 4;
/** Per agent. */
const CONNECTIONS = 10;
const SECONDS = 5;
/** Time for four processes to start together on few cores. */
const START_MS = 10_000;
/** Warm-up: processes that share cores slow each other while they compile code, and only the time after that counts. */
const WARM_SECONDS = 3;
const KEY = 'pk-some-key-of-a-bench';

/** Cores without contention: one per agent, one for the server and one for the rest. */
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
      const connections = `connections: ${agents * CONNECTIONS}`;
      const phases = `{ name: warm, duration: ${WARM_SECONDS}s, ${connections} }, { name: flood, duration: ${SECONDS}s, ${connections} }`;
      const text = `name: b\nphases: [${phases}]\noperations: [{ operation: listPets, query: { limit: 20 } }]\noverLimit: allow\n`;
      writeFileSync(join(cwd, `${agents}.yaml`), text);
      const load = ['load', '--target', 't.yaml', '--scenario', `${agents}.yaml`, '--report-dir', String(agents)];
      return [...load, '--reporter', 'quiet', '--agents', String(agents), '--redis', url];
    };
    const inSlices = async (): Promise<number> => {
      const begin = new Date(Date.now() + START_MS).toISOString();
      const parts = Array.from({ length: AGENTS }, (_, at) => `${at + 1}`);
      const load = ['load', '--target', 't.yaml', '--scenario', `${AGENTS}.yaml`, '--reporter', 'quiet'];
      await Promise.all(
        parts.map((part) =>
          petstore([...load, '--slice', `${part}/${AGENTS}`, '--start-at', begin, '--report-dir', `slices/${part}`], {
            cwd,
            env: { KEY },
          }),
        ),
      );
      return parts.reduce((sum, part) => sum + perSecondIn(`slices/${part}`), 0);
    };
    const perSecondIn = (folder: string): number =>
      (JSON.parse(readFileSync(join(cwd, folder, 'results.json'), 'utf8')) as Results).capacity?.phases[1]?.perSecond ??
      0;
    const run = async (agents: number) => {
      await petstore(words(agents), { cwd, env: { KEY } });
      const { capacity } = JSON.parse(readFileSync(join(cwd, `${agents}/results.json`), 'utf8')) as Results;
      const perSecond = capacity?.phases[1]?.perSecond ?? 0;
      const sent = capacity?.phases.reduce((sum, phase) => sum + phase.sent, 0) ?? 0;
      const cpu = capacity?.agents.reduce((sum, agent) => sum + agent.cpu, 0) ?? 0;
      return { perSecond, cost: cpu / Math.max(1, sent) };
    };
    const begin = async (name: string): Promise<void> => {
      const agent = start(['agent', '--redis', url, '--name', name, '--allow-loopback'], { cwd, env: { KEY } });
      endings.push(() => agent.child.kill('SIGKILL'));
      await agent.shows(/waits for work/);
    };
    await begin('a1');
    const one = await run(1);
    for (const name of ['a2', 'a3', 'a4']) await begin(name);
    const four = await run(AGENTS);
    const slices = await inSlices();
    return { one: one.perSecond, four: four.perSecond, slices, costRatio: four.cost / one.cost };
  } finally {
    for (const end of endings.toReversed()) await end();
  }
}
