import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calendarWindow } from '../../testing/limiters/limiters.js';
import { PLAIN, simulate } from '../../testing/simulated/simulate.js';

/** Runs in which a window of the clock begins while the Pro key goes to its edge. */
const SEEDS = [10, 17, 26];

for (const seed of SEEDS)
  test(`the edge is reached although a window begins on the way to it: seed ${seed}`, async () => {
    const { told } = await simulate({ make: calendarWindow }, { ...PLAIN, seed, latencyMs: 20 });
    const edges = told.filter((line) => / concurrent: /.test(line));
    assert.equal(edges.length, 2, told.join('\n'));
    for (const line of edges) assert.match(line, /5 parallel requests with \d+ left/);
  });
