import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReference } from '../reference/index.js';
import type { Results } from '../verdict/results.js';
import { petstore } from './e2e/support/command.js';

/** Time and results of one run of the suites. */
export interface Measured {
  /** From the start of the command to its end. */
  readonly commandMs: number;
  /** From the log's first line to its last, as in results.json. */
  readonly runMs: number;
  readonly results: Results;
}

/** Runs the suites once against an address, in a temporary folder. */
export async function measureSuites(baseUrl: string, key: string): Promise<Measured> {
  const cwd = mkdtempSync(join(tmpdir(), 'petstore-measure-'));
  try {
    writeFileSync(join(cwd, 'target.yaml'), `name: measured\nbaseUrl: ${baseUrl}\nkeys: { business: '\${KEY}' }\n`);
    const startedAt = performance.now();
    const { stderr } = await petstore(
      ['run', '--target', 'target.yaml', '--only', 'suites', '--report-dir', 'run', '--reporter', 'quiet'],
      { cwd, env: { KEY: key } },
    );
    const commandMs = performance.now() - startedAt;
    if (stderr !== '') throw new Error(stderr);
    const results = JSON.parse(readFileSync(join(cwd, 'run/results.json'), 'utf8')) as Results;
    return { commandMs, runMs: results.durationMs, results };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Measures the suites against the reference server. */
export async function measurePassing(): Promise<Measured> {
  const server = await startReference();
  try {
    return await measureSuites(server.baseUrl, server.keys.business);
  } finally {
    await server.close();
  }
}

const wrong: RequestListener = (request, response) => {
  request.resume();
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"oops":true}');
};

/** Measures the suites against a server that is almost all wrong: every response is an object, never a list. */
export async function measureFailing(): Promise<Measured> {
  const server = createServer(wrong).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await measureSuites(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, 'any-key-will-do-here');
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Returns the median of three or more figures. */
export const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
