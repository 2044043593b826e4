import { testsEarlyBans, testsRefusalBound } from './refusal-bound.test.support.js';

testsRefusalBound({}, 2);
testsEarlyBans();
