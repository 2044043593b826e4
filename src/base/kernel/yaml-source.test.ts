import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseYaml, readText } from './yaml-source.js';
import { ConfigError } from './errors.js';
import { decodedText } from './text-encoding.js';

const isA =
  (code: string, says: RegExp) =>
  (error: unknown): boolean =>
    error instanceof ConfigError && error.code === code && says.test(error.message);

test('YAML with an alias to its own parent is rejected', () => {
  for (const text of ['&a {x: *a}', 'a: &a [1, [*a]]', 'keys: &k { free: k, more: { again: *k } }'])
    assert.throws(() => parseYaml(text, 'file').toValue(), isA('yaml-syntax', /alias/), text);
  assert.deepEqual(parseYaml('a: &a [1]\nb: [*a, *a]', 'file').toValue(), { a: [1], b: [[1], [1]] });
});

test('a pipe, a folder and a huge file are rejected with a clear message', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-yaml-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = (name: string): string => join(folder, name);
  spawnSync('mkfifo', [file('pipe')]);
  writeFileSync(file('huge'), '');
  // Sparse, so it uses no disk space.
  truncateSync(file('huge'), 600 * 2 ** 20);
  assert.throws(() => readText(file('pipe'), ''), isA('unreadable-file', /pipe/));
  assert.throws(() => readText(folder, ''), isA('unreadable-file', /folder/));
  assert.throws(() => readText(file('huge'), ''), isA('unreadable-file', /too large/));
});

test('a binary file is named as such', () => {
  for (const bytes of [
    [0x1f, 0x8b, 8, 0, 0, 9],
    [1, 2, 3],
    [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0x41],
  ])
    assert.throws(() => parseYaml(decodedText(Buffer.from(bytes)), 'file'), isA('yaml-syntax', /not text/));
});

test('values nested too deeply are rejected, and end no process', () => {
  for (const text of [
    '['.repeat(30_000),
    '{"a":'.repeat(3000),
    '- '.repeat(3000),
    '? '.repeat(500),
    `${' '.repeat(600)}a: 1`,
  ])
    assert.throws(() => parseYaml(text, 'deep.yaml'), isA('too-large', /nested too deeply/));
  assert.doesNotThrow(() => parseYaml(`${'['.repeat(150)}${']'.repeat(150)}`, 'x.yaml'));
});

test('an error of syntax says what is wrong and how to fix it, without the text', () => {
  for (const [text, file, says, remedy] of [
    ['a: 1\nb: 2\na: SECRET', 'x.yaml', /YAML or JSON \(a name stands twice/, /^Remove one of the two\.$/],
    ['{"a": 1, "a": 2}', 'x.json', /JSON \(a name stands twice/, /^Remove one/],
    [
      '{"kind": "SECRET"',
      'c.json',
      /well-formed JSON \(a quote, a bracket/,
      /^Check quotes, commas and brackets/,
    ],
    ['a: {b: 1', 'x.yaml', /YAML or JSON \(/, /^Check indentation.*\$\{NAME\}/],
    ['a: 1\n---\nb: 2', 'x.yaml', /several documents/, /one document/],
    ['a:\n\tb: 1', 'x.yaml', /tab/, /spaces/],
  ] as const)
    assert.throws(
      () => parseYaml(text, file),
      (error) =>
        error instanceof ConfigError &&
        says.test(error.message) &&
        remedy.test(error.hint) &&
        !error.message.includes('SECRET'),
      text,
    );
});
