import { tokenBucket } from '../../proof/limiters/buckets.js';
import { calendarWindow } from '../../proof/limiters/windows.js';
import { clumped } from '../../testing/limiters/clumped.js';
import { slidingLogOldest } from '../../testing/limiters/limiters.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import { aWindowAhead, tellingAfterwards, tellingLate } from '../../testing/limiters/tellers.js';
import type { Circumstances } from '../../testing/simulated/simulate.js';

/** Correct limiters that answer late, or describe another moment, of which a search once found a row red. */
export const OF_TELLERS: readonly (readonly [what: string, Behaviour, Partial<Circumstances>])[] = [
  [
    'a bucket that names what is left after its work, when what was taken is back',
    { make: tellingAfterwards(150) },
    { minuteSeconds: 6, freeLimit: 60 },
  ],
  [
    'a bucket that names what is left after its work, in which some was back',
    { make: tellingAfterwards(150) },
    { minuteSeconds: 20, freeLimit: 60 },
  ],
  ...[
    ['of the clock', calendarWindow, 6] as const,
    ['of the clock, a short one', calendarWindow, 3] as const,
  ].map(
    ([what, algorithm, minuteSeconds]) =>
      [
        `a window ${what}, that names what is left after its work, when the next one began`,
        { make: tellingLate(100 * minuteSeconds, algorithm) },
        { seed: 5, minuteSeconds, freeLimit: 60 },
      ] as const,
  ),
  [
    'a log whose window is over before all of a distant burst is answered',
    { make: slidingLogOldest },
    { seed: 9, minuteSeconds: 6, freeLimit: 55, latencyMs: 220, jitterMs: 20 },
  ],
  [
    'a bucket that refills by tenths, and always names a window from now',
    {
      make: aWindowAhead(clumped({ share: 1 / 10, anchor: 'clock', amount: 'sum', holds: 1, reset: 'full' })),
    },
    { minuteSeconds: 20, freeLimit: 200 },
  ],
  [
    'a bucket whose answers to parallel requests come in any order, as each takes its time',
    { make: tellingLate(1200, tokenBucket) },
    { freeLimit: 28 },
  ],
];
