import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { MOST_REFUSED } from '../../judge/limits/asked.js';
import { bounded, MOST_UNCERTAIN, newStanding } from './refusal-bound.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';

const FREE = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

const served = (remaining: number | null) =>
  sampleWith({ status: 200, limit: remaining === null ? null : 60, remaining });
const REFUSAL = sampleWith({ status: 429, limit: 60, remaining: 0 });
const LOST = sampleWith({ status: 0, limit: null, remaining: null });

test('Remaining lets no more requests be open than may be refused', () => {
  const standing = newStanding(FREE);
  assert.equal(standing.room(), MOST_UNCERTAIN);
  standing.leaves();
  assert.equal(standing.room(), MOST_UNCERTAIN - 1);
  standing.meets(served(30));
  assert.equal(standing.room(), MOST_UNCERTAIN);
});

test('a request without a response may have been refused: it counts for the bound until a success', () => {
  const standing = newStanding(FREE);
  const meet = (sample: Parameters<typeof standing.meets>[0]): void => {
    standing.leaves();
    standing.meets(sample);
  };
  for (const sample of [LOST, LOST, REFUSAL]) meet(sample);
  assert.deepEqual([standing.refused(), standing.unserved()], [1, 3]);
  assert.equal(standing.room(), MOST_UNCERTAIN - 3);
  meet(served(30));
  assert.deepEqual([standing.refused(), standing.unserved()], [0, 0]);
  assert.equal(standing.room(), MOST_UNCERTAIN);
});

test('far from the edge more may be open: more than twice as many must be left, by count and by Remaining', () => {
  const standing = newStanding(FREE);
  assert.equal(standing.room(60), MOST_UNCERTAIN, 'nothing is known yet');
  standing.leaves();
  standing.meets(served(50));
  assert.equal(standing.room(), MOST_UNCERTAIN);
  assert.equal(standing.room(50), 24);
  assert.equal(standing.room(31), 15);
  assert.equal(standing.room(5), MOST_UNCERTAIN);
  standing.leaves();
  standing.meets(served(20));
  assert.equal(standing.room(50), 9);
  standing.leaves();
  standing.meets(served(null));
  assert.equal(standing.room(50), MOST_UNCERTAIN);
  for (const sample of [served(50), REFUSAL]) {
    standing.leaves();
    standing.meets(sample);
  }
  assert.equal(standing.room(50), MOST_UNCERTAIN - 1);
});

test('of concurrent responses the least Remaining counts, in whatever order they come', () => {
  const standing = newStanding(FREE);
  for (let open = 0; open < 3; open += 1) standing.leaves();
  for (const remaining of [20, 18, 19]) standing.meets(served(remaining));
  // Of 18 left, half may be open.
  assert.equal(standing.room(50), 8);
});

test('only a success without a refusal beside it ends a row of refusals', () => {
  const standing = newStanding(FREE);
  for (let open = 0; open < 3; open += 1) standing.leaves();
  for (const sample of [REFUSAL, served(0), REFUSAL]) standing.meets(sample);
  assert.equal(standing.refused(), 2);
  standing.leaves();
  standing.meets(served(59));
  assert.equal(standing.refused(), 0);
});

test('a server that refuses whenever it likes refuses no more in a row than the bound', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 64 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 200 }),
      fc.constantFrom(null, 0, 59),
      (connections, answers, remaining) => {
        const standing = newStanding(FREE);
        let isOver = false;
        const stopsAt = (sample: typeof REFUSAL): boolean => (isOver ||= sample.status === 429);
        const parallel = bounded(
          { connections, next: () => (isOver ? null : 'listPets'), stopsAt },
          standing,
        );
        let [open, inARow, most] = [0, 0, 0];
        const fill = (): void => {
          while (open < parallel.connections && parallel.next() !== null) open += 1;
        };
        fill();
        for (const isServed of answers) {
          if (open === 0) break;
          open -= 1;
          inARow = isServed ? 0 : inARow + 1;
          most = Math.max(most, inARow);
          // Whatever Remaining says.
          parallel.stopsAt(isServed ? served(remaining) : REFUSAL);
          fill();
        }
        assert.ok(most <= MOST_REFUSED, `${most}`);
      },
    ),
  );
});

test('a request that waited for its connection, and was never sent, is not open afterwards', () => {
  const standing = newStanding(FREE);
  const parallel = bounded({ connections: 3, next: () => 'listPets', stopsAt: () => true }, standing);
  for (let sent = 0; sent < 3; sent += 1) parallel.next();
  parallel.stopsAt(served(30));
  parallel.ended();
  assert.equal(standing.room(), MOST_UNCERTAIN);
});
