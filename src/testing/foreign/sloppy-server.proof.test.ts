import { test } from 'node:test';
import { assertJudged } from './judged.js';
import { startSloppy } from './sloppy-server.js';

for (const plan of ['business', 'free'] as const)
  test(`a sloppy server fails for exactly its faults, with the ${plan} key`, async () => {
    await assertJudged(startSloppy, plan, {
      failed: [
        // A 404 is a page; its status code is right, so get-unknown passes.
        'json-media-type',
        // null for an omitted status.
        'pet-shape',
        // Doubles lose digits above 2^53 and accept 2^63.
        'pet-int64',
        // { detail } on a 401. A 422 is not declared, so it promises no Error.
        'error-shape',
        // 422 instead of 400, also to no body and to broken JSON.
        'create-missing-field',
        // "1", true, 1.5 and a null status are accepted.
        'create-invalid-value',
        // The limiter runs after authentication.
        'rate-headers-present',
      ],
      warned: [
        // "bearer" is refused, and no 401 carries a challenge.
        'auth-scheme-case',
        'auth-challenge',
      ],
      leavesOpen: true,
    });
  });
