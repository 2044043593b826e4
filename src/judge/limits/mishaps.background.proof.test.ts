import { describe } from 'node:test';
import { SOUND_LIMITERS } from '../../testing/limiters/sound.js';
import { testsRestarts } from './mishaps.test.support.js';

describe('a server that is restarted in the middle of the load', () => {
  testsRestarts(SOUND_LIMITERS, [0.2, 0.6, 1.04, 1.33, 1.46, 1.9, 2.3, 2.7, 3.13, 3.5, 4, 4.4]);
});
