import { testsEarlyBans, testsRefusalBound } from './refusal-bound.test.support.js';

testsRefusalBound({}, 1);
testsEarlyBans();
