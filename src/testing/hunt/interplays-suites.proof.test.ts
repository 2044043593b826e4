import { describe, it } from 'node:test';
import { pairsShownBy } from './interplays.test.support.js';

// They wait for what may show up yet: as many at a time as the self-test judges.
describe('as declared, by suites', { concurrency: 6 }, () => {
  for (const { title, check } of pairsShownBy('suites')) it(title, check);
});
