import { randomFrom } from '../../base/kernel/random.js';
import type { OperationName } from '../../base/interface/types.js';
import { clumped } from '../limiters/clumped.js';
import { lagging } from '../limiters/gateways.js';
import {
  calendarWindow,
  countingLate,
  fixedFromFirst,
  type MakeLimiter,
  slidingLogOldest,
  slidingParts,
  tokenBucket,
} from '../limiters/limiters.js';
import {
  byConnection,
  countingOthersLate,
  fixed,
  forgettingIdle,
  inTurn,
  ofParts,
  sharedByAll,
  tenthTwice,
  twiceFor,
} from '../limiters/mistakes.js';
import type { Behaviour } from '../limiters/server.js';
import { hundredths, weightedParts } from '../limiters/servers.js';
import { SOUND_LIMITERS } from '../limiters/sound.js';

/** Correct limiters, by what they are. */
export const SOUND: Readonly<Record<string, MakeLimiter>> = {
  ...SOUND_LIMITERS,
  'sliding window by sixths': slidingParts(6),
  'sliding window by weighted tenths': weightedParts(10),
  'sliding counter in hundredths': hundredths,
  'bucket by quarters': clumped({ share: 1 / 4, anchor: 'start', amount: 'sum', holds: 1, reset: 'beat' }),
  'bucket by sixtieths': clumped({ share: 1 / 60, anchor: 'clock', amount: 'sum', holds: 1, reset: 'full' }),
};

const freeOf = (operation: OperationName, make: MakeLimiter): Behaviour => ({
  make,
  countedBy: (key, of) => (of === operation ? null : key),
});

/** Workers that count apart, of which one gets most requests; each allows a share of the limit. */
const uneven = (workers: number, share: number, make: MakeLimiter): Behaviour => {
  const random = randomFrom(7);
  return {
    make,
    applied: (figures) => ({ ...figures, perMinute: Math.floor(figures.perMinute * share) }),
    countedBy: (key) => `${key} ${random() < 4 / 5 ? 0 : 1 + Math.floor(random() * (workers - 1))}`,
  };
};

/** Forgets every key at once, again and again. */
const restarting =
  (windows: number, make: MakeLimiter): MakeLimiter =>
  (limit, windowMs, phaseMs) => {
    let [life, limiter] = [0, make(limit, windowMs, phaseMs)];
    return (now) => {
      const current = Math.floor(now / (windows * windowMs));
      if (current !== life) [life, limiter] = [current, make(limit, windowMs, phaseMs)];
      return limiter(now);
    };
  };

/** Limiters with a mistake, and nobody else on their keys; each is made anew, as some keep state. */
export const MISTAKEN: Readonly<Record<string, () => Behaviour>> = {
  'two workers with a half each, in turn': () => ofParts(2, true),
  'three workers with a third each, by connection': () => ofParts(3, false),
  'four workers with a quarter each, in turn': () => ofParts(4, true),
  'four workers with a quarter each, by connection': () => ofParts(4, false),
  'six workers with a sixth each, by connection, of the clock': () => ofParts(6, false, calendarWindow),
  'two uneven workers with logs': () => uneven(2, 1, slidingLogOldest),
  'six uneven workers': () => uneven(6, 1, fixedFromFirst),
  'six uneven workers with a sixth each': () => uneven(6, 1 / 6, fixedFromFirst),
  'two workers, each with the whole limit, in turn': () => inTurn(2),
  'two workers, each with the whole limit, by connection': () => byConnection(2),
  'a Remaining of a replica that lags': () => ({ make: lagging(300, fixedFromFirst) }),
  'one window for all keys': () => sharedByAll(fixedFromFirst),
  'one log for all keys': () => sharedByAll(slidingLogOldest),
  'one bucket for all keys': () => sharedByAll(tokenBucket),
  'two processes that count others 50 ms late': () => countingOthersLate(50, 2),
  'three processes that count others 300 ms late': () => countingOthersLate(300, 3),
  'a count 15 ms late': () => ({ make: countingLate(15) }),
  'a count 100 ms late': () => ({ make: countingLate(100) }),
  'creations for free': () => freeOf('createPet', fixedFromFirst),
  'fetches for free, of a log': () => freeOf('getPet', slidingLogOldest),
  'a limiter for each operation': () => ({ ...fixed, countedBy: (key, of) => `${key} ${of}` }),
  'a key forgotten after a quarter of a window': () => ({ make: forgettingIdle(fixedFromFirst, 1 / 4) }),
  'a key forgotten after a tenth of a window, of a log': () => ({
    make: forgettingIdle(slidingLogOldest, 1 / 10),
  }),
  'a restart every 0.7 windows': () => ({ make: restarting(0.7, fixedFromFirst) }),
  'a restart every 0.7 windows, of a bucket': () => ({ make: restarting(0.7, tokenBucket) }),
  'every tenth counted twice': () => ({ make: tenthTwice }),
  'creations counted twice': () => twiceFor('createPet', fixedFromFirst),
};
