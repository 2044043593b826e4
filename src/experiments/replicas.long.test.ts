import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { calendarWindow, countingLate, fixedFromFirst } from '../testing/limiters/limiters.js';
import { randomFrom } from '../testing/limiters/random.js';
import { broken, type Circumstances, PLAIN, simulate } from '../testing/simulated/simulate.js';
import type { Behaviour, Draft } from '../testing/limiters/server.js';
import { searching } from '../testing/limiters/searching.js';

const around = fc.record<Circumstances>({
  ...Object.fromEntries(Object.entries(PLAIN).map(([name, value]) => [name, fc.constant(value)])),
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  minuteSeconds: fc.constantFrom(10, 60),
  freeLimit: fc.integer({ min: 60, max: 90 }),
  latencyMs: fc.constantFrom(0.4, 2, 20),
  offsetMs: fc.integer({ min: -90_000, max: 90_000 }),
} as unknown as { [Name in keyof Circumstances]: fc.Arbitrary<Circumstances[Name]> });

const SEARCH = searching(15);

/** Distribution of a key's requests over several servers: the server of the nth request. */
type Balancing = (count: number) => number;

const inTurn =
  (servers: number): (() => Balancing) =>
  () =>
  (count) =>
    count % servers;

const atRandom =
  (servers: number): (() => Balancing) =>
  () => {
    const random = randomFrom(7);
    return () => Math.floor(random() * servers);
  };

/** One of several servers has no limiter and reports each request as the first. */
function oneWithout(balancing: () => Balancing, told: (draft: Draft, full: number) => Draft): Behaviour {
  const takers = new Map<string, Balancing>();
  const at = (key: string, count: number): number => {
    const taker = takers.get(key) ?? balancing();
    takers.set(key, taker);
    return taker(count);
  };
  let place = 0;
  return {
    make: fixedFromFirst,
    countedBy: (key, _operation, count) => {
      place = at(key, count);
      return place === 0 ? null : key;
    },
    spoil: (draft, { now, figures }) =>
      place === 0
        ? told({ ...draft, reset: String(Math.ceil(now / 1000) + figures.minuteSeconds) }, figures.perMinute)
        : draft,
  };
}

const full = (draft: Draft, limit: number): Draft => ({ ...draft, remaining: String(limit) });
const oneLess = (draft: Draft, limit: number): Draft => ({ ...draft, remaining: String(limit - 1) });

describe('one server of several without a limiter is charged to the limit, and to no operation', () => {
  for (const [name, balancing] of Object.entries({
    'two in turn': inTurn(2),
    'three in turn': inTurn(3),
    'two at random': atRandom(2),
    'three at random': atRandom(3),
  }))
    for (const [how, told] of Object.entries({ 'the whole limit': full, 'one less': oneLess }))
      it(`${name}, which says ${how} is left`, async () => {
        await fc.assert(
          fc.asyncProperty(around, async (circumstances) => {
            const rows = broken((await simulate(oneWithout(balancing, told), circumstances)).findings);
            assert.ok(!rows.includes('rate-all-operations'), rows.join());
            assert.ok(rows.includes('rate-429'), rows.join());
          }),
          SEARCH,
        );
      });
});

describe('servers side by side with a counter each', () => {
  for (const skewed of [false, true])
    it(`are charged to the limit${skewed ? ', where their clocks are a window apart' : ''}`, async () => {
      await fc.assert(
        fc.asyncProperty(around, fc.constantFrom(2, 3), async (circumstances, servers) => {
          const rows = broken((await simulate(apart(servers, skewed), circumstances)).findings);
          assert.ok(rows.includes('rate-429'), rows.join());
          assert.ok(!rows.includes('rate-all-operations'), rows.join());
        }),
        SEARCH,
      );
    });
});

/** Each server counts its own requests; if `skewed`, their Resets are a window apart. */
function apart(servers: number, skewed: boolean): Behaviour {
  let place = 0;
  return {
    make: fixedFromFirst,
    countedBy: (key, _operation, count) => {
      place = count % servers;
      return `${key} ${place}`;
    },
    spoil: (draft, { figures }) =>
      skewed && place === 0 ? { ...draft, reset: String(Number(draft.reset) - figures.minuteSeconds) } : draft,
  };
}

describe('servers behind a balancer of connections with a counter each', () => {
  it('are charged with what parallel requests get, wherever their windows end', async () => {
    await fc.assert(
      fc.asyncProperty(around, fc.constantFrom(2, 3), fc.integer({ min: 0, max: 20_000 }), async (...given) => {
        const [circumstances, servers, apartMs] = given;
        const { findings } = await simulate(byConnection(servers, apartMs), circumstances);
        const rows = broken(findings);
        assert.ok(
          rows.includes('rate-429') || rows.includes('rate-concurrent'),
          JSON.stringify(
            findings.filter(({ kind }) => kind === 'inconclusive' || kind === 'violated'),
            null,
            1,
          ),
        );
      }),
      SEARCH,
    );
  });
});

/** Each server counts the requests of its connections, in windows that end at different times. */
function byConnection(servers: number, apartMs: number): Behaviour {
  let made = 0;
  return {
    make: (limit, windowMs, phaseMs) => calendarWindow(limit, windowMs, phaseMs + apartMs * made++),
    countedBy: (key, _operation, _count, connection) => `${key} ${connection % servers}`,
  };
}

describe('a counter that is read by all before any has raised it', () => {
  it('is charged to requests in parallel, of the smallest plan as well', async () => {
    await fc.assert(
      fc.asyncProperty(around, async (circumstances) => {
        const late: Behaviour = { make: countingLate(circumstances.latencyMs * 0.9) };
        const { findings } = await simulate(late, circumstances);
        const parallel = findings.filter(({ requirement }) => requirement === 'rate-concurrent');
        assert.ok(
          parallel.every(({ kind }) => kind === 'violated'),
          JSON.stringify(parallel),
        );
      }),
      SEARCH,
    );
  });
});
