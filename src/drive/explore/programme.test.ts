import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPlans } from '../../base/interface/plans.js';
import { programmeOf } from './programme.js';
import type { Step } from './story.js';

const requestsOf = (step: Step): number =>
  step.do === 'at once' ? step.acts.length : step.do === 'again' ? step.times : 1;

/** Returns the requests of a programme up to the last parallel ones of its first round. */
function requestsToParallel(seed: number, scope: Parameters<typeof programmeOf>[1]): number {
  const programme = programmeOf(seed, scope);
  const stories = Array.from({ length: programme.covers }, (_, nth) => programme.at(String(nth)) ?? []);
  const last = stories.findLastIndex((story) => story.some(({ do: what }) => what === 'at once'));
  assert.ok(last >= 0);
  return stories
    .slice(0, last + 1)
    .flat()
    .reduce((sum, step) => sum + requestsOf(step), 0);
}

test('the usual number of requests of a Pro key reaches reads and creations in parallel', () => {
  const usual = loadPlans().pro.perMinute / 4;
  for (const seed of [1, 2, 3, 4, 5])
    for (const writes of [true, false])
      for (const fetches of [true, false]) {
        const requests = requestsToParallel(seed, { writes, fetches });
        assert.ok(requests <= usual, `seed ${seed}, ${writes ? 'with' : 'without'} writes: ${requests}`);
      }
});
