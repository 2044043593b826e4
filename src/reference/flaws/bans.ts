import { banning, chain, seams } from '../changes.js';
import { flawsOf } from '../registry.js';

/** Mistakes about bans. */
export const banFlaws = flawsOf('load', {
  'banned-at-first-429': {
    title: 'The first 429 already bans the key.',
    turns: ['ban-only-after-abuse'],
    also: ['rate-retry-after-honoured', 'rate-reset-truthful', 'rate-not-early'],
    change: banning({ after: 0, status: 403 }),
  },
  'banned-for-ever': {
    include: 'ban',
    title: 'A ban never ends, though its answers say when it should.',
    turns: ['ban-temporary'],
    change: chain(
      banning({ lengthMs: Number.POSITIVE_INFINITY }),
      seams(({ retryAfter }) => ({
        retryAfter: (retryAt, context) =>
          retryAfter(Math.min(retryAt, context.request.at + context.settings.banSeconds * 1000), context),
      })),
    ),
  },
  'ban-of-every-key': {
    include: 'ban',
    title: 'A ban holds for every key: it is kept by address.',
    turns: ['ban-only-that-key'],
    also: ['rate-per-key', 'rate-not-early', 'rate-429'],
    change: banning({ whose: () => 'all' }),
  },
});
