import { describe } from 'node:test';
import { SOUND_LIMITERS } from '../../testing/limiters/sound.js';
import { testsRestarts, testsRestartsInBurst } from './mishaps.test.support.js';
import { SOUND } from '../../drive/limits/sound.test.support.js';

describe('a server that is restarted in the middle of the load', () => {
  testsRestarts(SOUND_LIMITERS, [0.2, 0.6, 1.04, 1.33, 1.46, 1.9, 2.3, 2.7, 3.13, 3.5, 4, 4.4]);
});

/** They hold too little for a burst in which a restart would show, or give back as much by a step. */
const WITHOUT_BURST = /pacer|queue|smaller|quarter|thirds|halves/;

describe('a server that is restarted within a burst of the only key', () => {
  const limiters = Object.entries(SOUND).filter(([name]) => !WITHOUT_BURST.test(name));
  testsRestartsInBurst(
    Object.fromEntries(limiters.map(([name, { behaviour }]) => [name, behaviour.make])),
    [60],
  );
});
