import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { respond, type RawServer } from '../raw-server.js';
import { wasTooSlow } from './support/loading.js';
import { loadOf, servingRaw, soundHeaders } from './support/raw-load.js';
import { resultsIn } from './support/results.js';

const ANIMAL = '[{"id":1,"name":"a","categoryId":1,"status":"sold"}]';

/** Starts a server that is gone after some requests. Each response takes 20 ms. */
async function dyingAfter(t: TestContext, most: number) {
  const started: { server?: RawServer } = {};
  const { server, baseUrl } = await servingRaw(t, ({ socket, number }) => {
    if (number === most) return void started.server?.close();
    setTimeout(() => respond(socket, ANIMAL, soundHeaders(1000)), 20);
  });
  started.server = server;
  return { server, baseUrl };
}

const words = (text: string): string => text.replaceAll(/\s+/g, ' ');

for (const phase of ['connections: 10', 'connections: 1', 'rate: 50/s'])
  test(`a server that is gone before the end of a phase (${phase}) misses it, whatever the share of errors`, async (t) => {
    const { baseUrl } = await dyingAfter(t, 40);
    const { code, stdout, directory } = await loadOf(t, baseUrl, {
      phases: `[{ name: flood, duration: 6s, ${phase} }]`,
      thresholds: '[errors < 99%, violations = 0]',
    });
    const { capacity } = resultsIn(directory);
    const [flood = assert.fail()] = capacity?.phases ?? [];
    // This machine may have stood still for all of the phase, or sent so little that nothing is known.
    if (wasTooSlow(directory)) return assert.equal(code, 3, stdout);
    assert.equal(code, 1, stdout);
    assert.match(
      words(stdout),
      /flood got no response after [\d.]+ of 6 s \([^)]*(?:ECONNREFUSED|ECONNRESET|closed)/,
    );
    assert.ok(
      capacity?.thresholds.some(({ text, outcome }) => /answered/.test(text) && outcome === 'missed'),
    );
    // Over the whole time of the phase.
    assert.ok(Math.abs(flood.perSecond - flood.served / 6) < 1, `${flood.perSecond} of ${flood.served}`);
    // A machine that stood still just then cannot tell the one from the other.
    if (!words(stdout).includes('this machine stood still'))
      assert.ok(!words(stdout).includes('closes connections without notice'), stdout);
  });

test('a search ends soon after its server is gone, and names no latency of it', async (t) => {
  const { baseUrl } = await dyingAfter(t, 70);
  const { code, stdout, directory } = await loadOf(t, baseUrl, {}, [
    '--find',
    'errors < 50%',
    '--find-most',
    '14/s',
  ]);
  const { capacity } = resultsIn(directory);
  assert.equal(code, 3, stdout);
  const { answer, steps } = capacity?.find ?? assert.fail(stdout);
  // A step that this machine could not send in time says nothing, and may end the search before the server.
  if (answer.kind !== 'stopped' && steps.some(({ outcome }) => outcome === 'generator')) return;
  assert.equal(answer.kind, 'stopped', stdout);
  // A busy machine sends fewer requests in a step, so that the server is gone in a later one, or none in time.
  assert.deepEqual(
    steps.flatMap(({ p50, sent, outcome }, at) => (sent === 0 && outcome !== 'generator' ? [[at, p50]] : [])),
    [[steps.length - 1, 0]],
    JSON.stringify(steps),
  );
  assert.match(words(stdout), /the server stopped responding in the step at 1\d\/s \(/);
  assert.doesNotMatch(stdout, / 0 ms/);
});
