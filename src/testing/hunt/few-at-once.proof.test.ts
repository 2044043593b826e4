import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldAgainstSaid, saidOf, type LimiterCase } from './second-clients.js';

/**
 * Correct limiters with another client that sends few requests at the same moment: the hunt draws few of
 * these.
 */
const FEW_AT_ONCE: readonly LimiterCase[] = [
  {
    limiter: 'fixed window from the first request',
    client: { key: 0, share: 2, atOnce: 6, shift: 80, isPatient: true },
    plans: ['free', 'pro', 'business'],
    minute: 10,
    seed: 92,
    latency: 150,
    jitter: 1,
    offset: 0,
    grain: 1,
    retryAfterAs: 'seconds',
    reset: 'down',
  },
  {
    limiter: 'strict pacer',
    client: { key: 0, share: 20, atOnce: 20, shift: 57, isPatient: false },
    plans: ['pro'],
    minute: 60,
    seed: 378,
    latency: 150,
    jitter: 5,
    offset: -400,
    grain: 1,
    retryAfterAs: 'seconds',
    reset: 'down',
  },
  {
    limiter: 'sliding window by weighted tenths',
    client: { key: 0, share: 2, atOnce: 6, shift: 78, isPatient: true },
    plans: ['free'],
    minute: 10,
    seed: 349,
    latency: 80,
    jitter: 0.2,
    offset: 700,
    grain: 0,
    retryAfterAs: 'date',
    reset: 'nearest',
  },
  {
    limiter: 'sliding window by weighted tenths',
    client: { key: 0, share: 40, atOnce: 4, shift: 50, isPatient: false },
    plans: ['free'],
    minute: 15,
    seed: 488,
    latency: 40,
    jitter: 0.2,
    offset: 700,
    grain: 0,
    retryAfterAs: 'date',
    reset: 'nearest',
  },
  {
    limiter: 'bucket smaller than the plan',
    client: { key: 0, share: 20, atOnce: 5, shift: 66, isPatient: true },
    plans: ['free'],
    minute: 10,
    seed: 618,
    latency: 80,
    jitter: 1,
    offset: 0,
    grain: 1,
    retryAfterAs: 'date',
    reset: 'up',
  },
];

test('another client that sends few requests at the same moment turns no row red', async () => {
  for (const subject of FEW_AT_ONCE) {
    const held = heldAgainstSaid(subject, await saidOf(subject));
    assert.equal(held.kind, 'held', `${subject.limiter}: ${JSON.stringify(held)}`);
  }
});
