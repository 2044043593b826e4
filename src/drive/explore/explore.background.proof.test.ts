import { test } from 'node:test';
import { coversEveryClass, fetchesEveryResident } from './explore.test.support.js';

test('400 requests cover every class with any seed', async () => {
  for (const seed of [2, 3, 4, 5, 6]) await coversEveryClass(seed);
});

test('every animal from before the run is fetched with another seed too', () => fetchesEveryResident(2));
