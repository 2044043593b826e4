import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Results } from '../../../outcome/results/results.js';
import { CANARY } from './canary.js';
import { folder } from './folder.js';
import { expectPublished } from './results-schema.js';
import { targetFile } from './targets.js';

/** A client that lists, creates, and sends again at once after a 429; it prints its key. */
const CLIENT = `
const { PETSTORE_BASE_URL: base, PETSTORE_API_KEY: key } = process.env;
console.log('key', key);
const send = async (path, body) => {
  const headers = { Authorization: 'Bearer ' + key, ...(body && { 'Content-Type': 'application/json' }) };
  for (let left = 3; left > 0; left -= 1) {
    const response = await fetch(base + path, { method: body ? 'POST' : 'GET', headers, body });
    await response.text();
    if (response.status !== 429) return;
  }
};
await send('/pets?limit=5');
await send('/pets', '{"name":"Rex","categoryId":1}');
await fetch(new URL('/health', base)).then((response) => response.text());
`;

export const outcomes = ({ requirements }: Results, wanted: string): readonly string[] =>
  requirements.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);

export const verdicts = ({ sides }: Results) => sides?.map(({ side, verdict }) => [side, verdict]);

/** Writes the files of a run; the target is at an address. */
export function prepared(t: TestContext, baseUrl: string) {
  const cwd = folder(t);
  writeFileSync(join(cwd, 'client.mjs'), CLIENT);
  const { file, env } = targetFile(cwd, baseUrl, CANARY);
  const words = ['proxy', '--target', file, '--report-dir', 'out'];
  return {
    words,
    place: { cwd, env },
    command: ['--', process.execPath, 'client.mjs'],
    read: (name: string): string => readFileSync(join(cwd, 'out', name), 'utf8'),
    results(): Results {
      const results = JSON.parse(readFileSync(join(cwd, 'out', 'results.json'), 'utf8')) as Results;
      expectPublished(results);
      return results;
    },
  };
}
