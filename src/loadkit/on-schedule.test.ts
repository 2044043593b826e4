import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { machineClock } from '../drive/load/clock.js';
import { onSchedule } from './on-schedule.js';

const GAP_MS = 2;
const { signal } = new AbortController();
const pacing = { ...machineClock, signal };

describe('a schedule', () => {
  it('begins each place in order, never early, and ends with the last request', async () => {
    const from = pacing.now();
    const begun: number[] = [];
    let isOver = false;
    const { sent, ended } = onSchedule(
      {
        count: () => 20,
        at: (place) => from + place * GAP_MS,
        begin(place, intendedAt) {
          assert.equal(place, begun.length);
          begun.push(pacing.now() - intendedAt);
          return place % 2 === 0
            ? null
            : pacing.sleepUntil(from + 200, signal).then(() => void (isOver = true));
        },
      },
      pacing,
    );
    await sent;
    assert.equal(begun.length, 20);
    assert.ok(Math.min(...begun) >= 0, begun.join());
    await ended;
    assert.equal(isOver, true);
  });

  it('lets responses in between overdue requests', async () => {
    const from = pacing.now() - 10_000;
    let reads = 0;
    const reading = setInterval(() => (reads += 1), 1);
    const busy = (): null => {
      const until = pacing.now() + 4;
      while (pacing.now() < until);
      return null;
    };
    await onSchedule({ count: () => 20, at: () => from, begin: busy }, pacing).sent;
    clearInterval(reading);
    assert.ok(reads >= 3, `${reads} turns`);
  });
});
