import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { collectGarbage } from '../../run/collect-garbage.js';
import { newReuse } from '../../wire/exchange/reuse.js';
import { secret } from '../../wire/targets/secret.js';
import { archiveOfNothing } from '../experiments/archive.test.support.js';
import { machineClock } from './clock.js';
import { sendInFlow } from './flow.js';
import { collector, openKeySession } from './key-session.js';
import { anAnimal, localServer, rateHeaders, refuse, type LocalServer } from './local-server.test.support.js';
import { MOST_UNCERTAIN } from './refusal-bound.js';
import { loadStore, type LoadAnswer } from './requests.js';

/** Opens a session whose archive keeps every response. */
function sessionWith(t: TestContext, server: LocalServer) {
  const kept: LoadAnswer[] = [];
  let id = 0;
  const session = openKeySession({
    key: 'free',
    figures: { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 },
    origin: server.origin,
    limits: { timeoutMs: 60_000, maxBodyBytes: 300_000 },
    context: { basePath: '/v1', userAgent: 'kit (test)', run: 'cafe0123', secret: secret('pk-test-key') },
    store: loadStore([]),
    archive: { ...archiveOfNothing, take: (answer) => void kept.push(answer) },
    reuse: newReuse(),
    nextId: () => `l${(id += 1)}`,
    signal: new AbortController().signal,
  });
  t.after(async () => {
    await session.close();
    await server.close();
  });
  return { session, kept };
}

/** Returns `count` listings, one at a call. */
const listings = (count: number) => {
  let sent = 0;
  return () => (sent++ < count ? ('listPets' as const) : null);
};

/** Memory of this process, in bytes. */
const held = (): number => process.memoryUsage().heapUsed + process.memoryUsage().external;

test('requests in a flow each get a response, in order of sending', async (t) => {
  const server = await localServer((_, response) => response.writeHead(200, rateHeaders(9)).end(anAnimal));
  const { session } = sessionWith(t, server);
  const sink = collector('burst');
  const last = await sendInFlow(session, sink, { connections: 5, next: listings(103) }, machineClock);
  assert.equal(last?.status, 200);
  assert.deepEqual([sink.samples.length, server.requests()], [103, 103]);
  assert.ok(sink.samples.every(({ sentAt }, at) => sentAt >= (sink.samples[at - 1]?.sentAt ?? 0)));
});

test('a flow ends at the first 429, with the open requests still counted', async (t) => {
  const server = await localServer((_, response, count) =>
    count < 20 ? response.writeHead(200, rateHeaders(9)).end(anAnimal) : refuse(response),
  );
  const { session } = sessionWith(t, server);
  const sink = collector('burst');
  const next = listings(1000);
  const last = await sendInFlow(session, sink, { connections: MOST_UNCERTAIN, next }, machineClock);
  assert.equal(last?.status, 429);
  assert.equal(sink.samples.length, server.requests());
  assert.ok(server.requests() < 20 + MOST_UNCERTAIN, `${server.requests()} requests`);
});

test('long bodies that wait for their judgement are not kept in memory', async (t) => {
  const body = `"${'x'.repeat(200_000)}`;
  const server = await localServer((_, response, count) =>
    response.writeHead(200, rateHeaders(9)).end(`${body}${count}"`),
  );
  const { session, kept } = sessionWith(t, server);
  collectGarbage();
  const before = held();
  await sendInFlow(session, collector('burst'), { connections: 5, next: listings(200) }, machineClock);
  collectGarbage();
  // 40 MB arrived; counting the responses takes some memory too.
  assert.ok(held() - before < 25e6, `${held() - before} bytes more`);
  const bodies = kept.map(({ exchange: { answer } }) => (answer.kind === 'response' ? answer.text.length : 0));
  assert.ok(bodies.length === 200 && bodies.every((length) => length > 200_000));
});
