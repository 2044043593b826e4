import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RequirementId } from '../contract/types.js';
import { packageRoot } from '../contract/package.js';

const root = packageRoot();

/** Returns the files in a document's table after the words that name a row. */
function walkOf(row: RequirementId, document: string): readonly string[] {
  const text = readFileSync(join(root, document), 'utf8');
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

/** Rows with a walk. Of a check, `isPart` leaves out what proves it. */
const WALKS: readonly {
  readonly row: RequirementId;
  readonly document: string;
  readonly isPart?: (file: string) => boolean;
}[] = [
  { row: 'base-path-v1', document: 'CONTRIBUTING.md' },
  { row: 'ban-only-that-key', document: 'CONTRIBUTING.md' },
  {
    row: 'error-status-matches',
    document: 'docs/contributor.md',
    isPart: (file) => !file.startsWith(join('src', 'reference')) && file !== join('config', 'proof.json'),
  },
];

for (const { row, document, isPart = () => true } of WALKS)
  test(`${document} names exactly the files of ${row}`, () => {
    const walk = walkOf(row, document);
    assert.deepEqual(
      walk.filter((name) => !existsSync(join(root, name))),
      [],
    );
    assert.deepEqual(walk.toSorted(), mentioning(row).filter(isPart).toSorted());
  });

/** Rows of the table of facts and columns: an example and the file that holds it. */
const facts = [
  ...readFileSync(join(root, 'docs/contributor.md'), 'utf8').matchAll(/such as `([^`]+)` +\| `(src\/report\/[^`]+)`/g),
];

test('docs/contributor.md names facts and columns of pages', () => assert.ok(facts.length >= 5));

for (const [, name = '', file = ''] of facts)
  test(`only the named file of the reports says “${name}”`, () =>
    assert.deepEqual(
      files.filter(
        (one) => one.startsWith('src/report/') && readFileSync(join(root, one), 'utf8').includes(`'${name}'`),
      ),
      [file],
    ));
