import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { broken, PLAIN, simulate } from '../../testing/simulated/simulate.js';
import { FOUND } from './found.test.support.js';

describe('a correct limiter that was once red', () => {
  for (const [what, behaviour, around] of FOUND)
    it(`is green: ${what}`, async () => {
      const { findings } = await simulate(behaviour, { ...PLAIN, ...around });
      const red = findings.filter(({ kind }) => kind === 'violated');
      assert.deepEqual(broken(findings), [], JSON.stringify(red, null, 1));
    });
});
