import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { flaws, variants } from '../../proof/index.js';
import { petstoreHere, start } from './support/command.js';
import { folder } from './support/folder.js';
import { reference, targetFile } from './support/targets.js';

const PLANS = ['free', 'pro', 'business', 'enterprise', 'sacrificial'];

test('serve prints address and keys, responds with its flaw, and ends on SIGTERM', async (t) => {
  const server = start(['serve', '--minute', '1.5', '--flaw', 'default-limit-twenty-five'], {
    cwd: folder(t),
  });
  t.after(() => server.child.kill('SIGKILL'));
  const [, address = ''] = await server.shows(/^listening (http:\/\/127\.0\.0\.1:\d+\/v1)$/m);
  await server.shows(
    /^flaw +default-limit-twenty-five: Without a limit [^]*? Breaks: list-limit-default\.$/m,
  );
  const keys: string[] = [];
  for (const plan of PLANS) keys.push((await server.shows(new RegExp(`^${plan} +(\\S+)$`, 'm')))[1] ?? '');
  assert.equal(new Set(keys).size, PLANS.length);

  const get = (headers: Record<string, string>, query = '?limit=1') =>
    fetch(`${address}/pets${query}`, { headers });
  const served = await get({ Authorization: `Bearer ${keys[0]}` });
  assert.equal(served.status, 200);
  assert.equal(served.headers.get('X-RateLimit-Limit'), '60');
  assert.equal(((await served.json()) as unknown[]).length, 1);
  assert.equal((await get({})).status, 401);
  const flawed = await get({ Authorization: `Bearer ${keys[2]}` }, '');
  assert.equal(((await flawed.json()) as unknown[]).length, 25);

  server.child.kill('SIGTERM');
  const { code, stderr } = await server.ended;
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '');
});

test('serve exports keys for target files, accepts the same keys again, and ends on SIGINT', async (t) => {
  const cwd = folder(t);
  const serve = (env: Readonly<Record<string, string>>) => {
    const server = start(['serve', '--keys-from-env'], { cwd, env });
    t.after(() => server.child.kill('SIGKILL'));
    return server;
  };
  const first = serve({ PETSTORE_FREE_KEY: "it's-mine" });
  const [, lines = ''] = await first.shows(/((?:^export PETSTORE_\w+_KEY=.*\n){5})/m);
  const names = PLANS.map((plan) => `PETSTORE_${plan.toUpperCase()}_KEY`);
  const printed = names.map((name) => `"$${name}"`).join(' ');
  const keys = execFileSync('sh', ['-c', `${lines}printf '%s\\n' ${printed}`], { encoding: 'utf8' })
    .trim()
    .split('\n');
  assert.equal(keys[0], "it's-mine");
  assert.equal(new Set(keys).size, PLANS.length);

  const again = serve(Object.fromEntries(names.map((name, index) => [name, keys[index] ?? ''])));
  assert.equal((await again.shows(/((?:^export PETSTORE_\w+_KEY=.*\n){5})/m))[1], lines);
  again.child.kill('SIGINT');
  const { code, stderr } = await again.ended;
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '');

  const twice = await petstoreHere(['serve', '--keys-from-env'], {
    cwd,
    env: { PETSTORE_FREE_KEY: 'same', PETSTORE_PRO_KEY: 'same' },
  });
  assert.equal(twice.code, 2);
  assert.match(twice.stderr, /The pro key and the free key are the same/);
  assert.doesNotMatch(twice.stderr, /"same"/);
});

test('serve --list prints every flaw and variant and starts no server', async (t) => {
  const { code, stdout } = await petstoreHere(['serve', '--list'], { cwd: folder(t) });
  assert.equal(code, 0);
  for (const { name } of [...flaws, ...variants]) assert.match(stdout, new RegExp(`^  ${name}:`, 'm'));
  assert.doesNotMatch(stdout, /listening/);
});

test('selftest of one server reports only that server', async (t) => {
  const { code, stdout } = await petstoreHere(['selftest', '--server', 'no-rate-headers-on-404'], {
    cwd: folder(t),
  });
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^flaws +1 of 1 caught/m);
  assert.match(stdout, /^AS DECLARED  1 server; the others were not tested$/m);
  assert.doesNotMatch(stdout, /PROVEN|variants/);
});

test('--last-failed without failures runs everything, and the last line is the next command', async (t) => {
  const server = await reference(t, { flaws: ['default-limit-twenty-five'] });
  const cwd = folder(t);
  const { file, env } = targetFile(cwd, server.baseUrl, server.keys.business);
  const broken = await petstoreHere(['run', '--target', file, '--only', 'suites'], { cwd, env });
  assert.equal(broken.code, 1, broken.stderr);
  const last = broken.stdout.trimEnd().split('\n').at(-1) ?? '';
  assert.equal(
    last,
    `next              petstore-conformance run --target ${file} --only suites --last-failed`,
  );

  const sound = await reference(t);
  const other = targetFile(cwd, sound.baseUrl, sound.keys.business);
  const words = ['run', '--target', other.file, '--only', 'suites'];
  const passed = await petstoreHere(words, { cwd, env: other.env });
  assert.equal(passed.code, 0, passed.stdout);
  const again = await petstoreHere([...words, '--last-failed'], { cwd, env: other.env });
  assert.equal(again.code, 0, again.stdout);
  assert.match(again.stdout, /^The earlier runs of under-test left nothing open, so everything runs\.$/m);
});
