import { test } from 'node:test';
import { coversEveryClass } from './explore.test.support.js';

test('400 requests cover every class with any seed', async () => {
  for (const seed of [2, 3, 4, 5, 6]) await coversEveryClass(seed);
});
