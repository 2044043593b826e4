import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RequirementId } from '../base/interface/types.js';
import { packageRoot } from '../base/kernel/package.js';

const root = packageRoot();

/** Returns the files in a document's table after the words that name a row, a profile or a phase. */
function walkOf(name: string, document: string): readonly string[] {
  const text = readFileSync(join(root, document), 'utf8');
  const from = text.indexOf(`\`${name}\`:\n`);
  assert.ok(from >= 0, name);
  const [, table = ''] = text.slice(from).split('\n\n');
  return [...table.matchAll(/^\| `([^`]+)`/gm)].flatMap(([, file]) => file ?? []);
}

const FOLDERS = ['config', 'src', 'suites'];
const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => !/\.test\.(support\.)?tsx?$/.test(name) && statSync(join(root, name)).isFile()),
);

/** Returns the files that match a pattern, without tests. */
const matching = (pattern: RegExp): readonly string[] =>
  files.filter((name) => pattern.test(readFileSync(join(root, name), 'utf8')));

const rowPattern = (row: RequirementId): RegExp => new RegExp(`(?<![\\w-])${row}(?![\\w-])`);

/** Of the files that name a row, those that prove its check. */
const proves = (file: string): boolean =>
  file.startsWith(join('src', 'proof')) || file === join('config', 'proof.json');

/** Files that may use the findings on a row of load, or the record of a profile. */
const USES_FINDINGS = [
  join('src', 'report', 'pages', 'model', 'violations.ts'),
  join('src', 'base', 'interface', 'families.ts'),
  join('src', 'report', 'causes', 'limiter.ts'),
];

/** Walks of the documents. `isPart` leaves out files that a walk does not list. */
const WALKS: readonly {
  readonly name: string;
  readonly document: string;
  readonly pattern: RegExp;
  readonly most?: number;
  readonly isPart?: (file: string) => boolean;
}[] = [
  { name: 'base-path-v1', document: 'CONTRIBUTING.md', pattern: rowPattern('base-path-v1') },
  { name: 'ban-only-that-key', document: 'CONTRIBUTING.md', pattern: rowPattern('ban-only-that-key') },
  {
    name: 'error-status-matches',
    document: 'docs/contributor.md',
    pattern: rowPattern('error-status-matches'),
    most: 4,
    isPart: (file) => !proves(file),
  },
  {
    name: 'provenBy',
    document: 'docs/contributor.md',
    // A member of the document of a run: what a card shows of it.
    pattern: /\bprovenBy\b/,
    most: 4,
  },
  {
    name: 'concurrent',
    document: 'docs/contributor.md',
    // Its row, its name as a value, its series and its own files.
    pattern: /rate-concurrent|(['"])concurrent\1|\[concurrent\]|\bConcurrentSeries\b|\/concurrent\/\w+\.js'/,
    // A new profile and its row: six for what is sent, the rest for the judgement.
    most: 12,
    isPart: (file) => !proves(file) && !USES_FINDINGS.includes(file),
  },
  {
    name: 'status',
    document: 'docs/contributor.md',
    // In the contract, among the names, its row with its test, its places by parameter, what exploring tries.
    pattern: new RegExp(
      [
        '- name: status\\n',
        '^ {2}readonly limit: number;\\n {2}readonly status: PetStatus;',
        'id: list-status-filter\\n',
        "^ {2}'list-status-filter',\\n(?: {2}'list-.*\\n)+ {2}'create-",
        "requirement\\('list-status-filter'",
        "^ {2}status: (?:\\(page|'list-status)",
        'listingParameters\\.flatMap',
      ].join('|'),
      'm',
    ),
    most: 8,
    isPart: (file) => !proves(file) && !file.startsWith(join('src', 'testing')),
  },
  {
    name: 'X-RateLimit-Limit',
    document: 'docs/contributor.md',
    pattern: /x-ratelimit-/i,
    most: 4,
    isPart: (file) => file !== join('config', 'proof.json') && !file.startsWith(join('src', 'testing')),
  },
  {
    name: 'errorMembers',
    document: 'docs/contributor.md',
    // In the contract, in the statement, the list, and what must have each of its members.
    pattern: /^ {4}Error:$|has an Error with a string code|\berrorMembers =|\bsatisfies OwnError\b/m,
    most: 5,
    isPart: (file) => !file.startsWith(join('src', 'testing')),
  },
  {
    name: 'business',
    document: 'docs/contributor.md',
    // Plans next to each other: as texts, as variables, as members, in a statement.
    pattern:
      /Pro 300 and\s+10,000, Business|'free', 'pro'|'pro', 'business'|\bfree, pro\b|\bpro, business\b|^ *free: .*\n *pro: /m,
    most: 7,
    // Flaws, trials and tests choose some plans; they hold no list of all.
    isPart: (file) =>
      !['src/proof/flaws/', 'src/proof/selftest/', 'src/testing/'].some((folder) => file.startsWith(folder)),
  },
  {
    name: 'explore',
    document: 'docs/contributor.md',
    // Its name among those of phases, the phase itself, and its live line.
    pattern: /PhaseName =.*'explore'|\bexplorePhase\b|\bexploreFacts\b/,
    most: 4,
  },
];

for (const { name, document, pattern, most = Infinity, isPart = () => true } of WALKS)
  test(`${document} names exactly the files of ${name}`, () => {
    const walk = walkOf(name, document);
    assert.deepEqual(
      walk.filter((file) => !existsSync(join(root, file))),
      [],
    );
    assert.deepEqual(walk.toSorted(), matching(pattern).filter(isPart).toSorted());
    assert.ok(walk.length <= most, `${walk.length} files`);
  });

/** Rows of the table of facts and columns: an example and the file that holds it. */
const facts = [
  ...readFileSync(join(root, 'docs/contributor.md'), 'utf8').matchAll(
    /such as `([^`]+)` +\| `(src\/report\/[^`]+)`/g,
  ),
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
