import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assert as assertProperty,
  boolean,
  constantFrom,
  float,
  func,
  integer,
  nat,
  property,
} from 'fast-check';
import type { FindAnswer, FindStep } from '../../log/load-shapes.js';
import { mostOfSearch, nextMove, PAUSE_SECONDS, samplesFor, type FindSettings } from './search.js';

const settings = (more: Partial<FindSettings> = {}): FindSettings => ({
  first: 10,
  lowest: 1,
  most: 2000,
  samples: samplesFor([{ metric: 'p99', comparison: '<', bound: 250, unit: 'ms' }]),
  ...more,
});

/** Returns the time of a response for an arrival, both in ms; arrivals come in order. */
type Server = (arrivalMs: number) => number;

type Judge = (
  step: Pick<FindStep, 'role' | 'perSecond' | 'seconds'>,
  beginMs: number,
) => Partial<FindStep> & { readonly endMs?: number };

/** Runs a search in virtual time. */
function search(
  given: FindSettings,
  judge: Judge,
): { readonly answer: FindAnswer; readonly steps: readonly FindStep[] } {
  const steps: FindStep[] = [];
  let beginMs = 0;
  for (let turns = 0; turns < 200; turns += 1) {
    const move = nextMove(given, steps);
    if (move.kind === 'answer') return { answer: move.answer, steps };
    const { role, perSecond, seconds } = move;
    const figures = {
      throughput: perSecond,
      p50: 1,
      p99: 1,
      errors: 0,
      outcome: 'holds' as const,
      reasons: [],
    };
    const { endMs = 0, ...judged } = judge(move, beginMs);
    steps.push({ phase: '', role, perSecond, seconds, sent: perSecond * seconds, ...figures, ...judged });
    // The next step begins once the server has answered everything.
    beginMs = Math.max(beginMs + seconds * 1000, endMs) + PAUSE_SECONDS * 1000;
  }
  throw new Error('The search has no end.');
}

/** Judges steps by the latencies of a server: p99 below 250 ms. */
const p99Of =
  (server: Server): Judge =>
  ({ perSecond, seconds }, beginMs) => {
    let endMs = 0;
    const latencies = Array.from({ length: Math.round(perSecond * seconds) }, (_, place) => {
      const arrival = beginMs + ((place + 0.5) * 1000) / perSecond;
      const answeredAt = server(arrival);
      endMs = Math.max(endMs, answeredAt);
      return answeredAt - arrival;
    }).toSorted((one, other) => one - other);
    const at = (share: number): number => latencies[Math.ceil(latencies.length * share) - 1] ?? 0;
    return { p50: at(0.5), p99: at(0.99), outcome: at(0.99) < 250 ? 'holds' : 'misses', endMs };
  };

/** A queue with one worker and a fixed service time. */
function queue(perSecond: number): Server {
  let freeAt = 0;
  return (arrival) => (freeAt = Math.max(freeAt, arrival) + 1000 / perSecond);
}

/** A pool of workers whose service times vary. */
function pool(perSecond: number, workers: number): Server {
  const freeAt = Array.from({ length: workers }, () => 0);
  let turn = 0;
  return (arrival) => {
    const next = freeAt.indexOf(Math.min(...freeAt));
    // From half to one and a half of the mean, in a fixed order.
    turn = (turn + 7) % 11;
    const serviceMs = ((workers * 1000) / perSecond) * (0.5 + turn / 10);
    return (freeAt[next] = Math.max(freeAt[next] ?? 0, arrival) + serviceMs);
  };
}

/** A limiter that lets a burst through, and beyond it delays requests to its rate. */
function limiter(perSecond: number, burst: number): Server {
  let [tokens, at] = [burst, 0];
  return (arrival) => {
    tokens = Math.min(burst, tokens + ((arrival - at) * perSecond) / 1000) - 1;
    at = arrival;
    return arrival + 5 + Math.max(0, (-tokens * 1000) / perSecond);
  };
}

const SERVERS: readonly (readonly [
  name: string,
  server: (capacity: number) => Server,
  capacities: readonly number[],
])[] = [
  ['a queue with a fixed service time', queue, [37, 120, 411, 987]],
  // With fewer a second, each takes longer than 250 ms.
  ['a pool of 8 workers', (capacity) => pool(capacity, 8), [73, 120, 411, 987]],
  ['a limiter that slows down', (capacity) => limiter(capacity, capacity / 2), [37, 120, 411, 987]],
];

for (const [name, server, capacities] of SERVERS)
  test(`a search finds the capacity of ${name} to within 10 %`, (t) => {
    const found = capacities.map((capacity) => {
      const { answer } = search(settings(), p99Of(server(capacity)));
      assert.equal(answer.kind, 'found');
      assert.ok(Math.abs(answer.perSecond / capacity - 1) <= 0.1, `${answer.perSecond} of ${capacity}`);
      return `${answer.perSecond} of ${capacity}`;
    });
    t.diagnostic(found.join(', '));
  });

test('a server that carries more than the highest rate is not measured beyond it', () => {
  const { answer, steps } = search(settings({ most: 15.8 }), p99Of(queue(400)));
  assert.deepEqual(answer, { kind: 'bound', perSecond: 15.8 });
  assert.ok(steps.every(({ perSecond }) => perSecond <= 15.8));
});

test('a server too slow for any rate is found out by the lowest', () => {
  const { answer } = search(settings(), () => ({ outcome: 'misses' }));
  assert.deepEqual(answer, { kind: 'none', perSecond: 1 });
});

test('a server below the first rate is found by going down', () => {
  const { answer } = search(settings(), p99Of(queue(6)));
  assert.equal(answer.kind, 'found');
  assert.ok(Math.abs(answer.perSecond / 6 - 1) <= 0.1, `${answer.perSecond}`);
});

