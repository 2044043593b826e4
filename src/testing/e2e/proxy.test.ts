import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { httpFront } from '../http-front.js';
import { CANARY, expectNothingLeft, others } from './support/canary.js';
import { petstore, petstoreHere } from './support/command.js';
import { filesIn } from './support/folder.js';
import { outcomes, prepared, verdicts } from './support/proxied.js';
import { reference } from './support/targets.js';

/** A client that has a key which the kit does not know, and repeats parts of it in many places. */
const INDISCREET_CLIENT = `
const { PETSTORE_BASE_URL: base, OTHER_FREE: key } = process.env;
const escaped = [...key].map((each) => '%' + each.charCodeAt(0).toString(16)).join('');
const headers = { Authorization: 'Bearer ' + key, ['X-' + key]: 'yes', 'User-Agent': 'app/' + key.slice(4) };
const parts = [key, key.slice(2, 14), escaped, btoa(key), btoa('a' + key)];
const send = (query, rest) => fetch(base + '/pets' + query, { headers, ...rest }).then((each) => each.text());
await send('?limit=5&k=' + escaped);
await send('?limit=' + key.slice(0, 12));
await send('?status=' + btoa('user:' + key));
const type = { 'Content-Type': 'application/json' };
const body = JSON.stringify({ name: parts.join(' '), categoryId: key.slice(3, 15) });
await send('', { method: 'POST', headers: { ...headers, ...type }, body });
console.log(parts.join(' '));
`;

/** A client with secrets of other kinds, in every place that can name one. */
const CLIENT_WITH_SECRETS = `
const { PETSTORE_BASE_URL: base, PETSTORE_API_KEY: key } = process.env;
const headers = {
  Authorization: 'Bearer ' + key,
  Cookie: 'sid=hush-cookie',
  'X-Api-Key': 'hush-key',
  'Proxy-Authorization': 'Basic hush-proxy',
  'X-Session': '{"id":"hush-session"}',
  'Content-Type': 'application/json',
};
const body = JSON.stringify({ name: 'Rex', categoryId: 1, token: 'hush-member', auth: { code: ['hush-deep'] } });
await fetch(base + '/pets?limit=5&access_token=hush-query&sid=hush-sid', { headers }).then((each) => each.text());
await fetch(base + '/pets', { method: 'POST', headers, body }).then((each) => each.text());
console.log(headers, body);
console.error('hush-query, hush-sid');
`;

