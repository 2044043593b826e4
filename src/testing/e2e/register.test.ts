import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { sha256 } from '../../base/kernel/config-file.js';
import { gather } from '../../log/gathered.test.support.js';
import {
  attestationIn,
  certificateIn,
  certifiedRecords,
  ndjson,
} from '../../outcome/acceptance/certified-run.test.support.js';
import type { Register } from '../../outcome/acceptance/register.js';
import { EXAMPLE_HEADER } from '../../report/example-header.test.support.js';
import { launchChromium } from '../../report/pages/browser/chromium.test.support.js';
import { parse } from 'yaml';
import { packageRoot } from '../../base/kernel/package.js';
import { petstoreHere, startProcess } from './support/command.js';
import { commandForScripts } from './support/command-for-scripts.js';
import { folder } from './support/folder.js';

/** A certified run to write, and what is wrong with its certificate. */
interface Certified {
  readonly name?: string;
  readonly label?: string;
  readonly forged?: object;
}

/** Writes the files of a certified run of 2026-11-20 below a folder. */
function certify(place: string, { name = 'staging', label, forged }: Certified = {}): void {
  const target = { ...EXAMPLE_HEADER.target, name };
  const records = certifiedRecords({ header: { target, ...(label !== undefined && { label }) } });
  const text = ndjson(records);
  const [log, hash] = [gather(records), sha256(text)];
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'log.ndjson'), text);
  writeFileSync(join(place, 'certificate.json'), JSON.stringify({ ...certificateIn(log, hash), ...forged }));
  writeFileSync(join(place, 'certificate.intoto.json'), JSON.stringify(attestationIn(log, hash)));
}

const register = (cwd: string, ...words: readonly string[]) =>
  petstoreHere(['register', 'all', ...words], { cwd });

function written(cwd: string): { readonly json: Register; readonly html: string } {
  const read = (name: string): string => readFileSync(join(cwd, 'all', name), 'utf8');
  return { json: JSON.parse(read('register.json')) as Register, html: read('register.html') };
}

/** A folder with five certificates: three valid ones, a forged one and one without its log. */
function five(t: TestContext): string {
  const cwd = folder(t);
  const at = (name: string): string => join(cwd, 'all', name);
  certify(at('fjord/1.8'), { name: 'fjord', label: '1.8.0' });
  certify(at('a/b/c'), { name: 'deep' });
  certify(at('older'), { name: 'older' });
  certify(at('forged'), {
    name: 'forged',
    forged: { notCovered: [], statement: '<script>alert(1)</script> all of it' },
  });
  certify(at('lost'), { name: 'lost' });
  rmSync(at('lost/log.ndjson'));
  certify(at('node_modules/x'), { name: 'skipped' });
  certify(join(cwd, 'elsewhere'), { name: 'linked' });
  symlinkSync(join(cwd, 'elsewhere'), at('link'));
  return cwd;
}

