import { testsFreeKey } from './second-client.test.support.js';

// Other keys, moments and ways to send are in `second-client.background.proof`.
testsFreeKey([0.5]);
