import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReference } from '../reference/index.js';
import type { Results } from '../outcome/results/results.js';
import { petstore } from './e2e/support/command.js';
import { resultsIn } from './e2e/support/results.js';
import { portOf } from './loopback.js';

/** Time and results of one run of the suites. */
export interface Measured {
  /** From the start of the command to its end. */
  readonly commandMs: number;
  /** From the log's first line to its last, as in results.json. */
  readonly runMs: number;
  readonly results: Results;
}

/** Makes a folder for as long as a measurement takes. */
export function scratch(parent = join(tmpdir(), 'petstore-measure-')) {
  const cwd = mkdtempSync(parent);
  return { cwd, [Symbol.dispose]: () => rmSync(cwd, { recursive: true, force: true }) };
}

/**
 * Starts `fast-server.ts` in its own process.
 *
 * @param delays of its responses in turn, ms; none if empty
 */
export async function fastServer(delays: readonly number[] = []) {
  const program = join(import.meta.dirname, 'fast-server.js');
  const server = spawn(process.execPath, [program, delays.join(',')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = (await once(server.stdout, 'data')) as [Buffer];
  return {
    origin: `http://127.0.0.1:${String(port).trim()}`,
    /** Ends the server, and returns the delays that its responses had, ms. */
    async end(): Promise<readonly number[]> {
      server.stdin.end();
      return JSON.parse(await text(server.stdout)) as readonly number[];
    },
    [Symbol.dispose]: () => void server.kill(),
  };
}

/** Runs the suites once against an address, in a temporary folder. */
export async function measureSuites(baseUrl: string, key: string): Promise<Measured> {
  using folder = scratch();
  const { cwd } = folder;
  writeFileSync(
    join(cwd, 'target.yaml'),
    `name: measured\nbaseUrl: ${baseUrl}\nkeys: { business: '\${KEY}' }\n`,
  );
  const startedAt = performance.now();
  const { stderr } = await petstore(
    ['run', '--target', 'target.yaml', '--only', 'suites', '--report-dir', 'run', '--reporter', 'quiet'],
    { cwd, env: { KEY: key } },
  );
  const commandMs = performance.now() - startedAt;
  if (stderr !== '') throw new Error(stderr);
  const results = resultsIn(join(cwd, 'run'));
  return { commandMs, runMs: results.durationMs, results };
}

/** Measures the suites against the reference server. */
export async function measurePassing(): Promise<Measured> {
  await using server = await startReference();
  return await measureSuites(server.baseUrl, server.keys.business);
}

const wrong: RequestListener = (request, response) => {
  request.resume();
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"oops":true}');
};

/** Measures the suites against a server that is almost all wrong: every response is an object, never a list. */
export async function measureFailing(): Promise<Measured> {
  const server = createServer(wrong);
  try {
    return await measureSuites(`http://127.0.0.1:${await portOf(server)}/v1`, 'any-key-will-do-here');
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Returns the median of three or more figures. */
export const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
