import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from './measure.js';

interface Report {
  readonly aggregate: {
    readonly counters: Readonly<Record<string, number>>;
    /** Unix ms. */
    readonly firstCounterAt: number;
    readonly lastCounterAt: number;
  };
}

/** Found on the path. */
const PROGRAM = 'artillery';

/** Requests of each user: enough for some seconds. */
const EACH = 2000;

/**
 * Measures artillery at full speed with this many users, each on a keep-alive connection, in requests a
 * second. Returns null if `artillery` is not on the path. It is no part of the kit: npm install --global
 * artillery.
 */
export async function measureArtillery(origin: string, key: string, users: number): Promise<number | null> {
  using folder = scratch();
  const { cwd } = folder;
  const flow = [{ loop: [{ get: { url: '/v1/pets?limit=20' } }], count: EACH }];
  const config = {
    target: origin,
    http: { pool: users },
    phases: [{ duration: 1, arrivalCount: users }],
    defaults: { headers: { Authorization: `Bearer ${key}` } },
  };
  writeFileSync(join(cwd, 'script.json'), JSON.stringify({ config, scenarios: [{ flow }] }));
  const child = spawn(PROGRAM, ['run', '--output', 'report.json', 'script.json'], {
    cwd,
    stdio: 'ignore',
    env: { ...process.env, ARTILLERY_DISABLE_TELEMETRY: 'true' },
  });
  const started = await once(child, 'spawn').then(
    () => true,
    () => false,
  );
  if (!started) return null;
  await once(child, 'exit');
  const { aggregate } = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8')) as Report;
  return (
    (aggregate.counters['http.requests'] ?? 0) / ((aggregate.lastCounterAt - aggregate.firstCounterAt) / 1000)
  );
}
