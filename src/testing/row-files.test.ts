import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RequirementId } from '../contract/types.js';
import { packageRoot } from '../contract/package.js';

const root = packageRoot();
const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** Returns the files in the table after the words that name a row. */
function walkOf(row: RequirementId): readonly string[] {
  const from = text.indexOf(`\`${row}\`:\n`);
  assert.ok(from >= 0, row);
  const [, table = ''] = text.slice(from).split('\n\n');
  return [...table.matchAll(/^\| `([^`]+)`/gm)].flatMap(([, file]) => file ?? []);
}

const FOLDERS = ['config', 'src', 'suites'];
const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => !/\.test\.(support\.)?tsx?$/.test(name) && statSync(join(root, name)).isFile()),
);

/** Returns the files that mention a row's id, without tests. */
const mentioning = (row: RequirementId): readonly string[] =>
  files.filter((name) => new RegExp(`(?<![\\w-])${row}(?![\\w-])`).test(readFileSync(join(root, name), 'utf8')));

for (const row of ['base-path-v1', 'ban-only-that-key'] as const)
  test(`CONTRIBUTING.md names exactly the files of ${row}`, () => {
    const walk = walkOf(row);
    assert.deepEqual(
      walk.filter((name) => !existsSync(join(root, name))),
      [],
    );
    assert.deepEqual(walk.toSorted(), mentioning(row).toSorted());
  });
