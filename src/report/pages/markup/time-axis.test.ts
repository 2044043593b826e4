import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeScale } from '../model/time-scale.js';
import { ticksOf } from './time-axis.js';

test('a time axis of minutes has no ticks of milliseconds', () => {
  const burst = Array.from({ length: 60 }, (_, at) => at * 100);
  // A single request after a long wait: a part of some milliseconds, as wide as the others.
  const scale = timeScale([...burst, 268_346, 268_351], 268_352, {
    parts: [
      [0, 6_000],
      [268_345, 268_352],
    ],
  });
  const labels = ticksOf(scale).map(({ text }) => text);
  assert.ok(labels.length > 1);
  for (const label of labels) assert.match(label as string, /^\d+(?:\.\d)?$/);
});
