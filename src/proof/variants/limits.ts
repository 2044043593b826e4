import type { BanHabits, Change } from '../../reference/behaviour.js';
import { chain, seams, withStatus } from '../changes/requests.js';
import { banning, emptying, limitedBy, onFigures, onWire, removing } from '../changes/answers.js';
import { OF_THE_DAY, SHORT_DAY, variantsBy, variantsOf } from '../registry.js';
import { type Algorithm, fixedWindow } from '../../reference/limiter.js';
import {
  bySeconds,
  calendarWindow,
  countingRefusals,
  misread,
  renewedWindow,
  slidingCounter,
  slidingLog,
} from '../limiters/windows.js';
import {
  byHalves,
  byQuarters,
  bySixtieths,
  byTenths,
  leakyBucket,
  smallBucket,
  strictPacer,
  tokenBucket,
} from '../limiters/buckets.js';

const SIX_SECONDS = { options: { minuteSeconds: 6 } } as const;

/** Rules of bans after a number of refusals in a row that no run reaches (README: at most 8). */
const afterRefusals = (after: number, status: number, names: BanHabits['names']): Change =>
  banning({ after, status, names, counts: 'refusals' });

/** Conformant ways to limit: part 8 sets the figures, not the counting. */
export const limitVariants = [
  ...variantsBy('load', limitedBy, {
    'calendar-window: Windows follow the clock: whole minutes.': calendarWindow,
    'sliding-log: The time of every request is remembered for one window.': slidingLog,
    'sliding-log-reset-of-the-newest: Each request is remembered for one window; Reset is when the last is forgotten.':
      misread(slidingLog, (_look, now, { windowMs }) => ({ resetAt: now + windowMs })),
    'sliding-counter: The previous window counts in part.': slidingCounter,
    'token-bucket: A bucket holds the whole plan and refills evenly.': tokenBucket,
    // In windows of two or three seconds, a third of the plan would.
    'token-bucket-by-seconds: A bucket refills once every whole second of the clock.': [
      bySeconds(tokenBucket),
      { options: { minuteSeconds: 10 } },
    ],
    'bucket-by-quarters: A bucket regains a quarter of the plan every quarter of a window.': [
      byQuarters,
      SIX_SECONDS,
    ],
    'bucket-by-halves: A bucket regains half of the plan every half of a window of the clock.': [
      byHalves,
      SIX_SECONDS,
    ],
    'bucket-by-tenths: A bucket regains a tenth of the plan every tenth of a window of the clock.': [
      byTenths,
      SIX_SECONDS,
    ],
    // A tick brings Free one request, which looks like one too many at the end of a burst.
    'bucket-by-sixtieths: A bucket regains a sixtieth of the plan at each tick of a timer.': [
      bySixtieths,
      { ...SIX_SECONDS, clouds: ['rate-429', 'rate-concurrent'] },
    ],
    'gcra: The generic cell rate algorithm, with a burst of the whole plan.': tokenBucket,
    'leaky-bucket: A tenth of the plan may arrive as a burst, the rest evenly.': leakyBucket,
    'small-bucket: A bucket holds a quarter of the plan and refills at the plan’s rate.': smallBucket,
    'strict-pacer: Each request must come at least its share of the window after the one before.': [
      strictPacer,
      {
        expect: 'inconclusive',
        clouds: ['rate-not-early', 'rate-429', 'rate-concurrent', 'rate-remaining-counts', 'rate-window'],
      },
    ],
    'renewed-window: Each refusal restarts the window.': renewedWindow,
  }),
  ...variantsBy(
    'load',
    (dayAlgorithm: Algorithm) => seams({ dayAlgorithm }),
    {
      'day-by-sliding-log: A day is any 86,400 seconds, not one from midnight to midnight.': slidingLog,
      'day-by-token-bucket: The day’s limit refills gradually.': tokenBucket,
      'day-counts-refusals: Requests that the minute refuses count towards the day.':
        countingRefusals(fixedWindow),
    },
    OF_THE_DAY,
  ),
  ...variantsOf('load', {
    'reset-rounded-down: Reset is rounded down to whole seconds.': onFigures((figures) => ({
      ...figures,
      resetAt: Math.floor(figures.resetAt / 1000) * 1000,
    })),
    'only-successes-counted: Only successful requests count.': seams({
      cost: (_context, { status }) => (status < 300 ? 1 : 0),
    }),
    'day-in-headers-once-tighter: The headers show the day once less is left of it; Enterprise has a short one.':
      [
        seams({ figures: (minute, day) => (day.remaining < minute.remaining || !day.admits ? day : minute) }),
        {
          plans: ['pro', 'enterprise'],
          clouds: ['rate-retry-after-honoured', 'rate-reset-truthful', 'rate-concurrent', 'rate-window'],
          options: { plans: { ...SHORT_DAY, enterprise: { perMinute: 100, perDay: 500 } } },
        },
      ],
    'retry-after-as-date: Retry-After is an HTTP date.': seams({
      retryAfter: (retryAt) => new Date(Math.ceil(retryAt / 1000) * 1000).toUTCString(),
    }),
    'refusal-without-body: A 429 has no body, because the interface does not state one explicitly.': [
      emptying(withStatus(429)),
      { warns: ['rate-429-error-body'] },
    ],
    'ban-401: A banned key gets 401.': [banning({ status: 401 }), { include: 'ban' }],
    'ban-403: A banned key gets 403.': [banning({ status: 403 }), { include: 'ban' }],
    'ban-403-without-retry-after: A banned key gets 403 without a duration.': [
      chain(banning({ status: 403 }), removing('Retry-After', withStatus(403))),
      { include: 'ban', clouds: ['ban-temporary'] },
    ],
    'ban-after-two: The second request that does not wait causes a ban.': [
      banning({ after: 2 }),
      { clouds: ['rate-concurrent', 'rate-not-early', 'rate-reset-truthful', 'rate-retry-after-honoured'] },
    ],
    'ban-after-two-in-reset: The second request that does not wait causes a ban of three windows, whose end Reset names.':
      [
        banning({ after: 2, names: 'end in Reset too' }),
        {
          options: { minuteSeconds: 10, banSeconds: 30 },
          clouds: [
            'rate-concurrent',
            'rate-not-early',
            'rate-reset-truthful',
            'rate-retry-after-honoured',
            'rate-window',
          ],
        },
      ],
    'ban-after-9-by-401: The ninth refusal in a row causes a ban with 401; Retry-After and Reset name its end.':
      afterRefusals(9, 401, 'end in Reset too'),
    'ban-after-9-by-403: The ninth refusal in a row causes a ban with 403; Retry-After and Reset name the window’s end.':
      afterRefusals(9, 403, 'window'),
    'ban-after-9-by-429: The ninth refusal in a row causes a ban with 429; Retry-After and Reset name its end.':
      afterRefusals(9, 429, 'end in Reset too'),
    'ban-after-15-by-401: The fifteenth refusal in a row causes a ban with 401; Retry-After and Reset name the window’s end.':
      afterRefusals(15, 401, 'window'),
    'ban-after-15-by-429: The fifteenth refusal in a row causes a ban with 429; Retry-After and Reset name the window’s end.':
      afterRefusals(15, 429, 'window'),
    'ban-after-25-by-403: The 25th refusal in a row causes a ban with 403; Retry-After and Reset name its end.':
      afterRefusals(25, 403, 'end in Reset too'),
    'ban-after-25-by-429: The 25th refusal in a row causes a ban with 429; Retry-After and Reset name its end.':
      afterRefusals(25, 429, 'end in Reset too'),
    'ban-by-the-last: The sixtieth request that does not wait causes a ban with 403, which shows only the limit’s wait.':
      [
        banning({ status: 403 }),
        { include: 'ban', clouds: ['ban-only-that-key'], options: { banAfter: 60 } },
      ],
    'ban-by-the-last-as-the-limit: The sixtieth request that does not wait causes a ban, seen only by Retry-After.':
      [chain(), { include: 'ban', clouds: ['ban-only-that-key'], options: { banAfter: 60 } }],
    'never-bans: No key is ever banned.': [seams({ ban: () => null }), { include: 'ban' }],
    'load-clock-ahead: The clock is 90 s ahead, in Date, Reset and a Retry-After that is a date.': seams(
      ({ clock }) => ({
        clock: (now) => clock(now) + 90_000,
        retryAfter: (retryAt) => new Date(Math.ceil(retryAt / 1000) * 1000).toUTCString(),
      }),
    ),
    'load-two-servers-one-counter: Two servers behind a balancer share a counter; the clock of one is a second behind in Reset.':
      onFigures((figures, { request }) =>
        request.serial % 2 === 0
          ? figures
          : { ...figures, resetAt: Math.max(request.at, figures.resetAt - 1000) },
      ),
    'load-slow-token-bucket: A bucket refills faster than single requests arrive: no client on one connection empties it.':
      [
        chain(
          limitedBy(tokenBucket),
          onWire((wire) => ({ ...wire, delayMs: 11 + Math.random() * 3 })),
        ),
        {
          options: { minuteSeconds: 3 },
          // A burst lasts a third of such a short window, so three of them do not separate the windows' allowances.
          clouds: ['rate-window'],
        },
      ],
    'load-far-away: Responses take 80 to 200 ms, in windows of six seconds.': [
      onWire((wire) => ({ ...wire, delayMs: 80 + Math.random() * 120 })),
      SIX_SECONDS,
    ],
    'load-slow-and-jittery: Responses take 2 to 8 ms and overtake one another.': onWire((wire) => ({
      ...wire,
      delayMs: 2 + Math.random() * 6,
    })),
  }),
];
