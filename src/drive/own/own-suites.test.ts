import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ownFiles, readOwnLedger, USUAL_NAME } from './own-suites.js';

function folder(t: TestContext, files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(tmpdir(), 'petstore-own-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}

const row = (id: string) => `  - { id: ${id}, level: must, part: 4, statement: A sentence. }\n`;

test('patterns match files, folders match their suites, and each file runs once', (t) => {
  const names = ['a.spec.ts', 'b/c.test.mjs', 'b/d.ts', 'b/[x]/e.spec.js', 'node_modules/f.spec.ts'];
  const path = folder(t, Object.fromEntries(names.map((name) => [name, ''])));
  const table: readonly (readonly [patterns: readonly string[], files: readonly string[]])[] = [
    [[''], ['a.spec.ts', 'b/[x]/e.spec.js', 'b/c.test.mjs']],
    [['a.spec.ts', '*.ts'], ['a.spec.ts']],
    [['b/*.ts'], ['b/d.ts']],
    [['**/*.{ts,mjs}'], ['a.spec.ts', 'b/c.test.mjs', 'b/d.ts']],
    [['?/d.ts'], ['b/d.ts']],
    [['b/[x]/e.spec.js'], ['b/[x]/e.spec.js']],
    [['b/[x]'], ['b/[x]/e.spec.js']],
  ];
  for (const [patterns, files] of table)
    assert.deepEqual(
      ownFiles(patterns.map((pattern) => join(path, pattern))).map((file) => relative(path, file)),
      files,
      patterns.join(),
    );
  for (const pattern of ['gone', '*.py', 'gone/**', '{a'])
    assert.throws(() => ownFiles([join(path, pattern)]), { code: 'unmatched-suite' }, pattern);
});

test('the ledger is next to the suites, or is the named file', (t) => {
  const path = folder(t, {
    [`a/${USUAL_NAME}`]: `requirements:\n${row('own-one')}`,
    [`b/${USUAL_NAME}`]: `requirements:\n${row('own-two')}`,
    'other.yaml': `requirements:\n${row('own-three')}`,
  });
  const files = ['a/x.spec.ts', 'a/y.spec.ts', 'b/z.spec.ts', 'c/none.spec.ts'].map((name) =>
    join(path, name),
  );
  const idsOf = (named?: string) => readOwnLedger(named, files).rows.map(({ id }) => id);
  assert.deepEqual(idsOf(), ['own-one', 'own-two']);
  assert.deepEqual(idsOf(join(path, 'other.yaml')), ['own-three']);
  assert.throws(() => readOwnLedger(undefined, files.slice(3)), { code: 'no-own-ledger' });
});

test('an invalid ledger is rejected with its line number', (t) => {
  const table: readonly (readonly [text: string, code: string, line: number | undefined])[] = [
    [`requirements:\n${row('own-one')}${row('own-one')}`, 'duplicate-id', 3],
    [`requirements:\n${row('list-ok')}`, 'duplicate-id', 2],
    [`requirements:\n${row('Own')}`, 'bad-value', 2],
    [`requirements:\n${row('own-one').replace('must', 'shall')}`, 'bad-value', 2],
    [`requirements:\n${row('own-one').replace('part: 4', 'part: 10')}`, 'bad-value', 2],
    [`requirements:\n${row('own-one').replace('{', '{ wy: no,')}`, 'unknown-name', 2],
    ['requirements: []', 'bad-value', 1],
    ['requirements: [', 'yaml-syntax', undefined],
  ];
  for (const [text, code, line] of table) {
    const file = join(folder(t, { 'l.yaml': text }), 'l.yaml');
    assert.throws(
      () => readOwnLedger(file, []),
      (error: { code?: string; line?: number; file?: string }) => {
        assert.equal(error.code, code, text);
        assert.equal(error.file, file);
        if (line !== undefined) assert.equal(error.line, line, text);
        return true;
      },
    );
  }
  assert.throws(() => readOwnLedger('gone.yaml', []), { code: 'unreadable-file' });
});
