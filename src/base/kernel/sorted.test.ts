import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { countWhile } from './sorted.js';

test('counts the sorted items before the first that fails, in few looks', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer(), (items, bound) => {
      const sorted = items.toSorted((one, other) => one - other);
      let looks = 0;
      const counted = countWhile(sorted, (item) => {
        looks += 1;
        return item < bound;
      });
      assert.equal(counted, items.filter((item) => item < bound).length);
      assert.ok(looks <= Math.log2(items.length + 1) + 1);
    }),
  );
});
