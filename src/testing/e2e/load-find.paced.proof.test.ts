import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { respond } from '../raw-server.js';
import { loadOf, servingRaw, soundHeaders } from './support/raw-load.js';
import { resultsIn } from './support/results.js';

test('a search ends at its highest rate, keeps to the plan, and shows its steps', async (t) => {
  const { server, baseUrl } = await servingRaw(t, ({ socket }) =>
    respond(socket, '[{"id":1,"name":"a","categoryId":1,"status":"sold"}]', soundHeaders(1000)),
  );
  const { code, stdout, directory } = await loadOf(t, baseUrl, {}, [
    '--find',
    'errors < 50%',
    '--find-most',
    '12/s',
  ]);
  assert.equal(code, 3, stdout);
  const { capacity } = resultsIn(directory);
  assert.ok(capacity?.find, stdout);
  const { answer, steps } = capacity.find;
  assert.ok(steps.every(({ perSecond }) => perSecond <= 12));
  // A step that this machine could not send in time says nothing, and changes the search.
  if (steps.every(({ outcome }) => outcome !== 'generator')) {
    assert.equal(answer.kind, 'bound', stdout);
    assert.deepEqual(
      steps.map(({ role, perSecond }) => [role, perSecond]),
      [
        ['warm', 10],
        ['climb', 10],
        ['climb', 12],
        ['confirm', 12],
      ],
    );
    assert.match(
      stdout.replaceAll(/\s+/g, ' '),
      /--find-most ends the search at 12\/s: it carries at least 12 requests\/s/,
    );
    assert.match(readFileSync(join(directory, 'index.html'), 'utf8'), /Latency and errors by rate/);
  }
  const sent = capacity.phases.reduce((sum, phase) => sum + phase.sent, 0);
  assert.equal(server.requests.length, sent + 1);
});
