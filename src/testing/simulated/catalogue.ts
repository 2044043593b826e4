import { clumped } from '../limiters/clumped.js';
import {
  bursty,
  calendarWindow,
  expiryRenewed,
  fixedFromFirst,
  gcra,
  renewedByRefusal,
  slidingCounter,
  slidingLogNewest,
  slidingLogOldest,
  smallBucket,
  strictPacer,
  tokenBucket,
  type MakeLimiter,
} from '../limiters/limiters.js';
import type { Behaviour } from '../limiters/server.js';
import { FLAWS, flawed, oneOver, refusingEvery37th, TOO_MUCH_AT_A_BEAT } from './flaws.js';

const MAKERS: Readonly<Record<string, MakeLimiter>> = {
  fixed: fixedFromFirst,
  renewed: renewedByRefusal,
  calendar: calendarWindow,
  'log-oldest': slidingLogOldest,
  'log-newest': slidingLogNewest,
  counter: slidingCounter,
  bucket: tokenBucket,
  'small-bucket': smallBucket,
  gcra,
  pacer: strictPacer,
  'beats-60': clumped({ share: 1 / 60, anchor: 'start', amount: 'sum', holds: 1, reset: 'beat' }),
  'beats-10': clumped({ share: 1 / 10, anchor: 'start', amount: 'sum', holds: 1, reset: 'beat' }),
  'beats-4': clumped({ share: 1 / 4, anchor: 'start', amount: 'sum', holds: 1, reset: 'beat' }),
  'expiry-renewed': expiryRenewed(false),
  'expiry-renewed-by-refusals': expiryRenewed(true),
  'bursty-both': bursty('both'),
  'bursty-top': bursty('top'),
  'bursty-none': bursty('none'),
  'every-37th': refusingEvery37th,
};

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Every limiter that can be asked for by name, sound ones and flawed ones; what it gives begins anew each time. */
export const LIMITERS: ReadonlyMap<string, () => Behaviour> = new Map([
  ...Object.entries(MAKERS).map(([name, make]) => [name, (): Behaviour => flawed({ make })] as const),
  ['first-uncounted', () => oneOver(fixedFromFirst)],
  ['first-uncounted-log', () => oneOver(slidingLogOldest)],
  ...[...FLAWS.map(([name, , behaviour]) => [name, behaviour] as const), ...TOO_MUCH_AT_A_BEAT].map(
    ([name, behaviour]) => [slug(name), typeof behaviour === 'function' ? behaviour : () => behaviour] as const,
  ),
]);
