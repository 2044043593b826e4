import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { machineClock } from './clock.js';
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

  it('waits for an end where there is no room', async () => {
    const from = pacing.now();
    let [open, most] = [0, 0];
    const begin = async (): Promise<void> => {
      open += 1;
      most = Math.max(most, open);
      await pacing.sleepUntil(pacing.now() + 5, signal);
      open -= 1;
    };
    await onSchedule({ count: () => 12, at: () => from, begin, room: () => 3 - open }, pacing).ended;
    assert.equal(most, 3);
  });

  it('asks for the number of places before each, so that the first response can end it', async () => {
    let most = 10;
    let begun = 0;
    const begin = async (): Promise<void> => {
      begun += 1;
      await pacing.nextTurn();
      most = 2;
    };
    await onSchedule({ count: () => most, at: () => pacing.now(), begin, isFirstAlone: true }, pacing).ended;
    assert.equal(begun, 2);
  });
});
