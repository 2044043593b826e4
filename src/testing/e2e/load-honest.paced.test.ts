import assert from 'node:assert/strict';
import { test } from 'node:test';
import { respond, type RawRequest } from '../raw-server.js';
import { wasTooSlow } from './support/loading.js';
import { loadOf, servingRaw, soundHeaders } from './support/raw-load.js';
import { recordsIn, resultsIn } from './support/results.js';
import { reference } from './support/targets.js';

/** Responds as a correct service does. */
function serve({ socket, text, number }: RawRequest, limit = 1000): void {
  const name = /"name":"([^"]*)"/.exec(text)?.[1];
  if (name === undefined)
    respond(socket, '[{"id":1,"name":"a","categoryId":1,"status":"sold"}]', soundHeaders(limit));
  else
    respond(
      socket,
      `{"id":${number + 9},"name":"${name}","categoryId":1,"status":"available"}`,
      soundHeaders(limit),
      '201 Created',
    );
}

/** Requests of 200 that get a 500, preflight's included. */
const FAULTY: readonly number[] = [10, 20];

test('two 500 responses of 200 fail the run, and the sentence begins with them', async (t) => {
  const { server, baseUrl } = await servingRaw(t, (request) =>
    FAULTY.includes(request.number)
      ? respond(
          request.socket,
          '{"code":"x","message":"x","status":500}',
          soundHeaders(1000),
          '500 Internal Server Error',
        )
      : serve(request),
  );
  const planned = await loadOf(t, baseUrl, {}, ['--dry-run']);
  assert.match(planned.stdout, /errors < 1% \(default/);
  const { code, stdout, directory } = await loadOf(t, baseUrl, { thresholds: '[p99 < 30s]' });
  // A machine that stands still sends fewer, and perhaps not both.
  const faults = FAULTY.filter((number) => number <= server.requests.length).length;
  assert.equal(resultsIn(directory).capacity?.phases[0]?.errors, faults);
  if (wasTooSlow(directory)) return assert.equal(code, 3, stdout);
  assert.equal(code, 1, stdout);
  assert.match(
    stdout,
    new RegExp(
      String.raw`not kept\. ${faults} of \d+ responses (?:was|were) 500; 1 of 2 thresholds\s+missed: errors < 1% was \d`,
    ),
  );
});

test('a server that leaves most requests without response fails, with the cause', async (t) => {
  const { baseUrl } = await servingRaw(t, (request) =>
    request.number > 3 ? request.socket.destroy() : serve(request),
  );
  const { code, stdout, directory } = await loadOf(t, baseUrl, { thresholds: '[p99 < 30s, errors < 100%]' });
  const [phase] = resultsIn(directory).capacity?.phases ?? [];
  assert.ok(phase && phase.served <= 3, `${phase?.served} served`);
  if (wasTooSlow(directory)) return assert.equal(code, 3, stdout);
  assert.equal(code, 1, stdout);
  assert.match(
    stdout,
    new RegExp(String.raw`not kept\. ${phase.byStatus['none']} of \d+ requests got no complete response`),
  );
  assert.match(stdout, /requests failed: .*closed/);
  assert.ok(resultsIn(directory).capacity?.thresholds.some(({ text }) => text === 'hold: answered >= 50%'));
});

test('a server that resets used connections receives each request once, within its plan', async (t) => {
  const seen = new Set<number>();
  const { server, baseUrl } = await servingRaw(t, (request) => {
    if (seen.has(request.connection)) return void request.socket.resetAndDestroy();
    seen.add(request.connection);
    return serve(request, 60);
  });
  const { stdout, directory } = await loadOf(t, baseUrl, {
    phases: '[{ name: steady, duration: 2s, rate: 5/s }, { name: flood, duration: 3s, connections: 5 }]',
    operations: '[{ operation: listPets }, { operation: createPet }]',
    plan: 'free',
  });
  const names = server.requests.flatMap(({ text }) => /"name":"([^"]*)"/.exec(text)?.[1] ?? []);
  assert.equal(new Set(names).size, names.length);
  assert.equal(resultsIn(directory).requests.total, server.requests.length, stdout);
  assert.ok(server.requests.length <= 60, `${server.requests.length} requests`);
});

test('no request uses the key after a 429 until Retry-After ends', async (t) => {
  const refusal = '{"code":"x","message":"x","status":429}';
  const { server, baseUrl } = await servingRaw(t, (request) => {
    if (request.number <= 11) return serve(request, 60);
    const waiting = [
      ...soundHeaders(60).map((line) => line.replace('Remaining: 59', 'Remaining: 0')),
      'Retry-After: 30',
    ];
    return respond(request.socket, refusal, waiting, '429 Too Many Requests');
  });
  const { code, stdout, directory } = await loadOf(t, baseUrl, {
    plan: 'free',
    phases: '[{ name: hold, duration: 2s, rate: 22/s }]',
  });
  // Those under way when the first 429 arrives still get theirs: on a slow machine one on each connection.
  const most = 12 + Math.max(2, server.connections());
  assert.ok(server.requests.length <= most, `${server.requests.length} requests`);
  if (wasTooSlow(directory)) return assert.equal(code, 3, stdout);
  assert.equal(code, 1, stdout);
  assert.match(stdout, /429 within the\s+allowance/);
  assert.match(stdout, /not\s+sent,\s+because\s+the\s+key\s+had\s+to\s+wait\s+after\s+a\s+429/);
});

test('a second run in the same window waits for the next window', async (t) => {
  const [minute, rate] = [6, 45];
  const server = await reference(t, { minuteSeconds: minute });
  const options = {
    plan: 'free',
    key: server.keys.free,
    minute,
    phases: `[{ name: hold, duration: 1s, rate: ${rate}/s }]`,
  };
  const beganAt = Date.now();
  const first = await loadOf(t, server.baseUrl, options);
  const second = await loadOf(t, server.baseUrl, options);
  for (const { code, stdout } of [first, second]) assert.notEqual(code, 1, stdout);
  assert.doesNotMatch(first.stdout, /waiting until/);
  // On a very slow machine the first window may be over by then, or hold both runs.
  const askedAt =
    recordsIn(second.directory).find((record) => record.type === 'exchange')?.exchange.sentAt ?? 0;
  const [sent = 0] = resultsIn(first.directory).capacity?.phases.map((phase) => phase.sent) ?? [];
  if (askedAt < beganAt + minute * 1000 && sent + rate > 60)
    assert.match(second.stdout, /waiting until .* for the next window of the free plan/);
  for (const { directory } of [first, second]) {
    const [phase] = resultsIn(directory).capacity?.phases ?? [];
    assert.deepEqual(
      Object.keys(phase?.byStatus ?? {}).filter((status) => status !== '200'),
      [],
    );
  }
});
