import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchangeOf } from '../../judge/checks/exchange.test.support.js';
import { retryPatiently } from './patience.js';
import { MAX_PATIENCE } from './waits.js';

const OK = exchangeOf({ status: 200 });
const BUSY = exchangeOf({ status: 429, headers: [['Retry-After', '1']] });
const DOWN = exchangeOf({ status: 503 });

/**
 * Retries a first response; `later` are the responses to the retries. Returns the last status, its waits and
 * all pauses.
 */
async function retried(
  first: typeof OK,
  later: readonly (typeof OK)[],
  how: Partial<Parameters<typeof retryPatiently>[1]> = {},
) {
  const left = [...later];
  const pauses: number[] = [];
  const { exchange, waits } = await retryPatiently(first, {
    again: async () => left.shift() ?? BUSY,
    pause: async ({ ms }) => void pauses.push(ms),
    windowMs: 60_000,
    ...how,
  });
  return {
    status: exchange.answer.kind === 'response' ? exchange.answer.status : null,
    waits,
    pauses: pauses.length,
  };
}

test('a request is sent again after each wait, until it is served', async () => {
  assert.deepEqual(await retried(OK, []), { status: 200, waits: 0, pauses: 0 });
  assert.deepEqual(await retried(BUSY, [DOWN, OK]), { status: 200, waits: 2, pauses: 2 });
});

test('patience ends after a fixed number of waits', async () =>
  assert.deepEqual(await retried(BUSY, []), { status: 429, waits: MAX_PATIENCE, pauses: MAX_PATIENCE }));

test('without requests left, or where a 503 is final, no wait follows', async () => {
  assert.deepEqual(await retried(BUSY, [OK], { isSpent: () => true }), { status: 429, waits: 0, pauses: 0 });
  assert.deepEqual(await retried(DOWN, [OK], { isUnavailable: true }), { status: 503, waits: 0, pauses: 0 });
  assert.deepEqual(await retried(BUSY, [OK], { isUnavailable: true }), { status: 200, waits: 1, pauses: 1 });
});
