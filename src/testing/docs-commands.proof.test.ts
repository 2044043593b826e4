import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { parseBaseline } from '../outcome/acceptance/baseline.js';
import { inShell, petstore, petstoreHere, SUITES_HERE } from './e2e/support/command.js';
import { folder } from './e2e/support/folder.js';
import { reference } from './e2e/support/targets.js';
import { packageRoot } from '../base/kernel/package.js';

/** Types every command of the documents, and reads every file that they have a reader write. */

const root = packageRoot();
const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

interface Block {
  readonly document: string;
  readonly text: string;
}

const blocks = (language: string): readonly Block[] =>
  documents.flatMap((document) =>
    [...readFileSync(join(root, document), 'utf8').matchAll(/^```(\w+)\n(.*?)^```/gms)].flatMap(
      ([, kind, text = '']) => (kind === language ? [{ document, text }] : []),
    ),
  );

/** Options that try a command without requests to other machines; `--help` if it would listen or wait. */
const TRIED: Readonly<Record<string, string>> = {
  run: '--dry-run',
  load: '--dry-run',
  doctor: '',
  requirements: '',
  report: '',
  compare: '',
  history: '',
  'baseline create': '',
  init: '--base-url http://127.0.0.1:9/v1 --plan free',
  serve: '--help',
  watch: '--help',
  agent: '--help',
  verify: '--help',
  selftest: '--help',
  client: '--help',
  proxy: '--help',
  judge: '--help',
  register: '--help',
  comment: '--help',
};

const commands = blocks('sh').flatMap(({ document, text }) =>
  text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => /(^|\s)petstore-conformance \w/.test(line))
    .map((line) => ({
      document,
      line: line.replace(/\s+#.*$/, '').replace(/^.*?(?=petstore-conformance )/, ''),
    })),
);

/** What a pipeline knows of the build that it tests. */
const BUILT = { IMAGE_DIGEST: `sha256:${'a'.repeat(64)}`, GIT_COMMIT: 'b'.repeat(40) };

test('every command in the documents runs without error', async (t) => {
  const cwd = folder(t);
  const server = await reference(t, {});
  const env = {
    PETSTORE_STAGING_URL: server.baseUrl,
    PETSTORE_STAGING_FREE_KEY: server.keys.free,
    PETSTORE_FREE_KEY: server.keys.free,
    BUILD: '7',
    ...BUILT,
  };
  const target = `baseUrl: ${server.baseUrl}\nkeys: { free: "\${PETSTORE_FREE_KEY}" }\n`;
  for (const name of ['mine.yaml', 'staging.yaml', 'production-like.yaml', 't.yaml'])
    writeFileSync(join(cwd, name), `name: t\n${target}`);
  cpSync(join(root, 'examples/own-suites'), join(cwd, 'own-suites'), { recursive: true });
  const scenario = blocks('yaml').find(({ text }) => text.includes('phases:'));
  for (const name of ['evening.yaml', 's.yaml']) writeFileSync(join(cwd, name), SMALL_SCENARIO);
  assert.ok(scenario);
  mkdirSync(join(cwd, 'reports'));
  const first = ['run', '--target', 'staging', '--only', 'suites', '--requirement', 'list-ok'];
  const made = await petstore([...first, '--report-dir', 'reports/LAST-NIGHT'], {
    cwd,
    env: { ...env, ...SUITES_HERE },
  });
  assert.equal(made.code, 0, made.stderr);
  cpSync(join(cwd, 'reports/LAST-NIGHT'), join(cwd, 'reports/TONIGHT'), { recursive: true });

  assert.ok(commands.length > 20, 'there are some');
  const asked = new Set<string>();
  for (const { document, line } of new Map(commands.map((one) => [one.line, one])).values()) {
    const words = line.split(' ').slice(1);
    const name = words[0] === 'baseline' ? 'baseline create' : (words[0] ?? '');
    const more = TRIED[name];
    assert.notEqual(more, undefined, `${document}: ${line}`);
    // Replace placeholders for a number, a part or a file name.
    const typed = line.replaceAll('{}', '1').replace(/ init \S+/, ' init new.yaml');
    // Other machines, keys of more plans, and load runs of earlier nights are not at hand.
    const needsOthers =
      name === 'load' ? /--(agents|workers)/.test(line) : name === 'compare' && /--baseline/.test(line);
    const how = needsOthers ? '--help' : more;
    // `--help` of a command has one output, so once is enough.
    if (how === '--help' && asked.has(name)) continue;
    if (how === '--help') asked.add(name);
    // What follows `--` is a client's own command, which would take the option as its own.
    const own = how === '--help' ? typed.replace(/ -- .*$/, '') : typed;
    const ended = await inShell(`${own} ${how}`, { cwd, env });
    assert.equal(ended.code, 0, `${document}: ${line}\n${ended.stdout}${ended.stderr}`);
  }
});

const SMALL_SCENARIO = `
name: evening
phases: [{ name: p, duration: 1s, rate: 1/s }]
operations: [{ operation: listPets, weight: 1 }]
keys: [free]
`;

test('every YAML example in the documents is valid', async (t) => {
  const cwd = folder(t);
  const keys = Object.fromEntries(
    ['FREE', 'PRO', 'BUSINESS', 'ENTERPRISE', 'SACRIFICIAL'].map((plan) => [
      `PETSTORE_${plan}_KEY`,
      `a-${plan}-key-of-a-test`,
    ]),
  );
  const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as { inputs: Record<string, unknown> };
  const seen = new Set<string>();
  for (const { document, text } of blocks('yaml')) {
    const value = parse(text) as Record<string, unknown> | Record<string, unknown>[] | null;
    if (Array.isArray(value)) {
      const step = value.find(({ uses }) => String(uses).includes('petstore-conformance'));
      for (const name of Object.keys((step?.['with'] as Record<string, unknown> | undefined) ?? {}))
        assert.ok(name in action.inputs, `${document}: ${name}`);
      if (step) seen.add('action');
    } else if (value !== null && 'accepted' in value) {
      parseBaseline(text, document);
      seen.add('baseline');
    } else if (value !== null && 'baseUrl' in value) {
      // The user's certificate authority is a file that the documents do not contain.
      writeFileSync(join(cwd, 'target.yaml'), text.replace(/, ca: [^ }]+/, ''));
      const { code, stderr } = await petstoreHere(['run', '--target', 'target.yaml', '--dry-run'], {
        cwd,
        env: { ...keys, ...BUILT },
      });
      assert.equal(code, 0, `${document}: ${stderr}`);
      seen.add('target');
    } else if (value !== null && 'phases' in value) {
      writeFileSync(join(cwd, 'scenario.yaml'), text);
      const { code, stderr } = await petstoreHere(['load', '--scenario', 'scenario.yaml', '--dry-run'], {
        cwd,
      });
      assert.equal(code, 0, `${document}: ${stderr}`);
      seen.add('scenario');
    }
  }
  assert.deepEqual([...seen].toSorted(), ['action', 'baseline', 'scenario', 'target']);
});
