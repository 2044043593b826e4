import { beatingBucket } from '../../reference/limiters/buckets.js';
import { allowanceOnTop } from '../../reference/limiters/broken.js';
import {
  calendarWindow,
  expiryRenewed,
  fixedFromFirst,
  gcra,
  ofReference,
  renewedByRefusal,
  slidingCounter,
  slidingLogNewest,
  slidingLogOldest,
  smallBucket,
  strictPacer,
  tokenBucket,
  type MakeLimiter,
} from '../limiters/limiters.js';

/** A bucket that gets back at each of `beats` a window what that part of the window brings, and nothing in between. */
const clumped = (beats: number): MakeLimiter =>
  ofReference(
    beatingBucket({ share: 1 / beats, origin: () => 0, capacity: ({ limit }) => limit, rate: 1, reset: 'full' }),
  );

/** A way to limit, and what the truth about it hangs on. */
export interface Algorithm {
  readonly make: (beats: number) => MakeLimiter;
  /** Whether a whole allowance comes back with time rather than window by window. */
  readonly refills: boolean;
  /** What it holds at once, as a part of its limit. */
  readonly holds: number;
  /** What is wrong with it whatever its figures; sound ones have none. */
  readonly fault?: string;
}

const plain = (make: MakeLimiter, refills: boolean, holds = 1): Algorithm => ({ make: () => make, refills, holds });

/** By name, the plainest first: what is found shrinks to it. */
export const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  fixed: plain(fixedFromFirst, false),
  calendar: plain(calendarWindow, false),
  renewed: plain(renewedByRefusal, false),
  log: plain(slidingLogOldest, false),
  'log by its newest': plain(slidingLogNewest, false),
  counter: plain(slidingCounter, false),
  bucket: plain(tokenBucket, true),
  gcra: plain(gcra, true),
  clumps: { make: clumped, refills: true, holds: 1 },
  'small bucket': plain(smallBucket, true, 1 / 3),
  pacer: plain(strictPacer, true, 0),
  'renewed by each': { ...plain(expiryRenewed(true), false), fault: 'a busy client is never let back' },
  'pace and window': {
    ...plain(ofReference(allowanceOnTop), false),
    fault: 'an even pace and a window of the rest on top of it',
  },
};
