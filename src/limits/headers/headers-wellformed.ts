import { unestablished, violated, kept, type Judged, type Judgement } from '../../findings/finding.js';
import type { ServerClock } from '../clock.js';
import type { Sample, Fold } from '../sample.js';
import { unixReset } from './header-number.js';
import type { Figures } from '../bounds.js';
import { subject } from '../series.js';
import { counted } from '../../format/format.js';
import { headerFaults, longestWindowMs, resetFault, type HeaderFault } from './header-faults.js';
import type { KeyName } from '../../contract/names.js';

/** A response without `Date`: only the clock that other responses show can place its Reset. */
const needsClock = (sample: Sample): boolean => sample.date === null && unixReset(sample.reset) !== null;

/** Time from sending to Reset, ms, if the server's clock equals ours; NaN without a Reset in Unix seconds. */
const aheadMs = ({ reset, sentAt }: Sample): number => (unixReset(reset) ?? NaN) - sentAt;

/** Time by which a Reset lies beyond the longest window, by the same clock, ms. */
const beyondMs = (sample: Sample, figures: Figures): number =>
  aheadMs(sample) - (sample.answeredAt - sample.sentAt) - longestWindowMs(sample, figures);

/** Faults in the rate headers of many responses. */
export interface Form {
  /** Responses with any rate header. */
  readonly answers: number;
  readonly faults: ReadonlyMap<HeaderFault['kind'], { readonly count: number; readonly first: HeaderFault }>;
  /** Responses that need a clock. If any of them is wrong, one of these two is. Null if there are none. */
  readonly undated: { readonly count: number; readonly soonest: Sample; readonly farthest: Sample } | null;
}

/** Looks at the rate headers of every response, before the server's clock is known. */
export const headerForm = (figures: Figures): Fold<Form> => ({
  none: { answers: 0, faults: new Map(), undated: null },
  with(seen, sample) {
    const { limit, remaining, reset } = sample;
    if (limit === null && remaining === null && reset === null) return seen;
    const found = headerFaults(sample, figures, null);
    return {
      answers: seen.answers + 1,
      faults: found.length === 0 ? seen.faults : found.reduce(withFault, seen.faults),
      undated: needsClock(sample) ? withUndated(seen.undated, sample, figures) : seen.undated,
    };
  },
});

function withFault(faults: Form['faults'], fault: HeaderFault): Form['faults'] {
  const known = faults.get(fault.kind);
  return new Map(faults).set(fault.kind, { count: (known?.count ?? 0) + 1, first: known?.first ?? fault });
}

function withUndated(undated: Form['undated'], sample: Sample, figures: Figures): Form['undated'] {
  if (undated === null) return { count: 1, soonest: sample, farthest: sample };
  const { count, soonest, farthest } = undated;
  return {
    count: count + 1,
    soonest: aheadMs(sample) < aheadMs(soonest) ? sample : soonest,
    farthest: beyondMs(sample, figures) > beyondMs(farthest, figures) ? sample : farthest,
  };
}

/** Judges `rate-headers-wellformed` on the responses to one key: one finding for each kind of fault. */
export function headersWellformed(
  key: KeyName,
  { answers, faults, undated }: Form,
  figures: Figures,
  clock: ServerClock | null,
): Judged {
  if (answers === 0) return unestablished('headers-missing', `${subject(key)} got no rate headers.`);
  const say = ({ header, kind, expected, actual }: HeaderFault, share: string): Judgement =>
    violated([], `${subject(key)} got a malformed rate header.`, {
      expected,
      actual: `${actual} (${share})`,
      measured: { what: [header, kind] },
    });
  const extremes = undated === null || clock === null ? [] : [...new Set([undated.soonest, undated.farthest])];
  const misplaced = extremes.flatMap((sample) => resetFault(sample, figures, clock) ?? []);
  const findings = [
    ...[...faults.values()].map(({ count, first }) => say(first, `on ${counted(count, 'response')} of ${answers}`)),
    ...misplaced
      .filter(({ kind }) => !faults.has(kind))
      .map((fault) => say(fault, `the worst of ${counted(undated?.count ?? 0, 'response')} without a Date`)),
  ];
  if (findings.length > 0) return findings;
  const why = "The responses have no Date, so Reset cannot be compared with the server's time.";
  if (undated !== null && clock === null) return unestablished('clock-unknown', why);
  return kept([], `The rate headers of ${counted(answers, 'response')} are well formed.`);
}
