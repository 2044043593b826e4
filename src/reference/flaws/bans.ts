import { seams } from '../changes.js';
import { flawsOf } from '../registry.js';
import { LIMITS } from '../rows.js';

/** Mistakes about bans. */
export const banFlaws = flawsOf('load', [
  {
    name: 'banned-at-first-429',
    title: 'The first 429 already bans the key.',
    turns: ['ban-only-after-abuse'],
    also: ['rate-retry-after-honoured', 'rate-reset-truthful', 'rate-not-early'],
    clouds: LIMITS,
    change: seams(({ ban }) => ({
      ban: (settings) => {
        const habits = ban(settings);
        return habits === null ? null : { ...habits, after: 0, status: 403 };
      },
    })),
  },
  {
    name: 'banned-for-ever',
    include: 'ban',
    title: 'A ban never ends, though its answers say when it should.',
    turns: ['ban-temporary'],
    clouds: LIMITS,
    change: seams(({ ban, retryAfter }) => ({
      ban: (settings) => {
        const habits = ban(settings);
        return habits === null ? null : { ...habits, lengthMs: Number.POSITIVE_INFINITY };
      },
      retryAfter: (retryAt, context) =>
        retryAfter(Math.min(retryAt, context.request.at + context.settings.banSeconds * 1000), context),
    })),
  },
  {
    name: 'ban-of-every-key',
    include: 'ban',
    title: 'A ban holds for every key: it is kept by address.',
    turns: ['ban-only-that-key'],
    also: ['rate-per-key', 'rate-not-early', 'rate-429'],
    clouds: LIMITS,
    change: seams(({ ban }) => ({
      ban: (settings) => {
        const habits = ban(settings);
        return habits === null ? null : { ...habits, whose: () => 'all' };
      },
    })),
  },
]);
