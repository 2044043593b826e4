import { unestablished, violated, kept, type Judged } from '../findings/finding.js';
import { subject } from './series.js';
import { count, counted } from '../../base/kernel/format.js';
import { faultsOf, type RateTally } from './headers/rate-tally.js';
import type { KeyName } from '../../base/interface/names.js';

const ROW = 'rate-headers-wellformed';

/** Judges `rate-headers-wellformed` on the responses to one key: one finding for each kind of fault. */
export function headersWellformed(key: KeyName, tally: RateTally): Judged {
  const answers = tally.answers[ROW];
  if (answers === 0) return unestablished('headers-missing', `${subject(key)} got no rate headers.`);
  const findings = faultsOf(tally, ROW).map(({ count: faulty, first: { header, kind, expected, actual } }) =>
    violated([], `${subject(key)} got a malformed rate header.`, {
      expected,
      actual: `${actual} (on ${counted(faulty, 'response')} of ${count(answers)})`,
      measured: { what: [header, kind] },
    }),
  );
  if (findings.length > 0) return findings;
  const why = "The responses have no Date, so Reset cannot be compared with the server's time.";
  if (tally.isUndated) return unestablished('clock-unknown', why);
  return kept([], `The rate headers of ${counted(answers, 'response')} are well formed.`);
}
