import type { BanHabits, Change, Context, RateFigures } from '../behaviour.js';
import { seams, type Which } from './requests.js';
import { onAnswers } from './answers.js';
import { withoutHeader } from '../messages.js';
import type { Algorithm } from '../limiters/windows.js';

/** Names of the rate headers (part 8). */
export const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

/** Removes these headers from the selected responses; all three rate headers by default. */
export const bare = (which: Which, names: readonly string[] = RATE_HEADERS): Change =>
  onAnswers(which, (answer) => names.reduce(withoutHeader, answer));

/** Changes the values of the rate headers. */
export const onFigures = (alter: (figures: RateFigures, context: Context) => RateFigures): Change =>
  seams(({ rateHeaders }) => ({
    rateHeaders: (figures, context) => rateHeaders(alter(figures, context), context),
  }));

/** Replaces the algorithm of the minute window. */
export const limitedBy = (minuteAlgorithm: Algorithm): Change => seams({ minuteAlgorithm });

/** Changes the rules of bans, if the server has any. */
export const banning = (alter: Partial<BanHabits>): Change =>
  seams(({ ban }) => ({
    ban: (settings) => {
      const habits = ban(settings);
      return habits === null ? null : { ...habits, ...alter };
    },
  }));
