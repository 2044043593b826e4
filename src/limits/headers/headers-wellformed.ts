import { unestablished, violated, kept, type Judged, type Judgement } from '../../findings/finding.js';
import type { ServerClock } from '../clock.js';
import type { Figures } from '../bounds.js';
import { subject } from '../series.js';
import { counted } from '../../format/format.js';
import type { RateFault } from './header-faults.js';
import { faultsOf, undatedFaults, type RateTally } from './rate-tally.js';
import type { KeyName } from '../../contract/names.js';

const ROW = 'rate-headers-wellformed';

/** Judges `rate-headers-wellformed` on the responses to one key: one finding for each kind of fault. */
export function headersWellformed(key: KeyName, tally: RateTally, figures: Figures, clock: ServerClock | null): Judged {
  const answers = tally.answers[ROW];
  if (answers === 0) return unestablished('headers-missing', `${subject(key)} got no rate headers.`);
  const say = ({ header, kind, expected, actual }: RateFault, share: string): Judgement =>
    violated([], `${subject(key)} got a malformed rate header.`, {
      expected,
      actual: `${actual} (${share})`,
      measured: { what: [header, kind] },
    });
  const known = faultsOf(tally, ROW);
  const findings = [
    ...known.map(({ count, first }) => say(first, `on ${counted(count, 'response')} of ${answers}`)),
    ...undatedFaults(tally, figures, clock)
      .filter(({ kind }) => !known.some(({ first }) => first.kind === kind))
      .map((fault) => say(fault, `the worst of ${counted(tally.undated?.count ?? 0, 'response')} without a Date`)),
  ];
  if (findings.length > 0) return findings;
  const why = "The responses have no Date, so Reset cannot be compared with the server's time.";
  if (tally.undated !== null && clock === null) return unestablished('clock-unknown', why);
  return kept([], `The rate headers of ${counted(answers, 'response')} are well formed.`);
}
