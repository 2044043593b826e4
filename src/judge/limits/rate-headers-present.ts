import { unestablished, kept, violated, type Judged } from '../findings/finding.js';
import { subject } from './series.js';
import { counted } from '../../base/kernel/format.js';
import type { KeyName } from '../../base/interface/names.js';
import { faultsOf, type RateTally } from './headers/rate-tally.js';

const ROW = 'rate-headers-present';

/** Judges `rate-headers-present` on all responses to one key. Part 8: every response carries all three. */
export function headersPresent(key: KeyName, tally: RateTally): Judged {
  const answers = tally.answers[ROW];
  if (answers === 0) return unestablished('too-little-data', `${subject(key)} got no response.`);
  const [lacking] = faultsOf(tally, ROW);
  if (!lacking) return kept([], `All three rate headers are present on ${counted(answers, 'response')}.`);
  const { count, first, statuses } = lacking;
  return violated([], `${subject(key)} got responses without rate headers.`, {
    expected: `${first.expected} on every response`,
    actual: `${counted(count, 'response')} of ${answers} (status ${statuses.join(', ')}) with ${first.actual}`,
    measured: { what: [first.actual, count === answers ? 'all' : 'some'] },
  });
}