/** A server that loses half a request a second of its capacity each second. */
const slowing: Judge = (step, beginMs) => p99Of(queue(Math.max(3, 200 - beginMs / 2000)))(step, beginMs);

test('a server that gets worse while it waits has no rate', () => {
  assert.equal(search(settings(), slowing).answer.kind, 'worse');
});

const stoppedAfter = (afterMs: number): Partial<FindStep> => ({
  outcome: 'misses',
  stopped: { afterMs, ofMs: 10_000, failed: 99, cause: 'connect ECONNREFUSED' },
});

/** A server that restarts after a step beyond its capacity. */
const restarts: Judge = ({ perSecond }) => (perSecond > 300 ? stoppedAfter(0) : {});

test('a search ends once nothing answers, and a server that comes back is searched on', () => {
  let turn = 0;
  const dies: Judge = ({ perSecond }) =>
    (turn += 1) < 5 ? {} : stoppedAfter(perSecond > 79 && turn === 5 ? 3000 : 0);
  const { answer, steps } = search(settings(), dies);
  assert.deepEqual(answer, { kind: 'stopped', perSecond: 40 });
  assert.equal(steps.length, 6);
  assert.deepEqual(search(settings(), () => stoppedAfter(0)).answer, { kind: 'stopped', perSecond: 0 });
  assert.equal(search(settings(), restarts).answer.kind, 'found');
});

test('a server that stops responding in the lowest step is asked once more before the search says that it carries nothing', () => {
  const slow = { outcome: 'misses' } as const;
  const endsWith = (last: Partial<FindStep>) => {
    let turns = 0;
    const judge: Judge = ({ perSecond }) => {
      if (perSecond > 1) return slow;
      turns += 1;
      return turns === 1 ? stoppedAfter(3000) : last;
    };
    return search(settings(), judge);
  };
  const gone = endsWith(stoppedAfter(0));
  assert.deepEqual(gone.answer, { kind: 'stopped', perSecond: 0 });
  assert.deepEqual(gone.steps.map(({ perSecond }) => perSecond).slice(-2), [1, 1]);
  for (const last of [stoppedAfter(5000), slow])
    assert.deepEqual(endsWith(last).answer, { kind: 'none', perSecond: 1 });
  // Where the first rate is the lowest, it may stop before it.
  let turn = 0;
  const before: Judge = () => ((turn += 1) === 1 ? {} : stoppedAfter(0));
  assert.equal(search(settings({ first: 1, most: 1 }), before).answer.kind, 'stopped');
});

/** A generator that sends 300 a second at most. */
const ownLimit: Judge = ({ perSecond }) => ({ outcome: perSecond > 300 ? 'generator' : 'holds' });

test('a generator at its limit finds nothing, and a single hiccup changes nothing', () => {
  assert.deepEqual(search(settings(), ownLimit).answer, { kind: 'generator', perSecond: 320 });
  const judge = p99Of(queue(120));
  let hiccups = 0;
  const { answer } = search(settings(), (step, beginMs) =>
    step.role === 'bisect' && (hiccups += 1) === 1 ? { outcome: 'generator' } : judge(step, beginMs),
  );
  assert.equal(answer.kind, 'found');
});

test('a rate between one that holds and one that misses, hidden twice by the generator, counts as missed', () => {
  const judge = p99Of(queue(120));
  const { answer, steps } = search(settings(), (step, beginMs) =>
    step.role === 'bisect' && step.perSecond > 100 && step.perSecond < 121
      ? { outcome: 'generator' }
      : judge(step, beginMs),
  );
  assert.equal(answer.kind, 'found');
  assert.ok(answer.perSecond >= 80 && answer.perSecond < 120, `${answer.perSecond}`);
  assert.ok(steps.filter(({ outcome }) => outcome === 'generator').length >= 2);
});

test('no search takes more steps, seconds or requests than its bound', () =>
  assertProperty(
    property(
      func(constantFrom<FindStep['outcome']>('holds', 'misses', 'generator')),
      integer({ min: 1, max: 3000 }),
      boolean(),
      nat(4000),
      (outcomeOf, most, isShort, samples) => {
        const given = settings({
          most,
          first: Math.min(10, most),
          lowest: Math.min(1, most),
          samples: isShort ? 100 : samples + 1,
        });
        let place = 0;
        const { steps } = search(given, () => {
          const outcome = outcomeOf((place += 1));
          return outcome === 'misses' && place % 2 === 0 ? stoppedAfter(3000) : { outcome };
        });
        const bound = mostOfSearch(given, 0);
        const seconds = steps.reduce((sum, step) => sum + step.seconds + PAUSE_SECONDS, 0);
        const requests = steps.reduce((sum, step) => sum + Math.round(step.perSecond * step.seconds), 0);
        assert.ok(steps.length <= bound.steps, `${steps.length} of ${bound.steps} steps`);
        assert.ok(seconds <= bound.seconds, `${seconds} of ${bound.seconds} s`);
        assert.ok(requests <= bound.requests, `${requests} of ${bound.requests} requests`);
      },
    ),
  ));

test('no rate is beyond the highest or below the lowest', () =>
  assertProperty(
    property(
      func(constantFrom<FindStep['outcome']>('holds', 'misses')),
      float({ min: 1, max: 3000, noNaN: true }),
      (outcomeOf, most) => {
        const given = settings({ most, first: Math.min(10, most) });
        let place = 0;
        for (const { perSecond } of search(given, () => ({ outcome: outcomeOf((place += 1)) })).steps)
          assert.ok(perSecond <= most && perSecond >= Math.min(given.lowest, most) - 1e-9, `${perSecond}`);
      },
    ),
  ));
