import { test } from 'node:test';
import { assertJudged } from './judged.js';
import { startSloppy } from './sloppy-server.js';

for (const plan of ['business', 'free'] as const)
  test(`a sloppy server fails for exactly its faults, with the ${plan} key`, async () => {
    await assertJudged(startSloppy, plan, {
      failed: [
        // The page of an unknown animal; its status is right, so that get-unknown is kept.
        'json-media-type',
        // null for a status that was left out.
        'pet-shape',
        // Doubles: digits beyond 2^53 are lost, and 2^63 is taken.
        'pet-int64',
        // { detail } on a 401. On a 422, which is no declared status, nothing promises an Error.
        'error-shape',
        // 422 in place of 400; and "1", true, 1.5 and a status of null are taken.
        'create-missing-field',
        'create-invalid-value',
        'create-body-required',
        // The limiter comes after the key.
        'rate-headers-present',
      ],
      warned: [
        // 422 once more.
        'create-malformed-json',
        // "bearer" is refused, and no refusal carries a challenge.
        'auth-scheme-case',
        'auth-challenge',
      ],
      leavesOpen: true,
    });
  });
