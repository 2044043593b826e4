import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import type { Results } from '../verdict/results.js';
import { petstore } from './e2e/support/command.js';

/** What load costs beside a generator that checks nothing, in one run against one server. */
export interface LoadMeasured {
  /** Requests a second. */
  readonly bare: number;
  readonly checked: number;
  readonly bareWithCreations: number;
  readonly checkedWithCreations: number;
  /** Open loop at 2,000/s: the longest that any request was late, by second, the median of them, ms; and how many were dropped. */
  readonly lateMs: number;
  readonly dropped: number;
}

const CONNECTIONS = 10;
const SECONDS = 5;
const CREATION = JSON.stringify({ name: 'conformance-0123abcd-load-1-1000', categoryId: 5, status: 'available' });

/** Measures each once: reads, a tenth of creations, and open loop. */
export async function measureLoad(): Promise<LoadMeasured> {
  const cwd = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  const server = spawn(process.execPath, [join(import.meta.dirname, 'fast-server.js')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    const origin = `http://127.0.0.1:${String(port).trim()}`;
    const keys =
      'keys: { enterprise: pk-some-key-of-a-bench }\nplans: { enterprise: { perMinute: 100000000, perDay: 1000000000 } }';
    writeFileSync(join(cwd, 't.yaml'), `name: t\nbaseUrl: ${origin}/v1\n${keys}\n`);
    const list = { method: 'GET', path: '/v1/pets?limit=20' } as const;
    const create = {
      method: 'POST',
      path: '/v1/pets',
      body: CREATION,
      headers: { 'Content-Type': 'application/json' },
    } as const;
    const bare = await bareRate(origin, [list]);
    const checked = await rateOf(cwd, false);
    const bareWithCreations = await bareRate(origin, [...Array.from({ length: 9 }, () => list), create]);
    const checkedWithCreations = await rateOf(cwd, true);
    return { bare, checked, bareWithCreations, checkedWithCreations, ...(await openLoop(cwd)) };
  } finally {
    server.kill();
    rmSync(cwd, { recursive: true, force: true });
  }
}

async function bareRate(url: string, requests: readonly autocannon.Request[]): Promise<number> {
  const headers = { Authorization: 'Bearer pk-some-key-of-a-bench' };
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers,
    requests: [...requests],
  });
  return result.requests.average;
}

async function load(
  cwd: string,
  phase: string,
  creations: boolean,
): Promise<{ readonly results: Results; readonly log: string }> {
  const operations = [
    '{ operation: listPets, weight: 9, query: { limit: 20 } }',
    ...(creations ? ['{ operation: createPet, weight: 1 }'] : []),
  ];
  const text = `name: b\nphases: [${phase}]\noperations: [${operations.join(', ')}]\noverLimit: allow\n`;
  writeFileSync(join(cwd, 's.yaml'), text);
  rmSync(join(cwd, 'out'), { recursive: true, force: true });
  const { stderr, stdout } = await petstore(
    ['load', '--target', 't.yaml', '--scenario', 's.yaml', '--report-dir', 'out', '--reporter', 'quiet'],
    { cwd },
  );
  const results = JSON.parse(readFileSync(join(cwd, 'out/results.json'), 'utf8')) as Results;
  if (!results.capacity || results.capacity.violations.length > 0)
    throw new Error(`The bench's own server was found wrong: ${stdout}${stderr}`);
  return { results, log: readFileSync(join(cwd, 'out/log.ndjson'), 'utf8') };
}

async function rateOf(cwd: string, creations: boolean): Promise<number> {
  const { results } = await load(cwd, `{ name: flood, duration: ${SECONDS}s, connections: ${CONNECTIONS} }`, creations);
  return results.capacity?.phases[0]?.perSecond ?? 0;
}

async function openLoop(cwd: string): Promise<Pick<LoadMeasured, 'lateMs' | 'dropped'>> {
  const { results, log } = await load(cwd, `{ name: open, duration: ${SECONDS}s, rate: 2000/s }`, false);
  const late = log
    .split('\n')
    .flatMap((line) => /"type":"second".*"lateMs":([\d.]+)/.exec(line)?.[1] ?? [])
    .map(Number)
    .toSorted((one, other) => one - other);
  return { lateMs: late[Math.floor(late.length / 2)] ?? 0, dropped: results.capacity?.phases[0]?.dropped ?? 0 };
}
