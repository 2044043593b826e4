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

/** What stands in `src` next to the wings: what tests share, and the door for programs. */
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

/** A file that another imports, by its path below `src`. */
interface Import {
  readonly imported: string;
  /** True if it is loaded only once it is needed. */
  readonly isLate: boolean;
  readonly isOfTypes: boolean;
}

const STATEMENT =
  /^(?:import|export) (type )?([^;'"]*?) ?from '(\.{1,2}\/[^']+)'|import\(\s*'(\.{1,2}\/[^']+)'/gm;

const isOfTypes = (names: string): boolean =>
  names.startsWith('{') &&
  names
    .slice(1, -1)
    .split(',')
    .map((name) => name.trim())
    .every((name) => name === '' || name.startsWith('type '));

/** Returns the project's files that a file imports, types included. */
const importsOf = (file: string): readonly Import[] =>
  [...readFileSync(join(source, file), 'utf8').matchAll(STATEMENT)].map(([, type, names = '', now, late]) => {
    const path = relative(source, resolve(source, dirname(file), now ?? late ?? '')).replace(/\.js$/, '');
    return {
      imported: shipped.includes(`${path}.tsx`) ? `${path}.tsx` : `${path}.ts`,
      isLate: late !== undefined,
      isOfTypes: type !== undefined || isOfTypes(names),
    };
  });

const imports = shipped.flatMap((file) => importsOf(file).map((each) => ({ file, ...each })));
const inWings = imports.filter(({ file, imported }) => floorOf(file) >= 0 && floorOf(imported) >= 0);

test('src has the twelve wings and two more entries', () => {
  assert.deepEqual(readdirSync(source).toSorted(), [...WINGS, ...BESIDE].toSorted());
});

/** Commands load the proof once they need it: no run does. */
const isDoorToProof = ({ file, imported, isLate }: (typeof inWings)[number]): boolean =>
  isLate && file.startsWith(join('app', 'cli')) && wingOf(imported) === 'proof';

test('no import leads to a wing above, types included, except of commands that load the proof late', () => {
  assert.ok(inWings.length > 1000, 'the imports are read');
  const upward = inWings.filter(({ file, imported }) => floorOf(imported) < floorOf(file));
  assert.deepEqual(
    upward.filter((each) => !isDoorToProof(each)),
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

/** What senders of the load read of responses as judges do, in addition to the shapes of what they record. */
const READING = [
  'checks/pets',
  'checks/rate-headers',
  'limits/asked',
  'limits/ban-seen',
  'limits/bounds',
  'limits/clock',
  'limits/headers/own-time',
  'limits/sample',
  'limits/series',
  'limits/when-allowed',
].map((file) => join('judge', `${file}.ts`));

test('the player of the questions and the load import of the judges types and the reading of responses', () => {
  const senders = [join('drive', 'limits'), join('drive', 'load')];
  const read = imports.filter(
    ({ file, imported, isOfTypes }) =>
      senders.includes(dirname(file)) && wingOf(imported) === 'judge' && !isOfTypes,
  );
  assert.ok(read.length > 0);
  assert.deepEqual([...new Set(read.map(({ imported }) => imported))].toSorted(), READING);
  const judging = imports.filter(
    ({ file, imported }) => READING.includes(file) && !READING.includes(imported),
  );
  // The signs of a ban are read in a response, too.
  assert.deepEqual(
    judging.filter(
      ({ imported, isOfTypes }) => /judge\/limits\/(rate-|ban(?!-signs)|judge-)/.test(imported) && !isOfTypes,
    ),
    [],
  );
});

test('the kernel of the base knows nothing of the interface', () => {
  assert.deepEqual(
    inWings.filter(
      ({ file, imported }) => file.startsWith('base/kernel') && imported.startsWith('base/interface'),
    ),
    [],
  );
});

/** Returns the files of each circle, in order of the alphabet. */
function circlesOf(edges: typeof imports): readonly string[] {
  const nextOf = new Map<string, string[]>();
  for (const { file, imported } of edges) nextOf.set(file, [...(nextOf.get(file) ?? []), imported]);
  const reachedFrom = (file: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const open = [file];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const next of nextOf.get(at) ?? []) {
        if (!seen.has(next)) open.push(next);
        seen.add(next);
      }
    return seen;
  };
  const reached = new Map([...nextOf.keys()].map((file) => [file, reachedFrom(file)]));
  const circles = [...reached].flatMap(([file, all]) =>
    all.has(file)
      ? [
          [...all]
            .filter((other) => reached.get(other)?.has(file))
            .toSorted()
            .join(' '),
        ]
      : [],
  );
  return [...new Set(circles)];
}

test('no files import each other in a circle, except types within one folder', () => {
  const counted = imports.filter(
    ({ file, imported, isOfTypes }) => !isOfTypes || dirname(file) !== dirname(imported),
  );
  assert.deepEqual(circlesOf(counted), []);
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
