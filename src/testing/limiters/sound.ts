import {
  calendarWindow,
  fixedFromFirst,
  gcra,
  type MakeLimiter,
  slidingCounter,
  slidingLogNewest,
  slidingLogOldest,
  smallBucket,
  strictPacer,
  tokenBucket,
} from './limiters.js';

/** Correct limiters of each kind, by what they are. */
export const SOUND_LIMITERS: Readonly<Record<string, MakeLimiter>> = {
  'fixed window from the first request': fixedFromFirst,
  'window aligned to the clock': calendarWindow,
  'sliding log, Reset by the oldest request': slidingLogOldest,
  'sliding log, Reset by the newest request': slidingLogNewest,
  'sliding counter': slidingCounter,
  'token bucket': tokenBucket,
  'bucket smaller than the plan': smallBucket,
  GCRA: gcra,
  'strict pacer': strictPacer,
};
