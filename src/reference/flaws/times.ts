import type { Change } from '../behaviour.js';
import { chain, limitedBy, seams } from '../changes.js';
import { flawsOf } from '../registry.js';
import {
  type Algorithm,
  calendarWindow,
  expiryRenewed,
  expiryRenewedByRefusals,
  fixedWindow,
} from '../limiters/windows.js';
import { allowanceOnTop, scaled, toldAsWhole } from '../limiters/broken.js';

const counting = (minuteAlgorithm: Algorithm): Change => limitedBy(minuteAlgorithm);

/** Retry-After in whole seconds, rounded in some way. */
const waitRounded = (round: (seconds: number) => number): Change =>
  seams(() => ({ retryAfter: (retryAt, { request }) => String(Math.max(0, round((retryAt - request.at) / 1000))) }));

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
  'window-of-a-sixth-rounded-down': [
    'rate-window',
    'The allowance comes back after a sixth of the window, and Retry-After is rounded down.',
    chain(counting(scaled(fixedWindow, (limit) => limit, 1 / 6)), roundedDown),
    { also: ['rate-retry-after-honoured', 'rate-429'], options: TOLD_BY_SECONDS },
  ],
  'window-of-two-thirds': [
    'rate-window',
    'The allowance comes back after two thirds of the window.',
    counting(scaled(fixedWindow, (limit) => limit, 2 / 3)),
    { options: TOLD_BY_SECONDS },
  ],
  'window-of-a-half-told-as-whole': [
    'rate-window',
    'The allowance comes back after half the window; Reset and Retry-After tell of a whole one.',
    counting(toldAsWhole(scaled(fixedWindow, (limit) => limit, 1 / 2))),
    { options: TOLD_APART_BY_SECONDS },
  ],
  'window-of-three-quarters-told-as-whole': [
    'rate-window',
    'The allowance comes back after three quarters of the window; Reset and Retry-After tell of a whole one.',
    counting(toldAsWhole(scaled(fixedWindow, (limit) => limit, 3 / 4))),
    { options: TOLD_APART_BY_SECONDS },
  ],
  'retry-after-rounded-down': [
    'rate-retry-after-honoured',
    'Retry-After is rounded down: a client that waits as long as it is told comes too soon.',
    roundedDown,
  ],
  'retry-after-rounded-to-nearest': [
    'rate-retry-after-honoured',
    'Retry-After is rounded to the nearest second, as Redis tells its TTL: half of all clients come too soon.',
    roundedToNearest,
    { options: TENTHS_OF_WHOLE_SECONDS },
  ],
  'retry-after-rounded-to-nearest-by-the-calendar': [
    'rate-retry-after-honoured',
    'Windows begin with the minute, and Retry-After is rounded to the nearest second.',
    chain(counting(calendarWindow), roundedToNearest),
    { options: TENTHS_OF_WHOLE_SECONDS },
  ],
  'retry-after-for-ever': [
    'rate-retry-after-present',
    'Retry-After names the last second of the year 9999.',
    seams(() => ({ retryAfter: () => 'Fri, 31 Dec 9999 23:59:59 GMT' })),
  ],
  'expiry-renewed': [
    'rate-not-early',
    'Each request that is served sets the expiry of the counter anew: INCR, then EXPIRE.',
    counting(expiryRenewed),
  ],
  'expiry-renewed-by-refusals-too': [
    'rate-not-early',
    'Each request, refused ones too, sets the expiry of the counter anew.',
    counting(expiryRenewedByRefusals),
  ],
  'allowance-on-top-of-a-rate': [
    'rate-window',
    'An even rate is served besides the allowance, and not out of it.',
    counting(allowanceOnTop),
    {
      also: ['rate-remaining-counts', 'rate-429', 'rate-reset-truthful'],
      // What an even rate brings in the seconds that Retry-After is rounded by fills a shorter one.
      options: { minuteSeconds: 30 },
    },
  ],
});
