import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import type { Notification } from '../../run/notify.js';
import { petstore, petstoreHere, SUITES_HERE } from './support/command.js';
import { filesIn, folder } from './support/folder.js';
import { answering } from './support/servers.js';
import { reference, targetFile } from './support/targets.js';

const TOKEN = 'T0K3N5d1fQ7xWv2LzP9kR4mT8bN3';
const CANARY = 'cnry_Q7xWv2LzP9kR4mT8bN3sD6fG1hJ5yU0eA';

/** Starts a receiver that answers with each status code in turn, and records what it gets. */
async function receiver(t: TestContext, ...statuses: readonly number[]) {
  const heard: string[] = [];
  const baseUrl = await answering(t, (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    request.on('data', (data: Buffer) => (body += data.toString()));
    request.on('end', () => response.writeHead(statuses[heard.push(body) - 1] ?? 500).end(TOKEN));
  });
  return { heard, url: `${baseUrl}/hooks/${TOKEN}` };
}

test('a run posts verdict and changes, retries, and keeps its verdict on failure', async (t) => {
  const cwd = folder(t);
  const run = async (flaws: readonly string[], url: string) => {
    const server = await reference(t, { flaws: [...flaws], keys: { business: CANARY } });
    const { file, env } = targetFile(cwd, server.baseUrl, CANARY);
    const words = [
      'run',
      '--target',
      file,
      '--requirement',
      'list-limit-default',
      '--notify',
      '${HOOK}',
      '--report-url',
      'https://ci.example.com/pets/',
    ];
    // Playwright sees nothing of a webhook: once is enough.
    const suites = flaws.length === 0 ? {} : SUITES_HERE;
    const ended = await petstore([...words, '--verbose'], { cwd, env: { ...env, HOOK: url, ...suites } });
    for (const [name, text] of [
      ['stdout', ended.stdout],
      ['stderr', ended.stderr],
      ...filesIn(cwd).map((one) => [one.name, one.bytes.toString('latin1')] as const),
    ] as const)
      assert.ok(!text.includes(TOKEN.slice(0, 8)), `${name} holds the address`);
    return ended;
  };

  const first = await receiver(t, 503, 204);
  const sound = await run([], first.url);
  assert.equal(sound.code, 0, sound.stdout + sound.stderr);
  assert.equal(sound.stderr, '');
  assert.equal(first.heard.length, 2);
  assert.ok(!first.heard.join().includes(CANARY.slice(4, 12)));
  const told = JSON.parse(first.heard[1] ?? '') as Notification;
  assert.deepEqual([told.verdict, told.exitCode, told.failed, told.changed], ['conformant', 0, [], null]);

  const second = await receiver(t, 404);
  const broken = await run(['default-limit-twenty-five'], second.url);
  assert.equal(broken.code, 1, broken.stderr);
  assert.match(
    broken.stderr,
    /^warning +--notify: the receiver returned 404, after 1 try; the verdict is unchanged\.$/m,
  );
  const worse = JSON.parse(second.heard[0] ?? '') as Notification;
  assert.deepEqual(worse.failed, ['list-limit-default']);
  const [failure] = worse.failures;
  assert.deepEqual([failure?.id, failure?.received], ['list-limit-default', '24 animals']);
  assert.ok(failure?.expected);
  assert.match(worse.reportUrl ?? '', /^https:\/\/ci\.example\.com\/pets\/[^/]+under-test\/index\.html$/);
  assert.ok(
    worse.changed?.requirements.some(
      ({ id, kind }) => id === 'list-limit-default' && kind === 'newly-failing',
    ),
  );
});

test('a plain http notification URL is rejected before any request', async (t) => {
  const words = ['run', '--base-url', 'http://127.0.0.1:9/v1', '--key', 'free=x', '--notify'];
  const { code, stderr } = await petstoreHere([...words, `http://hooks.example.com/${TOKEN}`, '--verbose'], {
    cwd: folder(t),
  });
  assert.equal(code, 2);
  assert.match(stderr, /--notify takes an https address/);
  assert.ok(!stderr.includes(TOKEN.slice(0, 8)));
});

test('a run that ends with 2 posts that too', async (t) => {
  const cwd = folder(t);
  const { heard, url } = await receiver(t, 204);
  const { code } = await petstoreHere(['run', '--target', 'missing.yaml', '--notify', url], { cwd });
  assert.equal(code, 2);
  const told = JSON.parse(heard[0] ?? '') as Notification;
  assert.deepEqual([told.verdict, told.exitCode, told.complete], ['error', 2, false]);
  assert.match(told.text, /^The run could not begin: .*cannot be read/);
});
