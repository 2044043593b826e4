import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { rawServer, type RawRequest } from '../../raw-server.js';
import { petstoreHere } from './command.js';
import { folder } from './folder.js';
import { KEY } from './loading.js';
import { RATE_HEADERS } from '../../../base/interface/rate-headers.js';

const PHASES = '[{ name: hold, duration: 2s, rate: 100/s }]';
const LISTINGS = '[{ operation: listPets }]';

/** Runs a scenario with one key, by default of the Business plan, in this process. */
export async function loadOf(
  t: TestContext,
  baseUrl: string,
  { phases = PHASES, operations = LISTINGS, thresholds = '[]', plan = 'business', key = KEY, minute = 60 },
  words: readonly string[] = [],
) {
  const cwd = folder(t);
  writeFileSync(
    join(cwd, 't.yaml'),
    `name: t\nbaseUrl: ${baseUrl}\nkeys: { ${plan}: "\${KEY}" }\nwindows: { minute: ${minute}, day: 86400 }\n`,
  );
  const scenario = `name: s\nphases: ${phases}\noperations: ${operations}\nthresholds: ${thresholds}\n`;
  writeFileSync(join(cwd, 's.yaml'), scenario);
  const options = ['--target', 't.yaml', '--scenario', 's.yaml', '--report-dir', 'out', ...words];
  const ended = await petstoreHere(['load', ...options], { cwd, env: { KEY: key } });
  return { ...ended, directory: join(cwd, 'out') };
}

/** Returns the headers of a correct server whose plan allows `limit` requests a minute. */
export const soundHeaders = (limit: number): readonly string[] => [
  'Content-Type: application/json',
  `${RATE_HEADERS.limit}: ${limit}`,
  `${RATE_HEADERS.remaining}: ${limit - 1}`,
  `${RATE_HEADERS.reset}: ${Math.ceil(Date.now() / 1000) + 50}`,
  `Date: ${new Date().toUTCString()}`,
];

/** Starts a server that answers with raw bytes. */
export async function servingRaw(t: TestContext, answer: (request: RawRequest) => void) {
  const server = await rawServer(answer);
  t.after(() => server.close());
  return { server, baseUrl: `${server.origin}/v1` };
}
