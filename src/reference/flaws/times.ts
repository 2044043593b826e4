import type { Change } from '../behaviour.js';
import { chain, limitedBy, seams } from '../changes.js';
import { flawsTurning } from '../registry.js';
import {
  type Algorithm,
  calendarWindow,
  expiryRenewed,
  expiryRenewedByRefusals,
  fixedWindow,
} from '../limiters/windows.js';
import { allowanceOnTop, scaled, reportedAsWhole } from '../limiters/broken.js';

const counting = (minuteAlgorithm: Algorithm): Change => limitedBy(minuteAlgorithm);

/** Rounds Retry-After to whole seconds. */
const waitRounded = (round: (seconds: number) => number): Change =>
  seams({ retryAfter: (retryAt, { request }) => String(Math.max(0, round((retryAt - request.at) / 1000))) });

const roundedDown: Change = waitRounded(Math.floor);
const roundedToNearest: Change = waitRounded(Math.round);

/** Windows of at least this many seconds, in which whole seconds show the end. */
const TOLD_BY_SECONDS = { minuteSeconds: 12 } as const;

/** Tenths of such windows are whole seconds, as in a minute, so nothing is rounded by accident. */
const TENTHS_OF_WHOLE_SECONDS = { minuteSeconds: 10 } as const;

/** In whole seconds, an end must be clearly nearer than a window: uncertain in 20 s, certain in a minute. */
const TOLD_APART_BY_SECONDS = { minuteSeconds: 30 } as const;

/** Flaws of the time when the allowance returns. */
export const timeFlaws = [
  ...flawsTurning('rate-window', 'load', {
    'window-of-a-sixth-rounded-down: The limit resets after a sixth of the window, and Retry-After is rounded down.': [
      chain(counting(scaled(fixedWindow, (limit) => limit, 1 / 6)), roundedDown),
      { also: ['rate-retry-after-honoured', 'rate-429'], options: TOLD_BY_SECONDS },
    ],
    'window-of-two-thirds: The limit resets after two thirds of the window.': [
      counting(scaled(fixedWindow, (limit) => limit, 2 / 3)),
      { options: TOLD_BY_SECONDS },
    ],
    'window-of-a-half-told-as-whole: The limit resets after half the window; Reset and Retry-After name a whole one.': [
      counting(reportedAsWhole(scaled(fixedWindow, (limit) => limit, 1 / 2))),
      { options: TOLD_APART_BY_SECONDS },
    ],
    'window-of-three-quarters-told-as-whole: The limit resets after three quarters of the window; Reset and Retry-After name a whole one.':
      [counting(reportedAsWhole(scaled(fixedWindow, (limit) => limit, 3 / 4))), { options: TOLD_APART_BY_SECONDS }],
  }),
  ...flawsTurning('rate-retry-after-honoured', 'load', {
    'retry-after-rounded-down: Retry-After is rounded down, so a client that waits exactly that long retries too early.':
      roundedDown,
    'retry-after-rounded-to-nearest: Retry-After is rounded to the nearest second, like a TTL of Redis, so half of all clients retry too early.':
      [roundedToNearest, { options: TENTHS_OF_WHOLE_SECONDS }],
    'retry-after-rounded-to-nearest-by-the-calendar: Windows start with the minute, and Retry-After is rounded to the nearest second.':
      [chain(counting(calendarWindow), roundedToNearest), { options: TENTHS_OF_WHOLE_SECONDS }],
  }),
  ...flawsTurning('rate-retry-after-present', 'load', {
    'retry-after-for-ever: Retry-After names the last second of the year 9999.': seams({
      retryAfter: () => 'Fri, 31 Dec 9999 23:59:59 GMT',
    }),
  }),
  ...flawsTurning('rate-not-early', 'load', {
    'expiry-renewed: Each served request renews the expiry of the counter: INCR, then EXPIRE.': counting(expiryRenewed),
    'expiry-renewed-by-refusals-too: Each request, also a refused one, renews the expiry of the counter.':
      counting(expiryRenewedByRefusals),
  }),
  ...flawsTurning('rate-window', 'load', {
    'allowance-on-top-of-a-rate: An even rate is served in addition to the limit, not as part of it.': [
      counting(allowanceOnTop),
      {
        also: ['rate-remaining-counts', 'rate-429', 'rate-reset-truthful'],
        // In a shorter one, rounding Retry-After hides it: the even rate fills the window.
        options: { minuteSeconds: 30 },
      },
    ],
  }),
];
