import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureFailing, measurePassing } from '../measure.js';
import type { Measured } from '../measure.js';
import { idsThat } from './support/results.js';

const best = (runs: readonly Measured[]): number => Math.min(...runs.map(({ runMs }) => runMs));

/** `npm run bench` shows the figures; here stand bounds that hold on a busy machine, too. */

test('a run in which most fails takes no more than twice a passing one', async () => {
  // One after the other in one test, so that both meet the same machine; the better of two, so that a hiccup is none.
  const passing = [await measurePassing(), await measurePassing()];
  const failing = [await measureFailing(), await measureFailing()];
  const [sound, broken] = [passing[0]?.results, failing[0]?.results];
  assert.ok(sound && broken);
  assert.equal(sound.verdict, 'conformant');
  assert.ok(idsThat(broken, 'passed').length < idsThat(sound, 'passed').length / 3, 'most of it fails');
  assert.equal(idsThat(broken, 'error').length, 0);
  assert.ok(best(failing) <= 2 * best(passing), `${best(failing)} ms against ${best(passing)} ms`);
  // Under 3 s on two idle cores; tests run two at a time.
  assert.ok(best(passing) < 9000, `${best(passing)} ms`);
});
