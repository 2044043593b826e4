import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { FAMILIES } from '../../base/interface/families.js';
import { calendarWindow, countingLate, fixedFromFirst } from '../../testing/limiters/limiters.js';
import { randomFrom } from '../../base/kernel/random.js';
import { broken, type Circumstances, PLAIN, simulate } from '../../testing/simulated/simulate.js';
import type { Behaviour, Draft } from '../../testing/limiters/server.js';
import type { searching } from '../../testing/limiters/searching.js';

const around = fc.record<Circumstances>({
  ...Object.fromEntries(Object.entries(PLAIN).map(([name, value]) => [name, fc.constant(value)])),
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  minuteSeconds: fc.constantFrom(10, 60),
  freeLimit: fc.integer({ min: 60, max: 90 }),
  latencyMs: fc.constantFrom(0.4, 2, 20),
  offsetMs: fc.integer({ min: -90_000, max: 90_000 }),
} as unknown as { [Name in keyof Circumstances]: fc.Arbitrary<Circumstances[Name]> });

/** Load balancing of a key: returns the server of the nth request. */
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

/** Creates several servers, of which one has no limiter and reports each request as the first. */
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

/** Creates servers that count separately; if `skewed`, their Resets are a window apart. */
function apart(servers: number, skewed: boolean): Behaviour {
  let place = 0;
  return {
    make: fixedFromFirst,
    countedBy: (key, _operation, count) => {
      place = count % servers;
      return `${key} ${place}`;
    },
    spoil: (draft, { figures }) =>
      skewed && place === 0
        ? { ...draft, reset: String(Number(draft.reset) - figures.minuteSeconds) }
        : draft,
  };
}

/** Creates servers that count per connection, in windows that end at different times. */
function byConnection(servers: number, apartMs: number): Behaviour {
  let made = 0;
  return {
    make: (limit, windowMs, phaseMs) => calendarWindow(limit, windowMs, phaseMs + apartMs * made++),
    countedBy: (key, _operation, _count, connection) => `${key} ${connection % servers}`,
  };
}

/** True for a row of the family that one mistake in counting may turn red. */
const isOfHowMuch = (row: string): boolean => FAMILIES['how much'].some((id) => id === row);

/**
 * Asserts that rows say that more was allowed than the plan has, and nothing else.
 *
 * @param besides rows of other families that the mistake breaks as well
 */
function assertTooMuch(rows: readonly string[], besides: readonly string[] = []): void {
  assert.ok(rows.includes('rate-429') || rows.includes('rate-window'), rows.join());
  assert.deepEqual(
    rows.filter((row) => !isOfHowMuch(row) && !besides.includes(row)),
    [],
  );
}

/**
 * Tests services of several servers, or with a race in their counter.
 *
 * @param search which circumstances of each property
 */
export function testsReplicas(search: ReturnType<typeof searching>): void {
  describe('one of several servers has no limiter: only rows of how much fail', () => {
    for (const [name, balancing] of Object.entries({
      'two servers in turn': inTurn(2),
      'three servers in turn': inTurn(3),
      'two servers at random': atRandom(2),
      'three servers at random': atRandom(3),
    }))
      for (const [how, told] of Object.entries({ 'the limit': full, 'the limit minus one': oneLess }))
        it(`${name}, with ${how} as Remaining`, async () => {
          await fc.assert(
            fc.asyncProperty(around, async (circumstances) => {
              const rows = broken((await simulate(oneWithout(balancing, told), circumstances)).findings);
              assertTooMuch(rows);
            }),
            search,
          );
        });
  });

  describe('several servers with separate counters', () => {
    for (const skewed of [false, true])
      it(`fail rows of how much${skewed ? ' even if their clocks are a window apart' : ''}`, async () => {
        await fc.assert(
          fc.asyncProperty(around, fc.constantFrom(2, 3), async (circumstances, servers) => {
            const rows = broken((await simulate(apart(servers, skewed), circumstances)).findings);
            // Resets a window apart describe more than one window.
            assertTooMuch(rows, skewed ? ['rate-headers-wellformed'] : []);
          }),
          search,
        );
      });
  });

  describe('several servers with separate counters behind a connection balancer', () => {
    it('fail rate-429 or rate-concurrent, wherever their windows end', async () => {
      await fc.assert(
        fc.asyncProperty(
          around,
          fc.constantFrom(2, 3),
          fc.integer({ min: 0, max: 20_000 }),
          async (...given) => {
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
          },
        ),
        search,
      );
    });
  });

  describe('a counter with a race between read and increment', () => {
    it('fails rate-concurrent for every plan', async () => {
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
        search,
      );
    });
  });
}
