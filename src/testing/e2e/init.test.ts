import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { atTerminal, petstoreHere, start } from './support/command.js';
import { filesIn, folder } from './support/folder.js';
import { reference } from './support/targets.js';

test('init writes a usable target file and never overwrites one', async (t) => {
  const cwd = folder(t);
  const server = await reference(t);
  const init = ['init', 'mine.yaml', '--base-url', server.baseUrl, '--plan', 'business'];
  const first = await petstoreHere(init, { cwd });
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^to do +PETSTORE_BUSINESS_KEY is not set/m);
  assert.match(first.stdout, /^next +petstore-conformance doctor --target mine\.yaml$/m);
  const run = ['run', '--target', 'mine.yaml', '--requirement', 'list-ok', '--report-dir', 'run'];
  const judged = await petstoreHere(run, { cwd, env: { PETSTORE_BUSINESS_KEY: server.keys.business } });
  assert.equal(judged.code, 0, judged.stdout + judged.stderr);

  writeFileSync(join(cwd, 'mine.yaml'), 'mine');
  const second = await petstoreHere(init, { cwd });
  assert.equal(second.code, 2);
  assert.match(second.stderr, /mine\.yaml already exists[\s\S]*--force/);
  assert.equal(readFileSync(join(cwd, 'mine.yaml'), 'utf8'), 'mine');
  assert.equal((await petstoreHere([...init, '--force'], { cwd })).code, 0);
  assert.match(readFileSync(join(cwd, 'mine.yaml'), 'utf8'), /^name: mine\b/m);
});

test('init at a terminal asks questions, offers set variables and keeps no literal key', async (t) => {
  const cwd = folder(t);
  const { child, shows, ended } = atTerminal('init', { cwd, env: { MY_PRO_TOKEN: 'the-pro-key' } });
  for (const [question, answer] of [
    [/Address, ending with \/v1 \[http:\/\/127\.0\.0\.1:8080\/v1\]: /, 'https://pets.example/v1'],
    [/Free key \[PETSTORE_FREE_KEY\]: /, 'sk_live_51d0canary'],
    [/it is not\s+stored[\s\S]*Free key \[PETSTORE_FREE_KEY\]: /, '-'],
    [/Pro key \[MY_PRO_TOKEN\]: /, ''],
    [/Business key \[-\]: /, ''],
    [/Enterprise key \[-\]: /, ''],
    [/may get banned \[-\]: /, ''],
    [/real clients .*\[n\]: /, 'maybe'],
    [/Answer y or n[\s\S]*real clients .*\[n\]: /, 'y'],
    [/animals .*\[n\]: /, ''],
  ] as const) {
    await shows(question);
    child.stdin?.write(`${answer}\r`);
  }
  const { code, stdout } = await ended;
  assert.equal(code, 0, stdout);
  const text = readFileSync(join(cwd, 'target.yaml'), 'utf8');
  assert.match(
    text,
    /^name: pets\.example\b[\s\S]*^ {2}pro: \$\{MY_PRO_TOKEN\}\n[\s\S]*^production: true\b.*\nwrites: false\b/m,
  );
  assert.doesNotMatch(text, /51d0|the-pro-key/);
});

test('init at a terminal completes an address without /v1 and accepts unknown limits', async (t) => {
  const cwd = folder(t);
  const { child, shows, ended } = atTerminal('init', {
    cwd,
    env: { PETSTORE_FREE_KEY: 'a', PETSTORE_ENTERPRISE_KEY: 'e' },
  });
  for (const [question, answer] of [
    [/Address, ending with \/v1 \[http:\/\/127\.0\.0\.1:8080\/v1\]: /, 'https://a.example/'],
    [/Use https:\/\/a\.example\/v1\? \(y\/n\) \[y\]: /, ''],
    [/Free key \[PETSTORE_FREE_KEY\]: /, ''],
    [/Pro key \[-\]: /, ''],
    [/Business key \[-\]: /, ''],
    [/Enterprise key \[PETSTORE_ENTERPRISE_KEY\]: /, ''],
    [/may get banned \[-\]: /, ''],
    [/PERMINUTE\/PERDAY: /, '2400'],
    [/Write them as 2400\/500000\.[\s\S]*PERMINUTE\/PERDAY: /, 'many'],
    [/Write 2400\/500000 for[\s\S]*or -\s+to\s+leave[\s\S]*PERMINUTE\/PERDAY: /, '-'],
    [/real clients .*\[n\]: /, ''],
    [/animals .*\[y\]: /, ''],
  ] as const) {
    await shows(question);
    child.stdin?.write(`${answer}\r`);
  }
  const { code, stdout } = await ended;
  assert.equal(code, 0, stdout);
  const text = readFileSync(join(cwd, 'target.yaml'), 'utf8');
  assert.match(text, /^baseUrl: https:\/\/a\.example\/v1 /m);
  assert.match(text, /^ {2}free: \$\{PETSTORE_FREE_KEY\}\n[\s\S]*^ {2}# enterprise:/m);
});

test('an interrupted init writes nothing', async (t) => {
  const cwd = folder(t);
  const { child, shows, ended } = atTerminal('init', { cwd });
  await shows(/Address/);
  child.stdin?.write('\x03');
  const { code, stdout } = await ended;
  assert.equal(code, 3, stdout);
  assert.match(stdout, /Nothing was written\./);
  assert.deepEqual(filesIn(cwd), []);
});

test('init without a terminal names missing options', async (t) => {
  const { code, stderr } = await start(['init'], { cwd: folder(t) }).ended;
  assert.equal(code, 2);
  assert.match(stderr, /--base-url/);
});
