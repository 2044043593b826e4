import { searching } from '../../testing/limiters/searching.js';
import { testsCorrectWhileBusy } from './busy-machine.test.support.js';

// Other circumstances than those of the test.
testsCorrectWhileBusy({
  search: searching(3, 2),
  refillSeeds: [49, 65, 101, 112, 134, 248],
  resetSeeds: [2, 3, 4, 5, 6],
});
