import { unestablished, kept, violated, type Judged } from '../../findings/finding.js';
import { isPlanAnswer, describedWindow, type HeaderNumber, type Fold } from '../sample.js';
import { plainInteger } from './header-number.js';
import type { Figures } from '../bounds.js';
import { subject } from '../series.js';
import { count, counted } from '../../format/format.js';
import type { KeyName } from '../../contract/names.js';

/** Most wrong limits that a finding quotes. */
const MOST_QUOTED = 3;

/** Number of responses that name a limit, and of those that name another than the plan's. */
export interface LimitValues {
  readonly answers: number;
  readonly foreign: number;
  readonly quoted: readonly HeaderNumber[];
}

/** Looks at the limit that every response to a valid key names. */
export const limitValues = (figures: Figures): Fold<LimitValues> => ({
  none: { answers: 0, foreign: 0, quoted: [] },
  with(seen, sample) {
    if (!isPlanAnswer(sample) || plainInteger(sample.limit) === null) return seen;
    const answers = seen.answers + 1;
    if (describedWindow(sample, figures) !== 'unknown') return { ...seen, answers };
    const quoted = [...new Set([...seen.quoted, sample.limit])].slice(0, MOST_QUOTED);
    return { answers, foreign: seen.foreign + 1, quoted };
  },
});

/** Judges `rate-limit-value`: to a valid key, Limit is the plan's figure per minute or per day. */
export function limitValue(key: KeyName, { answers, foreign, quoted }: LimitValues, figures: Figures): Judged {
  if (answers === 0) return unestablished('headers-missing', `${subject(key)} got no readable X-RateLimit-Limit.`);
  if (foreign === 0) return kept([], `X-RateLimit-Limit is the plan's figure on ${counted(answers, 'response')}.`);
  return violated([], `${subject(key)} gets an X-RateLimit-Limit that is not the plan's.`, {
    expected: `X-RateLimit-Limit: ${figures.perMinute} (a minute) or ${figures.perDay} (a day)`,
    actual: `X-RateLimit-Limit: ${quoted.join(', ')} on ${count(foreign)} of ${counted(answers, 'response')}`,
    measured: {
      most: figures.perMinute,
      got: Math.min(Number(quoted[0]), Number.MAX_SAFE_INTEGER),
      what: [foreign === answers ? 'all' : 'some'],
    },
  });
}
