import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { REMOVED_OPTIONS } from '../app/cli/removed-commands.js';
import { unknownOption } from '../app/cli/parse-words.js';
import { petstoreHere } from './e2e/support/command.js';
import { TEST_OPTIONS } from './test-options.js';
import { packageRoot } from '../base/kernel/package.js';

const root = packageRoot();
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'reports/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const textOf = (name: string): string => readFileSync(join(root, name), 'utf8');
const help = async (...words: readonly string[]): Promise<string> =>
  (await petstoreHere([...words, '--help'], { cwd: root })).stdout;
const helpOfHunt = (): string =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'hunt/main.js'), '--help'], { encoding: 'utf8' })
    .stdout;
const COMMANDS = [
  'init',
  'doctor',
  'watch',
  'run',
  'load',
  'serve',
  'selftest',
  'requirements',
  'report',
  'compare',
  'history',
  'baseline create',
  'verify',
  'agent',
  'client',
  'proxy',
  'judge',
];

test('README has at most 160 lines', () => {
  assert.ok(textOf('README.md').split('\n').length <= 160);
});

for (const name of documents)
  test(`${name}: every link has a target`, () => {
    for (const [, link = ''] of textOf(name).matchAll(/\]\((?!https?:|#)([^)#]+)/g))
      assert.ok(existsSync(join(root, dirname(name), link)), link);
  });

/** Files and folders of the package; npm adds the first two itself. */
const PACKED = [
  'README.md',
  'LICENSE',
  ...(JSON.parse(textOf('package.json')) as { files: readonly string[] }).files.filter(
    (name) => !name.startsWith('!'),
  ),
];

const isPacked = (path: string): boolean =>
  PACKED.some((name) => path === name || path.startsWith(`${name}/`));

test('every link of a packed document leads to a file of the package', () => {
  for (const name of documents.filter(isPacked))
    for (const [, link = ''] of textOf(name).matchAll(/\]\((?!https?:|#)([^)#]+)/g))
      assert.ok(isPacked(join(dirname(name), link).replace(/\/$/, '')), `${name}: ${link}`);
});

/** Output of `--help` of each command. */
const helps: string[] = [];
for (const command of COMMANDS) helps.push(await help(...command.split(' ')));

test('an option of one command is recognized by all others', () => {
  const options = helps.flatMap((text) =>
    [...text.matchAll(/^ {2,6}--([a-z][a-z-]+)/gm)].map(([, name = '']) => name),
  );
  assert.ok(options.length > 80, `${options.length}`);
  for (const name of new Set(options.filter((one) => one !== 'help' && one !== 'version')))
    assert.equal(unknownOption('run', name).message, `run does not take --${name}.`);
});

test('every file and folder named in a document exists', () => {
  for (const name of documents)
    for (const [, path = ''] of textOf(name).matchAll(
      /`((?:config|docs|examples|reports|src|suites)\/[\w./-]*)`/g,
    ))
      assert.ok(existsSync(join(root, path)), `${name}: ${path}`);
});

test('every option and script named in a document exists', () => {
  const known = new Set([...[...helps, helpOfHunt()].join('\n').matchAll(/--[a-z][a-z-]+/g)].map(String));
  for (const option of TEST_OPTIONS) known.add(option);
  // Options of Playwright, npm, apt and kubectl.
  for (const foreign of ['--grep', '--ui', '--test', '--save-dev', '--from-literal']) known.add(foreign);
  // Options that are gone, which only the list of changes names.
  const gone = new Set(['--shard', ...[...REMOVED_OPTIONS.keys()].map((name) => name.split(' ')[1])]);
  // Options of cosign and gh, which sign a certificate.
  for (const foreign of ['--statement', '--bundle', '--type', '--repo', '--predicate-type'])
    known.add(foreign);
  for (const foreign of ['--certificate-identity', '--certificate-oidc-issuer']) known.add(foreign);
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  for (const name of documents) {
    for (const [option] of textOf(name).matchAll(/(?<![\w-])--[a-z][a-z-]+/g))
      assert.ok(known.has(option) || (name === 'CHANGELOG.md' && gone.has(option)), `${name}: ${option}`);
    for (const [, script = ''] of textOf(name).matchAll(/npm run ([\w:]+)/g))
      assert.ok(scripts[script], `${name}: ${script}`);
  }
});

test('README and help list every command', async () => {
  const general = await help();
  for (const command of COMMANDS) {
    assert.match(textOf('README.md'), new RegExp(`\`${command}\\b`));
    assert.match(general, new RegExp(`^  ${command}\\b`, 'm'));
  }
});

test('docs/architecture.md lists every folder of src', () => {
  const map = textOf('docs/architecture.md');
  for (const { name } of readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  ))
    assert.ok(map.includes(`\`src/${name}/\``), name);
});
