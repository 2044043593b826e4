import type { Change } from '../behaviour.js';
import { banning, chain, emptied, onAnswers, onFigures, seams, withStatus } from '../changes.js';
import { byHalves, byQuarters, bySixtieths, byTenths } from '../limiters/beating-bucket.js';
import { calendarWindow, fixedWindow, renewedWindow } from '../limiters/fixed-window.js';
import { gcra, leakyBucket, strictPacer } from '../limiters/gcra.js';
import { bySeconds, countingRefusals, type Algorithm } from '../limiters/limiter.js';
import { slidingCounter } from '../limiters/sliding-counter.js';
import { slidingLog } from '../limiters/sliding-log.js';
import { smallBucket, tokenBucket } from '../limiters/token-bucket.js';
import { withoutHeader } from '../messages.js';
import { SHORT_DAY } from '../options.js';
import { variantsOf } from '../registry.js';

const counting = (minuteAlgorithm: Algorithm): Change => seams(() => ({ minuteAlgorithm }));

/** Says that all of the allowance is back a window from now. */
const resetAWindowAhead =
  (algorithm: Algorithm): Algorithm =>
  (allowance) => {
    const limiter = algorithm(allowance);
    return { ...limiter, look: (now) => ({ ...limiter.look(now), resetAt: now + allowance.windowMs }) };
  };

/** What shows only when a day is used up. */
const OF_THE_DAY = { include: 'day-quota', plans: ['enterprise'], options: { plans: SHORT_DAY } } as const;

