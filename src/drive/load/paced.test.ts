import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IDLE, virtualTime, type Machine } from '../../proof/selftest/virtual-time.js';
import { virtualReference } from '../../proof/selftest/virtual-reference.js';
import { secret } from '../../wire/targets/secret.js';
import { keepsNothing } from './keeps-nothing.test.support.js';
import { collector, openKeySession } from './key-session.js';
import { paced } from './paced.js';
import { newReuse } from '../../wire/exchange/reuse.js';
import { loadStore } from './requests.js';

const GAP_MS = 5;
const REQUESTS = 30;
/** Length of the sender's stall after its tenth response, ms. */
const STALL_MS = 200;

const { signal } = new AbortController();

/** Runs a schedule with one stall in virtual time, and returns its samples. */
async function heldUp(mostLateMs: number) {
  let heldTo = -Infinity;
  const machine: Machine = { ...IDLE, free: (at) => Math.max(at, heldTo) };
  const time = virtualTime(1_800_000_000_000, machine);
  const { carrier, baseUrl, keys } = virtualReference({}, time);
  let id = 0;
  const session = openKeySession({
    key: 'free',
    figures: { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 },
    origin: new URL(baseUrl).origin,
    limits: { timeoutMs: 5000, maxBodyBytes: 10_000 },
    context: { basePath: '/v1', userAgent: 'kit (test)', run: 'cafe0123', secret: secret(keys.free) },
    store: loadStore([]),
    archive: keepsNothing,
    reuse: newReuse(),
    nextId: () => `l${(id += 1)}`,
    signal,
    carrier,
  });
  const sink = collector('steady');
  const from = time.now();
  let answers = 0;
  await time.passing(() =>
    paced(
      session,
      {
        from,
        gapMs: GAP_MS,
        mostLateMs,
        requests: () => REQUESTS,
        operation: () => 'listPets',
        stopsAt: ({ status }) => {
          assert.equal(status, 200);
          answers += 1;
          if (answers === 10) heldTo = time.now() + STALL_MS;
          return false;
        },
      },
      sink,
      { ...time, signal },
    ),
  );
  await session.close();
  const { samples } = sink;
  assert.equal(samples.length, REQUESTS);
  assert.ok(samples.every(({ intendedAt, sentAt }) => sentAt >= intendedAt));
  return { from, samples, heldTo };
}

describe('a schedule with a stalled sender', () => {
  it('keeps its times and catches up if it may', async () => {
    const { from, samples, heldTo } = await heldUp(Infinity);
    // Those that leave together are in the order of their responses.
    const intended = samples.map(({ intendedAt }) => intendedAt).sort((one, other) => one - other);
    intended.forEach((at, place) => assert.equal(at - from, place * GAP_MS));
    // All that were due leave when the stall ends, as far as there is room for requests under way.
    for (const { sentAt } of samples.slice(10))
      assert.ok(sentAt >= heldTo && sentAt < heldTo + GAP_MS, `${sentAt - heldTo} ms`);
  });

  it('shifts by the delay if it may not catch up, without bunched requests', async () => {
    const { from, samples, heldTo } = await heldUp(GAP_MS);
    const late = heldTo - (from + 10 * GAP_MS);
    samples.forEach(({ intendedAt }, place) =>
      assert.equal(intendedAt - from, place * GAP_MS + (place < 10 ? 0 : late)),
    );
  });
});