describe('register', () => {
  test('verifies each certificate, with broken ones first and their reasons', async (t) => {
    const cwd = five(t);
    const { code, stdout, stderr } = await register(cwd, '--as-of', '2026-11-26');
    assert.equal(code, 1, stdout + stderr);
    assert.match(stdout, /^5 certificates on 2026-11-26: 2 broken and 3 valid\. \S+register\.html$/m);
    const { json, html } = written(cwd);
    assert.deepEqual(
      json.entries.map(({ file, state }) => [dirname(file), state]),
      [
        ['forged', 'broken'],
        ['lost', 'broken'],
        ['a/b/c', 'valid'],
        ['fjord/1.8', 'valid'],
        ['older', 'valid'],
      ],
    );
    assert.deepEqual(json.entries[0]?.reasons, [
      'Its log does not agree with “statement”.',
      'Its log does not agree with “notCovered”.',
    ]);
    assert.match(json.entries[1]?.reasons.join() ?? '', /There is no log/);
    assert.ok(!JSON.stringify(json).includes(cwd) && !html.includes(cwd), 'no path of this machine');
    assert.ok(!html.includes('<script>alert'));
    assert.match(json.entries[3]?.claims?.reproduce ?? '', /^petstore-conformance run --target/);
    assert.equal(json.entries[3]?.claims?.label, '1.8.0');
  });

  test('marks expired certificates and still ends with 0', async (t) => {
    const cwd = five(t);
    for (const name of ['forged', 'lost']) rmSync(join(cwd, 'all', name), { recursive: true });
    const { code, stdout } = await register(cwd, '--as-of', '2027-02-19');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /: 3 expired\./);
    const { json } = written(cwd);
    assert.match(
      json.entries[0]?.reasons.join() ?? '',
      /^It holds, and is 2 months old; its time ended on 2027-02-18\.$/,
    );
  });

  test('lists what another version made as not checked, and ends with 3', async (t) => {
    const cwd = folder(t);
    certify(join(cwd, 'all/x'), { forged: { ledger: 'b'.repeat(64) } });
    const { code, stdout } = await register(cwd, '--as-of', '2026-11-26');
    assert.equal(code, 3, stdout);
    const { json } = written(cwd);
    assert.equal(json.entries[0]?.state, 'unchecked');
    assert.equal(json.entries[0].claims?.target, 'staging https://staging.example.com/v1');
  });

  test('lists a log with the line ends of Windows as not checked, and ends with 3', async (t) => {
    const cwd = folder(t);
    certify(join(cwd, 'all/x'));
    const log = join(cwd, 'all/x/log.ndjson');
    writeFileSync(log, readFileSync(log, 'utf8').replaceAll('\n', '\r\n'));
    const { code, stdout } = await register(cwd, '--as-of', '2026-11-26');
    assert.equal(code, 3, stdout);
    assert.match(stdout, /: 1 not checked\. /);
    assert.match(written(cwd).json.entries[0]?.reasons.join() ?? '', /line ends were changed/);
  });

  test('refutes what another version made if the log is another', async (t) => {
    const cwd = folder(t);
    certify(join(cwd, 'all/x'), {
      forged: { ledger: 'b'.repeat(64), log: { file: 'log.ndjson', sha256: 'c'.repeat(64) } },
    });
    certify(join(cwd, 'all/y'));
    appendFileSync(join(cwd, 'all/y/log.ndjson'), '\n');
    const { code } = await register(cwd);
    assert.equal(code, 1);
    const reasons = [['Its log is not the certified one.'], ['Its log is not the certified one.']];
    assert.deepEqual(
      written(cwd).json.entries.map((entry) => entry.reasons),
      reasons,
    );
  });

  test('lists a certificate in several places once, and says what it did not read', async (t) => {
    const cwd = folder(t);
    const at = (name: string): string => join(cwd, 'all', name);
    for (const name of ['a', 'b']) certify(at(name), { name: 'fjord' });
    cpSync(at('a/certificate.json'), at('certificate.json'));
    cpSync(at('a/certificate.intoto.json'), at('lone/certificate.intoto.json'));
    cpSync(at('a/log.ndjson'), at('lone/log.ndjson'));
    for (const name of ['forged', 'forged-too'])
      certify(at(name), { name: 'forged', forged: { notCovered: [] } });
    certify(at('swapped'), { name: 'fjord' });
    cpSync(at('forged/log.ndjson'), at('swapped/log.ndjson'));
    mkdirSync(at('linked'));
    symlinkSync(at('a/certificate.json'), at('linked/certificate.json'));
    const { code, stdout } = await register(cwd, '--as-of', '2026-11-26');
    assert.equal(code, 1);
    assert.match(stdout, /^3 certificates on 2026-11-26: 2 broken and 1 valid\./m);
    assert.match(stdout, /^not read {4}linked\/certificate\.json: a link$/m);
    const { json, html } = written(cwd);
    assert.deepEqual(
      json.entries.map(({ file, copies }) => [file, copies]),
      [
        ['forged/certificate.json', ['forged-too/certificate.json']],
        ['swapped/certificate.json', undefined],
        ['a/certificate.json', ['b/certificate.json', 'lone/certificate.intoto.json', 'certificate.json']],
      ],
    );
    assert.match(html, /The same as[\s\S]*lone\/certificate\.intoto\.json/);
    assert.match(html.replaceAll(/<[^>]*>/g, ''), /it claims to be valid until 2027-02-18/);
  });

  test('replaces its own files only, and writes elsewhere with --out', async (t) => {
    const cwd = folder(t);
    certify(join(cwd, 'all/x'));
    for (const name of ['register.html', 'register.json']) {
      const file = join(cwd, 'all', name);
      writeFileSync(file, '{"mine":true}');
      const { code, stderr } = await register(cwd);
      assert.equal(code, 2);
      assert.match(stderr, /already exists, and register did not write it/);
      assert.equal(readFileSync(file, 'utf8'), '{"mine":true}');
      rmSync(file);
    }
    const how = ['--as-of', '2026-11-26'];
    for (const words of [how, how, [...how, '--out', '.']])
      assert.equal((await register(cwd, ...words)).code, 0);
    assert.ok(
      readFileSync(join(cwd, 'register.html'), 'utf8').includes('1 certificate on 2026-11-26: 1 valid.'),
    );
    assert.equal((await petstoreHere(['register', 'nowhere'], { cwd })).code, 2);
  });

  test('creates the folder of --out, or says that it cannot', async (t) => {
    const cwd = folder(t);
    mkdirSync(join(cwd, 'certificates'));
    const how = ['register', 'certificates', '--out'];
    const { code, stdout } = await petstoreHere([...how, 'pages/register'], { cwd });
    assert.equal(code, 0, stdout);
    assert.deepEqual(readdirSync(join(cwd, 'pages/register')).toSorted(), ['register.html', 'register.json']);
    writeFileSync(join(cwd, 'file'), '');
    const refused = await petstoreHere([...how, 'file/register'], { cwd });
    assert.equal(refused.code, 2, refused.stdout);
    assert.match(refused.stderr, /folder file\/register cannot be created .*\n.*another folder with --out\./);
  });

  test('has a workflow that fails for a forged certificate, and for one without a version', async (t) => {
    const file = parse(readFileSync(join(packageRoot(), 'docs/register/verify.yml'), 'utf8')) as {
      readonly jobs: { readonly verify: { readonly steps: readonly { readonly run?: string }[] } };
    };
    const [verify = '', page = ''] = file.jobs.verify.steps.flatMap(({ run }) => run ?? []);
    const cwd = folder(t);
    // In place of the package from npm: this build.
    const command = await commandForScripts(t);
    writeFileSync(join(cwd, 'npx'), `#!/bin/sh\nshift 2\nexec ${command} "$@"\n`, { mode: 0o755 });
    const run = async (script: string) => {
      const env = { PATH: `${cwd}:${process.env['PATH']}` };
      const ended = await startProcess('bash', ['-e', '-c', script], { cwd, env }).ended;
      return [ended.code, ended.stdout + ended.stderr] as const;
    };
    certify(join(cwd, 'certificates/a'));
    certify(join(cwd, 'certificates/b'), { name: 'other' });
    const [sound, said] = await run(verify);
    assert.equal(sound, 0, said);
    assert.equal(said.match(/^holds /gm)?.length, 2, 'all are verified');
    certify(join(cwd, 'certificates/c'), { forged: { notCovered: [] } });
    certify(join(cwd, 'certificates/d'), { forged: { kit: { name: 'x', version: '1.0.0; touch owned' } } });
    const [code, errors] = await run(verify);
    assert.equal(code, 1, errors);
    assert.match(errors, /::error file=certificates\/c\/certificate\.json::The certificate does not hold/);
    assert.match(errors, /::error file=certificates\/d\/certificate\.json::The certificate names no version/);
    assert.ok(!existsSync(join(cwd, 'owned')));
    assert.equal((await run(page))[0], 1, 'and the page says so');
  });

  test('shows a page that fits two widths, and shows no script of a certificate', async (t) => {
    const cwd = five(t);
    await register(cwd, '--as-of', '2026-11-26');
    const browser = await launchChromium();
    t.after(() => browser.close());
    const page = await browser.newPage();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`file://${join(cwd, 'all/register.html')}`);
      const [whole, seen] = await page.evaluate<readonly [number, number]>(
        '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
      );
      assert.equal(whole, seen, `${width} px`);
      assert.match(
        await page.locator('h1').innerText(),
        /5 certificates on 2026-11-26: 2 broken and 3 valid\./,
      );
      assert.match(await page.locator('main').innerText(), /<script>alert\(1\)<\/script> all of it/);
      await page.getByRole('link', { name: 'fjord', exact: true }).click();
      assert.match(decodeURIComponent(page.url()), /#fjord\/1\.8\/certificate\.json$/);
    }
  });
});