/** Lawful ways to limit: part 8 names the figures and not the way to count. */
export const limitVariants = variantsOf('load', {
  'calendar-window': {
    title: 'Windows follow the clock: whole minutes.',
    change: counting(calendarWindow),
  },
  'sliding-log': {
    title: 'The time of every request is remembered for one window.',
    change: counting(slidingLog),
  },
  'sliding-log-reset-of-the-newest': {
    title: 'The time of every request is remembered for one window, and Reset says when the last of them is forgotten.',
    change: counting(resetAWindowAhead(slidingLog)),
  },
  'reset-rounded-down': {
    title: 'Reset is rounded down to whole seconds.',
    change: onFigures((figures) => ({ ...figures, resetAt: Math.floor(figures.resetAt / 1000) * 1000 })),
  },
  'sliding-counter': {
    title: 'The window before counts in part.',
    change: counting(slidingCounter),
  },
  'token-bucket': {
    title: 'A bucket holds the whole plan and refills evenly.',
    change: counting(tokenBucket),
  },
  'token-bucket-by-seconds': {
    title: 'A bucket refills by a clock of whole seconds: what a second brings comes back at once.',
    // In windows of two or three seconds, a third of the plan would.
    options: { minuteSeconds: 10 },
    change: counting(bySeconds(tokenBucket)),
  },
  'bucket-by-quarters': {
    title: 'A bucket is given back a quarter of the plan every quarter of a window.',
    options: { minuteSeconds: 6 },
    change: counting(byQuarters),
  },
  'bucket-by-halves': {
    title: 'A bucket is given back half of the plan every half of a window of the clock.',
    options: { minuteSeconds: 6 },
    change: counting(byHalves),
  },
  'bucket-by-tenths': {
    title: 'A bucket is given back a tenth of the plan every tenth of a window of the clock.',
    options: { minuteSeconds: 6 },
    change: counting(byTenths),
  },
  'bucket-by-sixtieths': {
    title: 'A bucket is given back a sixtieth of the plan at each stroke of a timer.',
    options: { minuteSeconds: 6 },
    // What a stroke brings to Free, a single request, looks like one too many at the end of a burst.
    clouds: ['rate-429', 'rate-concurrent'],
    change: counting(bySixtieths),
  },
  gcra: {
    title: 'The generic cell rate algorithm, with a burst of the whole plan.',
    change: counting(gcra),
  },
  'leaky-bucket': {
    title: 'A tenth of the plan may come at once, the rest evenly.',
    change: counting(leakyBucket),
  },
  'small-bucket': {
    title: 'A bucket holds a quarter of the plan and refills at the plan’s rate.',
    change: counting(smallBucket),
  },
  'strict-pacer': {
    title: 'One request at a time, each no sooner than its share of the window after the one before.',
    expect: 'inconclusive',
    clouds: ['rate-not-early', 'rate-429', 'rate-concurrent', 'rate-remaining-counts', 'rate-window'],
    change: counting(strictPacer),
  },
  'renewed-window': {
    title: 'Each refusal starts the window anew.',
    change: counting(renewedWindow),
  },
  'only-successes-counted': {
    title: 'Only answers of success use the allowance.',
    change: seams(() => ({ cost: (_context, { status }) => (status < 300 ? 1 : 0) })),
  },
  'day-in-headers-once-tighter': {
    plans: ['pro', 'enterprise'],
    title: 'The headers speak of the day once less is left of it than of the minute; Enterprise has a short day here.',
    clouds: ['rate-retry-after-honoured', 'rate-reset-truthful', 'rate-concurrent', 'rate-window'],
    options: {
      plans: {
        free: { perMinute: 60, perDay: 1_000 },
        pro: { perMinute: 300, perDay: 10_000 },
        business: { perMinute: 1_000, perDay: 100_000 },
        enterprise: { perMinute: 100, perDay: 500 },
      },
    },
    change: seams(() => ({
      figures: (minute, day) => (day.remaining < minute.remaining || !day.admits ? day : minute),
    })),
  },
  'day-by-sliding-log': {
    ...OF_THE_DAY,
    title: 'A day is any 86,400 seconds, not one from midnight to midnight.',
    change: seams(() => ({ dayAlgorithm: slidingLog })),
  },
  'day-by-token-bucket': {
    ...OF_THE_DAY,
    title: "The day's allowance comes back bit by bit.",
    change: seams(() => ({ dayAlgorithm: tokenBucket })),
  },
  'day-counts-refusals': {
    ...OF_THE_DAY,
    title: 'What the minute refuses counts towards the day.',
    change: seams(() => ({ dayAlgorithm: countingRefusals(fixedWindow) })),
  },
  'retry-after-as-date': {
    title: 'Retry-After is an HTTP date.',
    change: seams(() => ({
      retryAfter: (retryAt) => new Date(Math.ceil(retryAt / 1000) * 1000).toUTCString(),
    })),
  },
  'refusal-without-body': {
    title: 'A 429 has no body, which the interface does not ask for in so many words.',
    warns: ['rate-429-error-body'],
    change: onAnswers(withStatus(429), emptied),
  },
  'ban-401': {
    include: 'ban',
    title: 'A banned key is answered with 401.',
    change: banning({ status: 401 }),
  },
  'ban-403': {
    include: 'ban',
    title: 'A banned key is answered with 403.',
    change: banning({ status: 403 }),
  },
  'ban-403-without-retry-after': {
    include: 'ban',
    title: 'A banned key is answered with 403, and not told for how long.',
    clouds: ['ban-temporary'],
    change: chain(
      banning({ status: 403 }),
      onAnswers(withStatus(403), (answer) => withoutHeader(answer, 'Retry-After')),
    ),
  },
  'ban-after-two': {
    title: 'The second request that does not wait brings a ban.',
    clouds: ['rate-concurrent', 'rate-not-early', 'rate-reset-truthful', 'rate-retry-after-honoured'],
    change: banning({ after: 2 }),
  },
  'ban-by-the-last': {
    include: 'ban',
    title: 'The sixtieth request that does not wait brings a ban of 403, and is told no more than the limit’s wait.',
    clouds: ['ban-only-that-key'],
    options: { banAfter: 60 },
    change: banning({ status: 403 }),
  },
  'ban-by-the-last-as-the-limit': {
    include: 'ban',
    title: 'The sixtieth request that does not wait brings a ban, answered as the limit is but for its Retry-After.',
    clouds: ['ban-only-that-key'],
    options: { banAfter: 60 },
    change: chain(),
  },
  'never-bans': {
    include: 'ban',
    title: 'No key is ever banned.',
    change: seams(() => ({ ban: () => null })),
  },
  'load-clock-ahead': {
    title: 'The clock is 90 s ahead, in Date, Reset and a Retry-After that is a date.',
    change: seams(({ clock }) => ({
      clock: (now) => clock(now) + 90_000,
      retryAfter: (retryAt) => new Date(Math.ceil(retryAt / 1000) * 1000).toUTCString(),
    })),
  },
  'load-two-servers-one-counter': {
    title: 'Two servers behind a balancer share a counter; the clock of one is a second behind in Reset.',
    change: onFigures((figures, { request }) =>
      request.serial % 2 === 0 ? figures : { ...figures, resetAt: Math.max(request.at, figures.resetAt - 1000) },
    ),
  },
  'load-slow-token-bucket': {
    options: { minuteSeconds: 3 },
    title: 'A bucket refills faster than single requests are answered: no client on one connection empties it.',
    // A burst lasts a third of so short a window: what three of them got does not tell one window's allowance from another's.
    clouds: ['rate-window'],
    change: chain(
      counting(tokenBucket),
      seams(({ transport }) => ({
        transport: (wire, context) => ({ ...transport(wire, context), delayMs: 11 + Math.random() * 3 }),
      })),
    ),
  },
  'load-slow-and-jittery': {
    title: 'Answers take 2 to 8 ms and overtake one another.',
    change: seams(({ transport }) => ({
      transport: (wire, context) => ({ ...transport(wire, context), delayMs: 2 + Math.random() * 6 }),
    })),
  },
});
