import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { CERTIFICATE_KEY, CERTIFICATES } from '../certificates.js';
import { wasTooSlow } from './support/loading.js';
import { atTerminal, petstore, petstoreHere, SUITES_HERE } from './support/command.js';
import { filesIn } from './support/folder.js';

/** Files, names and options from outside print only text, and destroy no file. */

const ESCAPE = '\u001B]0;owned\u0007';
const KEY = 'Canary-4f81c2aa97-KEY';

describe('hostile input', () => {
  let cwd = '';
  /** Log of a small load run. */
  let log = '';
  before(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'petstore-hostile-'));
    writeFileSync(
      join(cwd, 's.yaml'),
      'name: s\nphases: [{ name: hold, duration: 1s, rate: 20/s }]\noperations: [{ operation: listPets }]\nthresholds: [violations = 0]\n',
    );
    const ended = await petstoreHere(['load', '--scenario', 's.yaml', '--report-dir', 'runs/first'], { cwd });
    assert.equal(ended.code, wasTooSlow(join(cwd, 'runs/first')) ? 3 : 0, ended.stdout + ended.stderr);
    log = readFileSync(join(cwd, 'runs/first/log.ndjson'), 'utf8');
  });
  after(() => rmSync(cwd, { recursive: true, force: true }));

  const forged = (name: string, text: string): string => {
    mkdirSync(join(cwd, name));
    writeFileSync(join(cwd, name, 'log.ndjson'), text);
    return name;
  };

  test('escape sequences never reach the output or a page', async () => {
    const inJson = JSON.stringify(ESCAPE).slice(1, -1);
    const name = forged(
      'escapes',
      log
        .replaceAll('"name":"s"', `"name":"${inJson}"`)
        .replaceAll('violations = 0', `violations = 0${inJson}`)
        .replaceAll('"phase":"hold"', `"phase":"${inJson}"`)
        .replaceAll('"name":"hold"', `"name":"${inJson}"`)
        .replace(/"startedAt":"[^"]*"/, `"startedAt":"${inJson}2026"`),
    );
    writeFileSync(
      join(cwd, 'e.yaml'),
      readFileSync(join(cwd, 's.yaml'), 'utf8')
        .replace('name: s', `name: "${inJson}"`)
        .replace('violations = 0', `"violations = 0 ${inJson}"`),
    );
    mkdirSync(join(cwd, `runs/\u001B[31m\nred`));
    for (const words of [
      ['report', name],
      ['report', `no\u001B[31mne`],
      ['load', '--scenario', 'e.yaml', '--dry-run'],
      ['run', '--only', ESCAPE],
      ['run', '--requirement', ESCAPE],
      [ESCAPE],
      ['run', `--${ESCAPE}`],
      ['history', `runs/\u001B[31m\nred`],
      ['compare', `runs/\u001B[31m\nred`, 'runs/first'],
      ['verify', ESCAPE],
    ]) {
      const { stdout, stderr } = await petstoreHere(words, { cwd });
      assert.ok(
        !(stdout + stderr).includes('\u001B') && !(stdout + stderr).includes('\u0007'),
        JSON.stringify([words, stdout + stderr]),
      );
    }
    const written = filesIn(join(cwd, name)).filter(({ name: file }) => file !== 'log.ndjson');
    assert.ok(written.length > 4);
    for (const { name: file, bytes } of written) assert.ok(!bytes.includes(0x1b), file);
    // script(1) records the output to the terminal.
    const { stdout } = await atTerminal(`report ${name}`, { cwd }).ended;
    assert.ok(!stdout.includes('\u001B]'), JSON.stringify(stdout));
  });

  test('a key in an option, a folder or a name is never printed', async () => {
    const target = ['--base-url', 'http://127.0.0.1:9/v1', '--key', 'business=${KEY}'];
    for (const words of [
      ['load', ...target, '--scenario', 's.yaml', '--report-dir', `out-${KEY}`],
      ['run', ...target, '--label', KEY, '--report-dir', 'labelled', '--only', 'suites'],
      ['run', ...target, '--baseline', `${KEY}.json`],
      ['doctor', '--base-url', `http://127.0.0.1:9/${KEY}`, '--key', 'business=${KEY}'],
    ]) {
      const { stdout, stderr } = await petstore(words, { cwd, env: { KEY } });
      assert.ok(
        !(stdout + stderr).toLowerCase().includes(KEY.toLowerCase()),
        `${words.join(' ')}: ${stdout}${stderr}`,
      );
    }
    assert.ok(!readFileSync(join(cwd, 'labelled/log.ndjson'), 'utf8').includes(KEY));
  });

  test('a foreign latest.json or history.html is kept, and links are not followed', async () => {
    for (const kind of ['foreign', 'link'] as const) {
      const folder = join(cwd, `files-${kind}`);
      mkdirSync(folder);
      const [latest, history, elsewhere] = ['latest.json', 'history.html', 'elsewhere'].map((name) =>
        join(folder, name),
      ) as [string, string, string];
      writeFileSync(elsewhere, '{"mine":true}');
      for (const file of [latest, history])
        if (kind === 'link') symlinkSync(elsewhere, file);
        else writeFileSync(file, '{"mine":true}');
      const load = await petstoreHere(['load', '--scenario', '../s.yaml', '--report-dir', 'part-1'], {
        cwd: folder,
      });
      assert.equal(load.code, wasTooSlow(join(folder, 'part-1')) ? 3 : 0, load.stderr);
      const ended = await petstoreHere(['history', '.'], { cwd: folder });
      assert.equal(ended.code, 2, ended.stdout);
      assert.match(ended.stderr, /history\.html already exists, and history did not write it/);
      for (const file of [latest, history, elsewhere])
        assert.equal(readFileSync(file, 'utf8'), '{"mine":true}');
      assert.equal(lstatSync(latest).isSymbolicLink(), kind === 'link');
    }
    const again = await petstoreHere(['history', 'runs'], { cwd });
    assert.equal(again.code, 0, again.stderr);
    assert.equal((await petstoreHere(['history', 'runs'], { cwd })).code, 0, 'its own page it writes anew');
    assert.ok(existsSync(join(cwd, 'runs/latest.json')));
  });

  test('a notification is not sent to an untrusted certificate, despite the environment', async (t) => {
    const asked: unknown[] = [];
    const server = createServer({ key: CERTIFICATE_KEY, cert: CERTIFICATES.trusted }, (request, response) => {
      asked.push(request.url);
      response.end();
    }).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const words = ['run', '--requirement', 'base-path-v1', '--report-dir', 'told', '--notify', address];
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', ...SUITES_HERE };
    const { stderr } = await petstore(words, { cwd, env });
    assert.match(stderr, /--notify: /);
    assert.deepEqual(asked, []);
  });

  test('a file with 20,000 or 200,000 names is rejected quickly', async () => {
    for (const [at, count] of [20_000, 200_000].entries()) {
      const names = Array.from({ length: count }, (_, index) => `n${index}: 1`);
      writeFileSync(join(cwd, `many-${at}.yaml`), names.join('\n'));
      writeFileSync(
        join(cwd, `many-${at}.json`),
        `{${names.map((name) => `"${name.replace(':', '":')}`).join(',')}}`,
      );
      for (const words of [
        ['run', '--target', `many-${at}.yaml`],
        ['run', '--target', `many-${at}.json`],
        ['load', '--scenario', `many-${at}.yaml`],
        ['run', '--baseline', `many-${at}.json`],
        ['verify', `many-${at}.json`],
      ]) {
        const begun = Date.now();
        const { code, stderr } = await petstoreHere(words, { cwd });
        assert.equal(code, 2, stderr);
        assert.match(stderr, /code +too-large/, words.join(' '));
        assert.ok(Date.now() - begun < 15_000, words.join(' '));
      }
    }
  });

  test('a damaged member in a log is reported as damage', async () => {
    const records = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly type: string });
    const kinds = [...new Map(records.map((record, at) => [record.type, at])).values()];
    const damages = kinds.flatMap((at) =>
      Object.keys(records[at] ?? {})
        .filter((member) => member !== 'type')
        .slice(0, 4)
        .map((member) => ({ at, member })),
    );
    assert.ok(damages.length > 12);
    const folder = forged('damaged', '');
    for (const { at, member } of damages) {
      const text = records
        .map((record, index) => JSON.stringify(index === at ? { ...record, [member]: [{}] } : record))
        .join('\n');
      writeFileSync(join(cwd, folder, 'log.ndjson'), text);
      const { code, stderr } = await petstoreHere(['report', folder], { cwd });
      assert.equal(code, 2, `${records[at]?.type} ${member}`);
      assert.match(stderr, /code +log-(damaged|version)/, `${records[at]?.type} ${member}: ${stderr}`);
    }
    for (const histogram of ['H4sI', 'AAAA', '']) {
      writeFileSync(
        join(cwd, folder, 'log.ndjson'),
        log.replaceAll(/"latency":"[^"]*"/g, `"latency":"${histogram}"`),
      );
      const { stderr } = await petstoreHere(['report', folder], { cwd });
      assert.match(stderr, /code +log-damaged/);
    }
  });
});
