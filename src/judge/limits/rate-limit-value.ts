import { RATE_HEADERS } from '../../base/interface/rate-headers.js';
import { unestablished, kept, violated, type Judged } from '../findings/finding.js';
import type { Figures } from './bounds.js';
import { subject } from './series.js';
import { count as counts, counted } from '../../base/kernel/format.js';
import type { KeyName } from '../../base/interface/names.js';
import { faultsOf, type RateTally } from './headers/rate-tally.js';

const ROW = 'rate-limit-value';

/** A key's fixed figures are at most the minute's and the day's. */
const MOST_FIXED = 2;

/** Judges `rate-limit-value`: to a valid key, Limit is the plan's figure per minute or per day. */
export function limitValue(
  key: KeyName,
  tally: RateTally,
  { perMinute }: Pick<Figures, 'perMinute'>,
): Judged {
  const answers = tally.answers[ROW];
  if (answers === 0)
    return unestablished('headers-missing', `${subject(key)} got no readable ${RATE_HEADERS.limit}.`);
  const [foreign] = faultsOf(tally, ROW);
  if (!foreign)
    return kept([], `${RATE_HEADERS.limit} is the plan's figure on ${counted(answers, 'response')}.`);
  const { count, first, texts } = foreign;
  const values = texts.map((text) => text.slice(text.indexOf(':') + 2));
  const ascending = values.toSorted((one, other) => Number(one) - Number(other));
  return violated([], `${subject(key)} gets an ${RATE_HEADERS.limit} that is not the plan's.`, {
    expected: first.expected,
    actual: `${RATE_HEADERS.limit}: ${values.join(', ')} on ${counts(count)} of ${counted(answers, 'response')}`,
    measured: {
      most: perMinute,
      got: Math.min(Number(ascending[0]), Number.MAX_SAFE_INTEGER),
      what: [count === answers ? 'all' : 'some', ...(ascending.length > MOST_FIXED ? ['varies'] : ascending)],
    },
  });
}
