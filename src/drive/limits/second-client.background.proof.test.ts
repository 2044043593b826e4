import { testsFreeKey } from './second-client.test.support.js';

testsFreeKey([0.13, 0.87]);
