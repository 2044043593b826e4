import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { decoded, encoded, newHistogram, percentilesOf, recordMs } from './histogram.js';

describe('percentiles of a histogram', () => {
  it('are at most its longest time, also once it was encoded', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.001, max: 60_000, noNaN: true }), { minLength: 1 }),
        (times) => {
          const histogram = newHistogram();
          for (const ms of times) recordMs(histogram, ms);
          for (const { p50, p99, p999, max } of [histogram, decoded(encoded(histogram))].map(percentilesOf))
            assert.ok(p50 <= p99 && p99 <= p999 && p999 <= max, `${p50} ${p99} ${p999} ${max}`);
        },
      ),
      { numRuns: 50 },
    );
  });
});
