import { describe, it } from 'node:test';
import { pairsShownBy } from './interplays.test.support.js';

// They wait for windows to end.
describe('as declared, by load', { concurrency: 8 }, () => {
  for (const { title, check } of pairsShownBy('load')) it(title, check);
});
