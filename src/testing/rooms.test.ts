import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../base/kernel/package.js';

/** The wings of `src`, each above those that it may import. `docs/architecture.md` says what lives in each. */
const WINGS = [
  'proof',
  'app',
  'run',
  'report',
  'outcome',
  'loadkit',
  'drive',
  'log',
  'judge',
  'wire',
  'reference',
  'base',
] as const;

/** What stands in `src` beside the wings: what tests share, and the door for programs. */
const BESIDE = ['index.ts', 'testing'];

/** Bounds of the median length of production files, in lines: files of one concern. */
const LONGEST_LINE = 130;

const MEDIAN = { least: 90, most: 160 };

const root = packageRoot();
const source = join(root, 'src');
const isShipped = (file: string): boolean =>
  !file.startsWith('testing/') && !/\.test\.(support\.)?tsx?$/.test(file);
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(tsx?|css|js)$/.test(file));

const shipped = filesIn(source).filter(isShipped);
const production = [
  ...shipped.map((file) => join(source, file)),
  ...filesIn(join(root, 'suites')).map((file) => join(root, 'suites', file)),
];
const linesOf = (file: string): readonly string[] => readFileSync(file, 'utf8').split('\n');

const wingOf = (file: string): string => file.split('/', 1)[0] ?? '';
const floorOf = (file: string): number => WINGS.findIndex((wing) => wing === wingOf(file));

/**
 * Returns the project's files that a file imports, types included, by paths below `src`, and whether it loads
 * them only once it needs them.
 */
const importsOf = (file: string): readonly { readonly imported: string; readonly isLate: boolean }[] =>
  [...readFileSync(join(source, file), 'utf8').matchAll(/(from|import\()\s*'(\.{1,2}\/[^']+)'/g)].map(
    ([, word, path = '']) => ({
      imported: relative(source, resolve(source, dirname(file), path)).replace(/\.js$/, '.ts'),
      isLate: word === 'import(',
    }),
  );

const imports = shipped.flatMap((file) => importsOf(file).map((each) => ({ file, ...each })));
const inWings = imports.filter(({ file, imported }) => floorOf(file) >= 0 && floorOf(imported) >= 0);

test('src has the twelve wings and two entries beside them', () => {
  assert.deepEqual(readdirSync(source).toSorted(), [...WINGS, ...BESIDE].toSorted());
});

/** Commands load the proof once they need it: no run does. */
const isDoorToProof = ({ file, imported, isLate }: (typeof inWings)[number]): boolean =>
  isLate && file.startsWith(join('app', 'cli')) && wingOf(imported) === 'proof';

test('no import leads to a wing above, types included, but for commands that load the proof late', () => {
  assert.ok(inWings.length > 1000, 'the imports are read');
  const upward = inWings.filter(({ file, imported }) => floorOf(imported) < floorOf(file));
  assert.deepEqual(
    upward.filter(({ file, imported, isLate }) => !isDoorToProof({ file, imported, isLate })),
    [],
  );
});

test('the reference server imports only the base: judges share no code with it', () => {
  const shared = inWings.filter(
    ({ file, imported }) => wingOf(file) === 'reference' && !['reference', 'base'].includes(wingOf(imported)),
  );
  assert.deepEqual(shared, []);
});

const isSelftest = (file: string): boolean => file.startsWith(join('proof', 'selftest'));

test('flaws, variants and clients import only the reference server and the base; the self-test judges them', () => {
  const known = ['proof', 'reference', 'base'];
  const judging = inWings.filter(
    ({ file, imported }) =>
      wingOf(file) === 'proof' &&
      !isSelftest(file) &&
      (!known.includes(wingOf(imported)) || isSelftest(imported)),
  );
  assert.deepEqual(judging, []);
});

test('the kernel of the base knows nothing of the interface', () => {
  assert.deepEqual(
    inWings.filter(
      ({ file, imported }) => file.startsWith('base/kernel') && imported.startsWith('base/interface'),
    ),
    [],
  );
});

test('shipped files import only shipped files', () => {
  assert.deepEqual(
    imports.filter(({ imported }) => !isShipped(imported)),
    [],
  );
});

test('no line of production code is longer than a reader takes in at once', () => {
  const long = production.flatMap((file) =>
    linesOf(file).flatMap((line, at) =>
      line.length > LONGEST_LINE ? [`${relative(root, file)}:${at + 1}`] : [],
    ),
  );
  assert.deepEqual(long, []);
});

test('the median file of production code has one concern', () => {
  const lengths = production.map((file) => linesOf(file).length).toSorted((one, other) => one - other);
  const median = lengths[Math.floor(lengths.length / 2)] ?? 0;
  assert.ok(median >= MEDIAN.least && median <= MEDIAN.most, `${median} lines`);
});
