import { testsObserved } from './algorithm.test.support.js';

testsObserved(12);
