import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { now } from '../../wire/exchange/connection.js';
import { secret } from '../../wire/targets/secret.js';
import { archiveOfNothing } from '../experiments/archive.test.support.js';
import { machineClock } from './clock.js';
import { collector, openKeySession } from './key-session.js';
import { anAnimal, localServer, rateHeaders } from './local-server.test.support.js';
import { paced } from './paced.js';
import { newReuse } from '../../wire/exchange/reuse.js';
import { loadStore } from './requests.js';

const GAP_MS = 5;
const REQUESTS = 30;
/** Length of the sender's stall after its tenth response, ms. */
const STALL_MS = 200;

const stall = (): void => {
  const until = now() + STALL_MS;
  while (now() < until);
};

const { signal } = new AbortController();

/** Opens a session to a server that responds immediately. */
async function aLine(test: TestContext) {
  const server = await localServer((_, response) => response.writeHead(200, rateHeaders(9)).end(anAnimal));
  test.after(() => server.close());
  let id = 0;
  return openKeySession({
    key: 'free',
    figures: { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 },
    origin: server.origin,
    limits: { timeoutMs: 5000, maxBodyBytes: 10_000 },
    context: { basePath: '/v1', userAgent: 'kit (test)', run: 'cafe0123', secret: secret('pk-test-key') },
    store: loadStore([]),
    archive: archiveOfNothing,
    reuse: newReuse(),
    nextId: () => `l${(id += 1)}`,
    signal,
  });
}

/** Runs a schedule with one stall and returns its samples. */
async function heldUp(test: TestContext, mostLateMs: number) {
  const session = await aLine(test);
  const sink = collector('steady');
  const from = now();
  let answers = 0;
  await paced(
    session,
    {
      from,
      gapMs: GAP_MS,
      mostLateMs,
      requests: () => REQUESTS,
      operation: () => 'listPets',
      stopsAt: () => {
        answers += 1;
        if (answers === 10) stall();
        return false;
      },
    },
    sink,
    { ...machineClock, signal },
  );
  await session.close();
  return { from, samples: sink.samples };
}

describe('a schedule with a stalled sender', () => {
  it('keeps its times and catches up if it may', async (test) => {
    const { from, samples } = await heldUp(test, Infinity);
    assert.equal(samples.length, REQUESTS);
    samples.forEach(({ intendedAt }, place) =>
      assert.ok(Math.abs(intendedAt - from - place * GAP_MS) < 1e-3),
    );
  });

  it('shifts by the delay if it may not catch up, without bunched requests', async (test) => {
    const { from, samples } = await heldUp(test, GAP_MS);
    assert.equal(samples.length, REQUESTS);
    const last = samples.at(-1)?.intendedAt ?? 0;
    assert.ok(last - from >= (REQUESTS - 1) * GAP_MS + STALL_MS / 2, `${last - from} ms`);
    const gaps = samples
      .slice(1)
      .map(({ intendedAt }, index) => intendedAt - (samples[index]?.intendedAt ?? 0));
    assert.ok(Math.min(...gaps) >= GAP_MS - 1e-3, `${Math.min(...gaps)} ms`);
  });
});
