import type { Change } from '../behaviour.js';
import { chain, seams } from '../changes.js';
import { scaled, toldAsWhole } from '../limiters/broken.js';
import { calendarWindow, expiryRenewed, expiryRenewedByRefusals, fixedWindow } from '../limiters/fixed-window.js';
import type { Algorithm } from '../limiters/limiter.js';
import { allowanceOnTop } from '../limiters/on-top.js';
import { flawsOf } from '../registry.js';

const counting = (minuteAlgorithm: Algorithm): Change => seams(() => ({ minuteAlgorithm }));

/** Retry-After in whole seconds, rounded in some way. */
const waitRounded = (round: (seconds: number) => number): Change =>
  seams(() => ({
    retryAfter: (retryAt, { request }) => String(Math.max(0, round((retryAt - request.at) / 1000))),
  }));

const roundedDown: Change = waitRounded(Math.floor);
const roundedToNearest: Change = waitRounded(Math.round);

/** Whole seconds tell when a window ends in windows of this many seconds, and no shorter ones. */
const TOLD_BY_SECONDS = { minuteSeconds: 12 } as const;

/** Parts of such windows are whole seconds as parts of a minute are: nothing is rounded by chance. */
const TENTHS_OF_WHOLE_SECONDS = { minuteSeconds: 10 } as const;

/** Ends that are told in whole seconds have to lie clearly nearer than a window: in 20 s it is chance, in a minute certain. */
const TOLD_APART_BY_SECONDS = { minuteSeconds: 30 } as const;

/** Mistakes about when an allowance is there again. */
export const timeFlaws = flawsOf('load', {
  'window-of-a-sixth-rounded-down': {
    options: TOLD_BY_SECONDS,
    title: 'The allowance comes back after a sixth of the window, and Retry-After is rounded down.',
    turns: ['rate-window'],
    also: ['rate-retry-after-honoured', 'rate-429'],
    change: chain(counting(scaled(fixedWindow, (limit) => limit, 1 / 6)), roundedDown),
  },
  'window-of-two-thirds': {
    options: TOLD_BY_SECONDS,
    title: 'The allowance comes back after two thirds of the window.',
    turns: ['rate-window'],
    change: counting(scaled(fixedWindow, (limit) => limit, 2 / 3)),
  },
  'window-of-a-half-told-as-whole': {
    options: TOLD_APART_BY_SECONDS,
    title: 'The allowance comes back after half the window; Reset and Retry-After tell of a whole one.',
    turns: ['rate-window'],
    change: counting(toldAsWhole(scaled(fixedWindow, (limit) => limit, 1 / 2))),
  },
  'window-of-three-quarters-told-as-whole': {
    options: TOLD_APART_BY_SECONDS,
    title: 'The allowance comes back after three quarters of the window; Reset and Retry-After tell of a whole one.',
    turns: ['rate-window'],
    change: counting(toldAsWhole(scaled(fixedWindow, (limit) => limit, 3 / 4))),
  },
  'retry-after-rounded-down': {
    title: 'Retry-After is rounded down: a client that waits as long as it is told comes too soon.',
    turns: ['rate-retry-after-honoured'],
    change: roundedDown,
  },
  'retry-after-rounded-to-nearest': {
    options: TENTHS_OF_WHOLE_SECONDS,
    title: 'Retry-After is rounded to the nearest second, as Redis tells its TTL: half of all clients come too soon.',
    turns: ['rate-retry-after-honoured'],
    change: roundedToNearest,
  },
  'retry-after-rounded-to-nearest-by-the-calendar': {
    options: TENTHS_OF_WHOLE_SECONDS,
    title: 'Windows begin with the minute, and Retry-After is rounded to the nearest second.',
    turns: ['rate-retry-after-honoured'],
    change: chain(counting(calendarWindow), roundedToNearest),
  },
  'retry-after-for-ever': {
    title: 'Retry-After names the last second of the year 9999.',
    turns: ['rate-retry-after-present'],
    change: seams(() => ({ retryAfter: () => 'Fri, 31 Dec 9999 23:59:59 GMT' })),
  },
  'expiry-renewed': {
    title: 'Each request that is served sets the expiry of the counter anew: INCR, then EXPIRE.',
    turns: ['rate-not-early'],
    change: counting(expiryRenewed),
  },
  'expiry-renewed-by-refusals-too': {
    title: 'Each request, refused ones too, sets the expiry of the counter anew.',
    turns: ['rate-not-early'],
    change: counting(expiryRenewedByRefusals),
  },
  'allowance-on-top-of-a-rate': {
    // What an even rate brings in the seconds that Retry-After is rounded by fills a shorter one.
    options: { minuteSeconds: 30 },
    title: 'An even rate is served besides the allowance, and not out of it.',
    turns: ['rate-window'],
    also: ['rate-remaining-counts', 'rate-429', 'rate-reset-truthful'],
    change: counting(allowanceOnTop),
  },
});
