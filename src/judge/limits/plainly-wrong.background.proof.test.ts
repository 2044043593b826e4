import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../findings/finding.js';
import { clumped } from '../../testing/limiters/clumped.js';
import {
  fixedFromFirst,
  slidingCounter,
  tokenBucket,
  type MakeLimiter,
} from '../../testing/limiters/limiters.js';
import type { Behaviour, Draft } from '../../testing/limiters/server.js';
import { broken, PLAIN, simulate, type Circumstances } from '../../testing/simulated/simulate.js';

/* What is plain must be said plainly: servers as people first write them, or as gateways ship. */

const withoutHeaders = (draft: Draft): Draft => ({ ...draft, limit: null, remaining: null, reset: null });

const never: MakeLimiter = () => (now) => ({ served: true, remaining: 0, resetAt: now, retryAt: now });

const late = (draft: Draft): Draft => ({ ...draft, reset: String(Number(draft.reset) + 3600) });

const DAY_SECONDS = 86_400;

const ofDay = (draft: Draft): Draft => ({
  ...draft,
  reset: String((Math.floor(Number(draft.reset) / DAY_SECONDS) + 2) * DAY_SECONDS),
});

const twice = (draft: Draft): Draft => ({
  ...draft,
  remaining: String(Math.max(0, 60 - 2 * (60 - Number(draft.remaining)))),
});

const SHARED = 300;

const others: MakeLimiter = (limit, windowMs, phaseMs) => {
  const limiter = fixedFromFirst(limit, windowMs, phaseMs);
  let last: number | null = null;
  // Only the key of the smallest plan has another user.
  if (limit !== SHARED) return limiter;
  return (now) => {
    // It sends about three requests a second, evenly.
    for (last ??= now; last + 340 <= now; last += 340) limiter(last + 340);
    return limiter(now);
  };
};

const byConnection = (key: string, _operation: string, _count: number, connection: number): string =>
  `${key} ${connection % 2}`;

const run = async (behaviour: Behaviour, around: Partial<Circumstances> = {}) =>
  (await simulate(behaviour, { ...PLAIN, ...around })).findings;

const of = (findings: readonly Finding[], row: string): readonly Finding[] =>
  findings.filter(({ requirement }) => requirement === row);

const kinds = (findings: readonly Finding[], row: string): readonly string[] =>
  of(findings, row).map(({ kind }) => kind);

describe('no limiter and no rate headers', () => {
  it('serves more than twice the limit in a window, which no algorithm does', async () => {
    const findings = await run({ make: never, spoil: withoutHeaders });
    for (const row of ['rate-429', 'rate-window']) assert.ok(kinds(findings, row).includes('violated'), row);
    const [finding] = of(findings, 'rate-429').filter(({ kind }) => kind === 'violated');
    assert.ok(finding?.kind === 'violated');
    assert.match(finding.expected ?? '', /^at most \d+ requests allowed in /);
  });
});

describe('an allowance for each operation, without rate headers', () => {
  it('refuses one operation while another is served', async () => {
    const findings = await run({
      make: fixedFromFirst,
      countedBy: (key, operation) => `${key} ${operation}`,
      spoil: withoutHeaders,
    });
    assert.ok(kinds(findings, 'rate-all-operations').includes('violated'));
    assert.ok(!kinds(findings, 'rate-429').includes('kept'));
  });

  it('is not taken from a sound counter without rate headers', async () => {
    for (const make of [fixedFromFirst, tokenBucket, slidingCounter]) {
      const findings = await run({ make, spoil: withoutHeaders });
      assert.deepEqual(broken(findings), ['rate-headers-present']);
    }
  });
});

describe('a bucket that refills once a whole second', () => {
  it('may refill within any span, however short', async () => {
    for (let seed = 1; seed <= 25; seed += 1) {
      const make = clumped({ share: 1 / 10, anchor: 'clock', amount: 'sum', holds: 1, reset: 'full' });
      const findings = await run({ make }, { seed, minuteSeconds: 10, latencyMs: 20, jitterMs: 8 });
      assert.deepEqual(broken(findings), [], `seed ${seed}`);
    }
  });
});

describe('two counters behind a balancer that deals out connections', () => {
  it('allow too much', async () => {
    for (const make of [fixedFromFirst, slidingCounter, tokenBucket]) {
      assert.ok(broken(await run({ make, countedBy: byConnection })).includes('rate-window'));
    }
  });
});

describe('the time of a server', () => {
  it('is ours without Date, if every Reset lies within a window from now', async () => {
    const findings = await run({ make: fixedFromFirst, dated: () => null });
    assert.deepEqual(broken(findings), []);
    for (const row of ['rate-headers-wellformed', 'rate-reset-truthful'])
      assert.deepEqual(new Set(kinds(findings, row)), new Set(['kept']), row);
  });

  it('is unknown without Date, if a Reset lies elsewhere', async () => {
    const findings = await run({ make: fixedFromFirst, dated: () => null }, { offsetMs: 30_000 });
    assert.deepEqual(broken(findings), []);
    assert.ok(kinds(findings, 'rate-headers-wellformed').includes('inconclusive'));
  });

  it('is not what a stale Date alone says', async () => {
    let count = 0;
    // Date stands still for some seconds now and then.
    const dated = (date: number): number => ((count += 1) % 10 < 3 ? date - 8000 : date);
    assert.deepEqual(broken(await run({ make: fixedFromFirst, dated }, { seed: 3 })), []);
  });

  for (const [what, spoil] of [
    ['an hour late', late],
    ['that of the day', ofDay],
  ] as const)
    it(`is that of Date and of other responses, where both say that Reset is wrong: ${what}`, async () => {
      for (const minuteSeconds of [6, 60])
        assert.deepEqual(broken(await run({ make: fixedFromFirst, spoil }, { minuteSeconds })), [
          'rate-headers-wellformed',
        ]);
    });
});

describe('a second client on the key', () => {
  it('is named and leaves rows open', async () => {
    const findings = await run({ make: others }, { freeLimit: SHARED, latencyMs: 10 });
    assert.deepEqual(broken(findings), []);
    const text = JSON.stringify(of(findings, 'rate-remaining-counts'));
    assert.match(text, /Something else used (the Free|this) key: /);
  });

  it('is not taken from a server that counts each request twice', async () => {
    assert.ok(broken(await run({ make: fixedFromFirst, spoil: twice })).includes('rate-remaining-counts'));
  });
});