describe('proxy', () => {
  test('judges both sides of a command’s traffic, and leaves no part of the key', async (t) => {
    const server = await reference(t, { keys: { business: CANARY } });
    const run = prepared(t, server.baseUrl);
    const ended = await petstore([...run.words, ...run.command], run.place);
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    const results = run.results();
    assert.deepEqual(verdicts(results), [
      ['service', 'inconclusive'],
      ['client', 'inconclusive'],
    ]);
    // Traffic never conforms: its exit code says that nothing red was seen.
    assert.deepEqual([results.verdict, results.clean], ['inconclusive', true]);
    assert.deepEqual(
      results.sides?.map(({ clean }) => clean),
      [true, true],
    );
    for (const text of [ended.stdout, run.read('summary.md'), run.read('badge.json')])
      assert.doesNotMatch(text, /\bconform(s|ant)\b/i);
    assert.match(run.read('index.html'), /<title>No violation seen: /);
    // Traffic shows no conformity, so nothing is said to hold.
    assert.ok(run.read('index.html').includes('with no violation seen'));
    assert.equal(/<b>\d+<\/b> holds?<|required holds?\b/.test(run.read('index.html')), false);
    assert.match(run.read('badge.json'), /no violation seen in \d+\/\d+ [^]*lightgrey/);
    assert.match(run.read('summary.md'), /^## No violation seen$/m);
    assert.ok(outcomes(results, 'passed').includes('create-ok'));
    assert.ok(outcomes(results, 'passed').includes('client-bearer-key'));
    const { from = '', to = '', ...traffic } = results.traffic ?? {};
    assert.ok(results.startedAt < from && from < to && to <= results.finishedAt);
    assert.deepEqual(traffic, {
      entries: 3,
      inScope: 2,
      leftOut: { 'without the key, of no operation': 1 },
    });
    assert.match(
      ended.stdout,
      /^NO VIOLATION SEEN the service · \d+ of \d\d [^]*^NO VIOLATION SEEN the client · /m,
    );
    assert.match(
      ended.stdout.replaceAll(/\s+/g, ' '),
      /under-test shows no violation of \d+ of \d\d required behaviours of Pet .* in 2 requests; the client shows no violation of \d of \d required behaviours of its part in 2 requests/,
    );
    expectNothingLeft(run.place.cwd, ended);
  });

  test('leaves no part of a key that only the client knows, whatever it sends and prints', async (t) => {
    const server = await reference(t, { keys: { business: CANARY } });
    const run = prepared(t, server.baseUrl);
    writeFileSync(join(run.place.cwd, 'client.mjs'), INDISCREET_CLIENT);
    const env = { ...run.place.env, ...others };
    const ended = await petstoreHere([...run.words, ...run.command], { ...run.place, env });
    assert.equal(run.results().traffic?.inScope, 4, ended.stdout + ended.stderr);
    expectNothingLeft(run.place.cwd, ended);
  });

  test('masks secrets of both sides by their names in every report, and says which', async (t) => {
    const server = await reference(t, { keys: { business: CANARY } });
    const front = await httpFront(server.baseUrl, {
      headers: (headers) => void (headers['set-cookie'] = 'session=hush-set'),
    });
    t.after(front.close);
    for (const judged of ['proxy', 'client']) {
      const run = prepared(t, front.baseUrl);
      writeFileSync(join(run.place.cwd, 'client.mjs'), CLIENT_WITH_SECRETS);
      const words = judged === 'proxy' ? run.words : ['client', '--scenario', 'calm', '--report-dir', 'out'];
      const ended = await petstoreHere([...words, ...run.command], run.place);
      for (const { name, bytes } of filesIn(join(run.place.cwd, 'out')))
        assert.ok(!bytes.includes('hush'), `${judged}: ${name}`);
      assert.ok(!`${ended.stdout}${ended.stderr}`.includes('hush'));
      const names = [
        'access_token',
        'auth',
        'Cookie',
        'Proxy-Authorization',
        'sid',
        'token',
        'X-Api-Key',
        'X-Session',
      ];
      const masked = judged === 'proxy' ? names.toSpliced(4, 0, 'set-cookie') : names;
      assert.deepEqual(run.results().traffic?.masked, masked);
      const told = `Values masked as secrets: ${masked.join(', ')}`;
      assert.ok(run.read('index.html').includes(told));
      assert.ok(ended.stdout.replaceAll(/\s+/g, ' ').includes(told), ended.stdout);
    }
  });

  test('blames the service for its mistake, and the client for none', async (t) => {
    const server = await reference(t, { keys: { business: CANARY }, flaws: ['created-with-200'] });
    const run = prepared(t, server.baseUrl);
    const ended = await petstoreHere([...run.words, ...run.command], run.place);
    assert.equal(ended.code, 1, ended.stdout + ended.stderr);
    assert.deepEqual(verdicts(run.results()), [
      ['service', 'non-conformant'],
      ['client', 'inconclusive'],
    ]);
    assert.deepEqual(outcomes(run.results(), 'failed'), ['create-ok']);
  });

  test('--refuse shows that a client does not wait, which is not the service’s fault', async (t) => {
    const server = await reference(t, { keys: { business: CANARY } });
    const run = prepared(t, server.baseUrl);
    writeFileSync(
      join(run.place.cwd, 'refusals.yaml'),
      'steps:\n  - { kind: refuse, wait: { kind: seconds, seconds: 60 } }\n  - { kind: unavailable, seconds: 1 }\n',
    );
    const ended = await petstoreHere([...run.words, '--refuse', 'refusals.yaml', ...run.command], run.place);
    assert.equal(ended.code, 1, ended.stdout + ended.stderr);
    assert.deepEqual(verdicts(run.results())?.[1], ['client', 'non-conformant']);
    // A busy machine may hide that the client goes on: a request soon after a refusal may have been under way.
    const failed = outcomes(run.results(), 'failed').filter((id) => id !== 'client-does-not-hammer');
    assert.deepEqual(failed, ['client-waits']);
    assert.notEqual(verdicts(run.results())?.[0]?.[1], 'non-conformant');
    writeFileSync(join(run.place.cwd, 'refusals.yaml'), 'steps:\n  - { kind: refuse, wiat: 2 }\n');
    const wrong = await petstoreHere([...run.words, '--refuse', 'refusals.yaml'], run.place);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /refusals\.yaml:2/);
  });

  test('--refuse with a redirect shows whether the key goes along to another origin', async (t) => {
    const server = await reference(t, { keys: { business: CANARY } });
    for (const [manner, kind] of [
      ['follow', 'passed'],
      ['manual', 'warned'],
    ] as const) {
      const run = prepared(t, server.baseUrl);
      writeFileSync(join(run.place.cwd, 'refusals.yaml'), 'steps:\n  - { kind: redirect }\n');
      // What fetch follows by itself loses the key on its way.
      writeFileSync(
        join(run.place.cwd, 'client.mjs'),
        `const { PETSTORE_BASE_URL: base, PETSTORE_API_KEY: key } = process.env;
         const init = { headers: { Authorization: 'Bearer ' + key }, redirect: '${manner}' };
         const first = await fetch(base + '/pets?limit=5', init);
         await first.text();
         if (first.status === 307) await fetch(first.headers.get('Location'), init).then((each) => each.text());`,
      );
      const ended = await petstoreHere(
        [...run.words, '--refuse', 'refusals.yaml', ...run.command],
        run.place,
      );
      const row = run.results().requirements.find(({ id }) => id === 'client-key-stays');
      assert.equal(row?.outcome, kind, ended.stdout + ended.stderr);
      assert.equal(run.results().traffic?.inScope, 2);
      expectNothingLeft(run.place.cwd, ended);
    }
    const { words, place } = prepared(t, server.baseUrl);
    writeFileSync(join(place.cwd, 'refusals.yaml'), 'steps:\n  - { kind: redirect }\n');
    const far = await petstoreHere(
      [...words.slice(0, 3), '--refuse', 'refusals.yaml', '--host', '0.0.0.0'],
      place,
    );
    assert.equal(far.code, 2);
    assert.match(far.stderr, /cannot be combined with a redirect/);
  });
});
