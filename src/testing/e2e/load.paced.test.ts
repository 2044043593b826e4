import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesIn, folder } from './support/folder.js';
import { against, KEY, loading, loadingHere, scenario, wasTooSlow } from './support/loading.js';
import { petstoreHere } from './support/command.js';
import { recordsIn, resultsIn } from './support/results.js';
import { answering } from './support/servers.js';
import { reference } from './support/targets.js';
import { rateHeadersWith } from '../../base/interface/rate-headers.js';

/** Runs the command in its own process: next to the server, a busy machine saturates it. */
const apart = (...given: Parameters<typeof loading>) => loading(...given).ended;

test('met thresholds exit with 0, and the server received every counted request', async (t) => {
  const { code, directory, server, stdout, stderr } = await against(
    t,
    scenario(
      'thresholds: [errors < 1%, violations = 0, served > 100, { phase: hold, operation: listPets, p99: < 30s }]',
    ),
    {},
    [],
    apart,
  );
  const isSlow = wasTooSlow(directory);
  assert.equal(code, isSlow ? 3 : 0, stdout + stderr);
  const results = resultsIn(directory);
  assert.equal(results.verdict, isSlow ? 'inconclusive' : 'conformant');
  const capacity = results.capacity;
  assert.ok(capacity);
  assert.deepEqual(
    capacity.phases.map(({ name, intended, sent, dropped, served, violations }) => [
      name,
      intended,
      sent + dropped,
      served === sent,
      violations,
    ]),
    [
      ['warm', 25, 25, true, 0],
      ['hold', 80, 80, true, 0],
    ],
  );
  for (const { text, outcome } of capacity.thresholds)
    assert.ok(outcome === 'met' || (isSlow && outcome === 'inconclusive'), `${text}: ${outcome}`);
  assert.equal(server.requests(), results.requests.total);
  assert.equal(
    server.requestsByPath()['POST /v1/pets'],
    capacity.phases
      .flatMap(({ operations }) => operations)
      .reduce((sum, each) => sum + (each.operation === 'createPet' ? each.sent : 0), 0),
  );
  const junit = readFileSync(join(directory, 'junit.xml'), 'utf8');
  assert.match(junit, /testcase name="errors &lt; 1%"/);
  assert.doesNotMatch(junit, isSlow ? /<failure/ : /<failure|<error/);
  if (isSlow) return;
  // A busy machine may drop some, and says so.
  const sent = capacity.phases.reduce((sum, phase) => sum + phase.sent, 0);
  assert.match(stdout, new RegExp(`KEPT +small: kept\\. ${sent} of 105 requests sent on time`));
  assert.match(readFileSync(join(directory, 'index.html'), 'utf8'), /small: kept/);
  const summary = readFileSync(join(directory, 'summary.md'), 'utf8');
  assert.match(summary, /^## ✅ Kept$/m);
  assert.match(summary, /\| violations = 0 \| 0 \| ✅ met \|/);
});

test('a missed threshold exits with 1 and is a JUnit failure', async (t) => {
  const { code, directory } = await against(
    t,
    scenario('thresholds: [p50 < 0.001ms, errors < 1%]'),
    {},
    [],
    apart,
  );
  const again = await petstoreHere(['report', directory], { cwd: directory });
  assert.equal(again.code, code, again.stdout);
  // Its requirements hold, so a verdict on them would say the opposite.
  assert.match(again.stdout, wasTooSlow(directory) ? /^INCONCLUSIVE +small/m : /^NOT KEPT +small: not kept/m);
  assert.match(again.stdout, /p50 < 0\.001ms/);
  assert.doesNotMatch(again.stdout, /CONFORMANT/);
  if (wasTooSlow(directory)) return assert.equal(code, 3);
  assert.equal(code, 1);
  const [missed, other] = resultsIn(directory).capacity?.thresholds ?? [];
  assert.deepEqual([missed?.text, missed?.outcome, other?.text], ['p50 < 0.001ms', 'missed', 'errors < 1%']);
  assert.notEqual(other?.outcome, 'missed');
  assert.match(
    readFileSync(join(directory, 'junit.xml'), 'utf8'),
    /<failure message="missed: p50 &lt; 0.001ms/,
  );
});

test('a violation exits with 1, with the first exchange recorded, the rest counted, and no key in any file', async (t) => {
  const flaws = ['limit-one-too-many'];
  const text = scenario('thresholds: [errors < 1%]');
  const { code, directory, server, stdout, stderr } = await against(t, text, { flaws }, [], apart);
  assert.equal(code, 1, stdout);
  const results = resultsIn(directory);
  const [violation] = results.capacity?.violations ?? [];
  assert.ok(violation && violation.count > 3);
  assert.match(violation.requirement, /^list-/);
  assert.ok(results.exchanges.some(({ id }) => id === violation.exchange));
  assert.equal(
    recordsIn(directory).filter((record) => record.type === 'exchange' && record.exchange.id.startsWith('c'))
      .length,
    results.capacity?.violations.length,
  );
  const texts = [stdout, stderr, ...filesIn(directory).map(({ bytes }) => bytes.toString('latin1'))];
  for (const key of [server.keys.business, server.keys.enterprise])
    assert.ok(texts.every((each) => !each.includes(key.slice(0, 12))));
});

test('load with writes off creates nothing and states that', async (t) => {
  const { code, directory, server, stdout } = await against(t, scenario(), {}, ['--read-only']);
  assert.equal(code, wasTooSlow(directory) ? 3 : 0, stdout);
  assert.equal(server.requestsByPath()['POST /v1/pets'], undefined);
  assert.match(stdout, /createPet was left out, because writes are off/);
});

test('an interruption ends load quickly with a partial report and exit code 3', async (t) => {
  const cwd = folder(t);
  const server = await reference(t, {});
  const { business, enterprise } = server.keys;
  const run = loading(
    cwd,
    server.baseUrl,
    { business, enterprise },
    scenario('thresholds: [errors < 1%]').replace('duration: 2s, rate: 40/s', 'duration: 10m, rate: 20/s'),
  );
  t.after(() => run.child.kill('SIGKILL'));
  // The phase before has sent something.
  await run.shows(/\d+ s +hold/);
  const sentAt = performance.now();
  run.child.kill('SIGINT');
  const { code, stdout } = await run.ended;
  assert.ok(performance.now() - sentAt < 5 * 60_000, 'it did not end before its schedule');
  assert.equal(code, 3, stdout);
  const results = resultsIn(join(cwd, 'out'));
  assert.equal(results.complete, false);
  assert.equal(results.capacity?.thresholds[0]?.outcome, 'inconclusive');
  assert.ok((results.capacity?.phases[0]?.sent ?? 0) > 0);
  assert.match(readFileSync(join(cwd, 'out/index.html'), 'utf8'), /This run was cut short/);
});

test('the abort condition of the scenario ends the run', async (t) => {
  const cwd = folder(t);
  const baseUrl = await answering(t, ({ url }, response) => {
    const isFirst = url?.includes('limit=100') ?? false;
    response.writeHead(isFirst ? 200 : 500, {
      'Content-Type': 'application/json',
      ...Object.fromEntries(
        rateHeadersWith({ limit: 1000, remaining: 900, reset: Math.ceil(Date.now() / 1000) + 30 }),
      ),
    });
    response.end(
      isFirst ? '[{"id":1,"name":"a","categoryId":1}]' : '{"code":"x","message":"x","status":500}',
    );
  });
  const text = scenario('thresholds: [errors < 1%]\nabort: { when: errors > 20%, after: 2s }').replace(
    'duration: 2s',
    'duration: 20s',
  );
  const { code, stdout } = await loadingHere(cwd, baseUrl, { business: KEY, enterprise: `${KEY}-2` }, text);
  assert.equal(code, wasTooSlow(join(cwd, 'out')) ? 3 : 1, stdout);
  const results = resultsIn(join(cwd, 'out'));
  assert.equal(results.complete, false);
  assert.match(
    recordsIn(join(cwd, 'out'))
      .map((record) => (record.type === 'footer' ? String(record.reason) : ''))
      .join(''),
    /aborted: errors > 20%/,
  );
  assert.equal(results.capacity?.violations.length, 0);
});
