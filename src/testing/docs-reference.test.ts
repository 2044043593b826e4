import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../base/kernel/package.js';
import { WORST_FIRST } from '../judge/verdict.js';

/** The reference lists exactly the codes in the types of the code. */

const read = (name: string): string => readFileSync(join(packageRoot(), name), 'utf8');

/** Returns the first cells of the table whose head begins with a word. */
function codesUnder(head: string): readonly string[] {
  const lines = read('docs/reference.md').split('\n');
  const from = lines.findIndex((line) => line.startsWith(`| ${head} `));
  assert.ok(from >= 0, head);
  const length = lines.slice(from).findIndex((line) => !line.startsWith('|'));
  return lines.slice(from + 2, from + length).map((line) => /^\| `([^`]+)`/.exec(line)?.[1] ?? line);
}

/** Returns the texts of a union in a file, after some words. */
function unionIn(file: string, after: string): readonly string[] {
  const source = read(file);
  const from = source.indexOf(after);
  assert.ok(from >= 0, `${file}: ${after}`);
  const [union = ''] = source.slice(from + after.length).split(/[;,]\n/, 1);
  return [...union.matchAll(/'([a-z-]+)'/g)].map(([, code = '']) => code);
}

const sorted = (codes: readonly string[]): readonly string[] => [...new Set(codes)].toSorted();

test('the reference lists every outcome, reason and obstacle', () => {
  assert.deepEqual(sorted(codesUnder('outcome')), sorted(WORST_FIRST));
  assert.deepEqual(
    sorted(codesUnder('reason')),
    sorted(unionIn('src/judge/findings/shape.ts', 'type ReasonCode =')),
  );
  assert.deepEqual(
    sorted(codesUnder('obstacle')),
    sorted([
      ...unionIn('src/wire/exchange/types.ts', 'type TransportCode ='),
      ...unionIn('src/log/record.ts', 'const obstacle = object({'),
    ]),
  );
});

test('one file defines user errors', () => {
  const files = readdirSync(join(packageRoot(), 'src'), { recursive: true, encoding: 'utf8' });
  assert.deepEqual(
    files
      .filter((file) => /\.tsx?$/.test(file) && /class \w+ extends UserError\b/.test(read(join('src', file))))
      .toSorted(),
    ['base/kernel/errors.ts'],
  );
});

test('the reference lists every error code', () => {
  assert.deepEqual(
    sorted(codesUnder('code')),
    sorted([
      ...unionIn('src/base/kernel/errors.ts', 'type UsageErrorCode ='),
      ...unionIn('src/base/kernel/errors.ts', 'type ConfigErrorCode ='),
      ...unionIn('src/base/kernel/errors.ts', 'type RunFileErrorCode ='),
      'disk',
      'open-files',
    ]),
  );
});
