import type { Change } from '../behaviour.js';
import { chain, seams } from '../changes.js';
import { scaled, toldAsWhole } from '../limiters/broken.js';
import { expiryRenewed, expiryRenewedByRefusals, fixedWindow } from '../limiters/fixed-window.js';
import type { Algorithm } from '../limiters/limiter.js';
import { allowanceOnTop } from '../limiters/on-top.js';
import { flawsOf } from '../registry.js';
import { LIMITS } from '../rows.js';

const counting = (minuteAlgorithm: Algorithm): Change => seams(() => ({ minuteAlgorithm }));

/** Retry-After in whole seconds, rounded down. */
const roundedDown: Change = seams(() => ({
  retryAfter: (retryAt, { request }) => String(Math.max(0, Math.floor((retryAt - request.at) / 1000))),
}));

/** Whole seconds tell when a window ends in windows of this many seconds, and no shorter ones. */
const TOLD_BY_SECONDS = { minuteSeconds: 12 } as const;

/** Mistakes about when an allowance is there again. */
export const timeFlaws = flawsOf('load', [
  {
    name: 'window-of-a-sixth-rounded-down',
    options: TOLD_BY_SECONDS,
    title: 'The allowance comes back after a sixth of the window, and Retry-After is rounded down.',
    turns: ['rate-window'],
    also: ['rate-retry-after-honoured', 'rate-429'],
    clouds: LIMITS,
    change: chain(counting(scaled(fixedWindow, (limit) => limit, 1 / 6)), roundedDown),
  },
  {
    name: 'window-of-two-thirds',
    options: TOLD_BY_SECONDS,
    title: 'The allowance comes back after two thirds of the window.',
    turns: ['rate-window'],
    clouds: LIMITS,
    change: counting(scaled(fixedWindow, (limit) => limit, 2 / 3)),
  },
  {
    name: 'window-of-a-half-told-as-whole',
    // Ends that are told in whole seconds have to lie clearly nearer than a window.
    options: { minuteSeconds: 20 },
    title: 'The allowance comes back after half the window; Reset and Retry-After tell of a whole one.',
    turns: ['rate-window'],
    clouds: LIMITS,
    change: counting(toldAsWhole(scaled(fixedWindow, (limit) => limit, 1 / 2))),
  },
  {
    name: 'retry-after-rounded-down',
    title: 'Retry-After is rounded down: a client that waits as long as it is told comes too soon.',
    turns: ['rate-retry-after-honoured'],
    clouds: LIMITS,
    change: roundedDown,
  },
  {
    name: 'retry-after-for-ever',
    title: 'Retry-After names the last second of the year 9999.',
    turns: ['rate-retry-after-present'],
    clouds: LIMITS,
    change: seams(() => ({ retryAfter: () => 'Fri, 31 Dec 9999 23:59:59 GMT' })),
  },
  {
    name: 'expiry-renewed',
    title: 'Each request that is served sets the expiry of the counter anew: INCR, then EXPIRE.',
    turns: ['rate-not-early'],
    clouds: LIMITS,
    change: counting(expiryRenewed),
  },
  {
    name: 'expiry-renewed-by-refusals-too',
    title: 'Each request, refused ones too, sets the expiry of the counter anew.',
    turns: ['rate-not-early'],
    clouds: LIMITS,
    change: counting(expiryRenewedByRefusals),
  },
  {
    name: 'allowance-on-top-of-a-rate',
    // What an even rate brings in the seconds that Retry-After is rounded by fills a shorter one.
    options: { minuteSeconds: 30 },
    title: 'An even rate is served besides the allowance, and not out of it.',
    turns: ['rate-window'],
    also: ['rate-remaining-counts', 'rate-429', 'rate-reset-truthful'],
    clouds: LIMITS,
    change: counting(allowanceOnTop),
  },
]);
