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
const MOST_SECONDS = 330;

test('the limits of four plans take five and a half minutes at most', async () => {
  const { seconds, findings } = await simulate({ make: fixedFromFirst }, PLAIN, { plans: PLANS });
  assert.ok(seconds <= MOST_SECONDS, `${seconds} s`);
  assert.deepEqual(broken(findings), []);
  assert.deepEqual(openIn(findings), []);
});

for (const [latencyMs, make] of [
  [100, fixedFromFirst],
  [200, slidingCounter],
] as const)
  test(`a target at ${latencyMs} ms a response breaks no row and meets eight refusals at most: ${make.name}`, async () => {
    const { findings, mostRefused } = await simulate({ make }, { ...PLAIN, latencyMs }, { plans: PLANS });
    assert.deepEqual(broken(findings), []);
    assert.ok(Math.max(...mostRefused.values()) <= 8, JSON.stringify([...mostRefused]));
  });

test('the steady run of the largest plan keeps its pace at 200 ms a response', async () => {
  const { findings, mostRefused } = await simulate(
    { make: fixedFromFirst },
    { ...PLAIN, latencyMs: 200 },
    { plans: PLANS },
  );
  assert.ok(!openIn(findings).includes('rate-not-early'), openIn(findings).join());
  assert.ok(Math.max(...mostRefused.values()) <= 8, JSON.stringify([...mostRefused]));
});

test('a plan that no window holds at 1.5 s a response is left open, with the reason', async () => {
  const { findings, requests } = await simulate(
    { make: fixedFromFirst },
    { ...PLAIN, latencyMs: 1500 },
    { plans: new Map([['enterprise', { perMinute: 2400, perDay: 500_000 }]]) },
  );
  assert.ok((requests.get('enterprise') ?? 0) <= 2400, `${requests.get('enterprise')} requests`);
  assert.deepEqual(broken(findings), []);
  const why = findings.find(({ requirement, kind }) => requirement === 'rate-429' && kind === 'inconclusive');
  assert.ok(why?.kind === 'inconclusive', JSON.stringify(why));
});

test('a server that is slow for its short window leaves no row open: the edge has as many connections as a burst', async () => {
  for (const latencyMs of [110, 140, 170]) {
    const { findings, mostRefused } = await simulate(
      { make: fixedFromFirst },
      { ...PLAIN, minuteSeconds: 6, latencyMs },
      { plans: new Map([['pro', { perMinute: 300, perDay: 10_000 }]]) },
    );
    assert.deepEqual(broken(findings), []);
    assert.deepEqual(openIn(findings), [], `${latencyMs} ms`);
    assert.ok(Math.max(...mostRefused.values()) <= 8, JSON.stringify([...mostRefused]));
  }
});

test('a server that is too slow for its plan is the cause of each row that lacks a refusal', async () => {
  const { findings } = await simulate(
    { make: fixedFromFirst },
    { ...PLAIN, minuteSeconds: 6, latencyMs: 400 },
    { plans: new Map([['pro', { perMinute: 300, perDay: 10_000 }]]) },
  );
  assert.deepEqual(broken(findings), []);
  const open = findings.flatMap((finding) => (finding.kind === 'inconclusive' ? [finding] : []));
  for (const row of ['rate-429', 'rate-window', 'rate-retry-after-present', 'rate-429-error-body'])
    assert.ok(
      open.some(({ requirement }) => requirement === row),
      row,
    );
  assert.deepEqual([...new Set(open.map(({ reason }) => reason.code))], ['slow-responses']);
});
