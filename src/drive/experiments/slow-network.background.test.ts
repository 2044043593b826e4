import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../judge/findings/finding.js';
import { fixedFromFirst, slidingCounter } from '../../testing/limiters/limiters.js';
import { broken, type Course, PLAIN, simulate } from '../../testing/simulated/simulate.js';

const PLANS: NonNullable<Course['plans']> = new Map([
  ['free', { perMinute: 60, perDay: 1000 }],
  ['pro', { perMinute: 300, perDay: 10_000 }],
  ['business', { perMinute: 1000, perDay: 100_000 }],
  ['enterprise', { perMinute: 2400, perDay: 500_000 }],
]);

const openIn = (findings: readonly Finding[]): readonly string[] => [
  ...new Set(findings.flatMap((finding) => (finding.kind === 'inconclusive' ? [finding.requirement] : []))),
];

/** Longest that the limits of all four plans may take together, s. */
const MOST_SECONDS = 120;

test('the limits of four plans take two minutes at 100 ms a response', async () => {
  const { seconds, findings } = await simulate(
    { make: fixedFromFirst },
    { ...PLAIN, latencyMs: 100 },
    { plans: PLANS },
  );
  assert.ok(seconds <= MOST_SECONDS, `${seconds} s`);
  assert.deepEqual(broken(findings), []);
  assert.deepEqual(openIn(findings), ['rate-per-key']);
});

/**
 * Longest for a sliding counter, s: a wait for a window's end, two windows, and a burst as fast as it gives
 * back.
 */
const MOST_OF_A_COUNTER = 210;

test('a sliding counter that gave all at first is not asked again after two idle windows', async () => {
  const { seconds, findings, record } = await simulate(
    { make: slidingCounter },
    { ...PLAIN, latencyMs: 100 },
    { plans: PLANS },
  );
  assert.ok(seconds <= MOST_OF_A_COUNTER, `${seconds} s`);
  assert.ok(record.keys.every(({ fresh, steady }) => fresh === null && steady === null));
  assert.deepEqual(broken(findings), []);
  assert.ok(findings.some(({ requirement, kind }) => requirement === 'rate-not-early' && kind === 'kept'));
});

test('a large plan at 200 ms a response is judged, as more requests are open far from the edge', async () => {
  const { findings, mostRefused } = await simulate(
    { make: fixedFromFirst },
    { ...PLAIN, latencyMs: 200 },
    { plans: PLANS },
  );
  assert.deepEqual(broken(findings), []);
  assert.deepEqual(openIn(findings), ['rate-per-key']);
  assert.ok(Math.max(...mostRefused.values()) <= 8, JSON.stringify([...mostRefused]));
});

test('a plan that no window holds at 1.5 s a response is left open after one window', async () => {
  const { seconds, findings, requests } = await simulate(
    { make: fixedFromFirst },
    { ...PLAIN, latencyMs: 1500 },
    { plans: new Map([['enterprise', { perMinute: 2400, perDay: 500_000 }]]) },
  );
  assert.ok(seconds <= MOST_SECONDS, `${seconds} s`);
  assert.ok((requests.get('enterprise') ?? 0) <= 2400, `${requests.get('enterprise')} requests`);
  assert.deepEqual(broken(findings), []);
  const why = findings.find(({ requirement, kind }) => requirement === 'rate-429' && kind === 'inconclusive');
  assert.ok(why?.kind === 'inconclusive' && why.reason.code === 'slow-responses', JSON.stringify(why));
});
