import type { Finding } from '../../checks/finding.js';
import { windowSpokenOf } from '../answers.js';
import type { ServerClock } from '../clock.js';
import type { Fold } from '../fold.js';
import { plainInteger, readReset } from '../header-number.js';
import type { HeaderNumber, Sample } from '../sample.js';
import { counted, duration, inconclusive, kept, subject, violated } from '../say.js';
import type { Figures, KeyName } from '../series.js';

const ROW = 'rate-headers-wellformed';

/** Reset is rounded up by as much as a second, and `Date` was seen 2.3 s stale on sound servers. */
const GRACE_MS = 4000;

/** What is wrong with one answer's rate headers: `kind` groups the same fault over many answers. */
export interface HeaderFault {
  readonly header: 'limit' | 'remaining' | 'reset';
  readonly kind: 'not-integer' | 'negative' | 'above-limit' | 'unit' | 'past' | 'too-far';
  readonly expected: string;
  readonly actual: string;
}

const NAMES = { limit: 'X-RateLimit-Limit', remaining: 'X-RateLimit-Remaining', reset: 'X-RateLimit-Reset' } as const;

/** A whole number below zero, however it came. */
const isNegative = (value: HeaderNumber): boolean =>
  typeof value === 'number' ? value < 0 : value !== null && /^-\d+$/.test(value);

function formFaults(sample: Sample): readonly HeaderFault[] {
  return (['limit', 'remaining', 'reset'] as const).flatMap((name): readonly HeaderFault[] => {
    const value = sample[name];
    if (value === null || plainInteger(value) !== null) return [];
    const kind = isNegative(value) ? 'negative' : 'not-integer';
    return [
      {
        header: name,
        kind,
        expected: `${NAMES[name]} as a plain decimal integer, 0 or more`,
        actual: `${NAMES[name]}: ${value}`,
      },
    ];
  });
}

function remainingFaults({ limit, remaining }: Sample): readonly HeaderFault[] {
  const [most, left] = [plainInteger(limit), plainInteger(remaining)];
  if (most === null || left === null || left <= most) return [];
  return [
    {
      header: 'remaining',
      kind: 'above-limit',
      expected: `X-RateLimit-Remaining of at most the limit, ${most}`,
      actual: `X-RateLimit-Remaining: ${left}`,
    },
  ];
}

/** The longest window that an answer's Limit may speak of, in ms: the day's where it is neither figure. */
function longestWindowMs(sample: Sample, figures: Figures): number {
  const minute = windowSpokenOf(sample, figures) === 'minute';
  return (minute ? figures.minuteSeconds : Math.max(figures.daySeconds, figures.minuteSeconds)) * 1000;
}

/** The server's time when it answered: from this answer's `Date`, else from the clock that others tell, in Unix ms. */
function serverNow(
  sample: Sample,
  clock: ServerClock | null,
): { readonly earliest: number; readonly latest: number } | null {
  if (sample.date !== null) return { earliest: sample.date, latest: sample.date };
  return clock === null ? null : { earliest: sample.sentAt + clock.lowMs, latest: sample.answeredAt + clock.highMs };
}

function resetFaults(sample: Sample, figures: Figures, clock: ServerClock | null): readonly HeaderFault[] {
  const reset = readReset(sample.reset);
  if (reset === null) return [];
  const expected = 'X-RateLimit-Reset as a Unix time in seconds';
  if (reset.unit === 'seconds-to-go') {
    return [
      {
        header: 'reset',
        kind: 'unit',
        expected,
        actual: `X-RateLimit-Reset: ${reset.seconds}, which reads as seconds to go`,
      },
    ];
  }
  if (reset.unit === 'unix-milliseconds') {
    return [
      {
        header: 'reset',
        kind: 'unit',
        expected,
        actual: `X-RateLimit-Reset: ${reset.unixMs}, which is not in seconds`,
      },
    ];
  }
  const now = serverNow(sample, clock);
  if (now === null) return [];
  const windowMs = longestWindowMs(sample, figures);
  if (reset.unixMs < now.earliest - GRACE_MS) {
    const ago = duration(now.earliest - reset.unixMs);
    return [
      {
        header: 'reset',
        kind: 'past',
        expected: `X-RateLimit-Reset not before the server's own time`,
        actual: `a Reset ${ago} in the past`,
      },
    ];
  }
  if (reset.unixMs > now.latest + windowMs + GRACE_MS) {
    const ahead = duration(reset.unixMs - now.latest);
    return [
      {
        header: 'reset',
        kind: 'too-far',
        expected: `X-RateLimit-Reset at most ${duration(windowMs)} ahead`,
        actual: `a Reset ${ahead} ahead`,
      },
    ];
  }
  return [];
}

/** All that is wrong with the rate headers of one answer, in our clock and the server's. Absent ones are another row's. */
export const headerFaults = (sample: Sample, figures: Figures, clock: ServerClock | null): readonly HeaderFault[] => [
  ...formFaults(sample),
  ...remainingFaults(sample),
  ...resetFaults(sample, figures, clock),
];

/** A Reset that cannot be placed by its own answer: only the clock that other answers tell can. */
const needsClock = (sample: Sample): boolean =>
  sample.date === null && readReset(sample.reset)?.unit === 'unix-seconds';

/** How long after its sending a Reset lies, by a clock that shows the same as ours; NaN without one, ms. */
const aheadMs = ({ reset, sentAt }: Sample): number => {
  const reading = readReset(reset);
  return reading?.unit === 'unix-seconds' ? reading.unixMs - sentAt : NaN;
};

/** How far beyond the longest window a Reset reaches, likewise, ms. */
const beyondMs = (sample: Sample, figures: Figures): number =>
  aheadMs(sample) - (sample.answeredAt - sample.sentAt) - longestWindowMs(sample, figures);

/** What is wrong with the rate headers of many answers. */
export interface Form {
  /** Those with any rate header. */
  readonly answers: number;
  readonly faults: ReadonlyMap<HeaderFault['kind'], { readonly count: number; readonly first: HeaderFault }>;
  /** Those that need a clock, and the two of them that are wrong if any is; null where there are none. */
  readonly undated: { readonly count: number; readonly soonest: Sample; readonly farthest: Sample } | null;
}

/** Looks at the rate headers of every answer, whatever clock others will tell. */
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

/** `rate-headers-wellformed` on the answers that one key got: one finding for each kind of fault. */
export function headersWellformed(
  key: KeyName,
  { answers, faults, undated }: Form,
  figures: Figures,
  clock: ServerClock | null,
): readonly Finding[] {
  if (answers === 0) return [inconclusive(ROW, 'too-little-data', `${subject(key)} got no rate header to look at.`)];
  const say = ({ expected, actual }: HeaderFault, share: string): Finding =>
    violated(ROW, `${subject(key)} got a malformed rate header.`, expected, `${actual} (${share})`);
  const misplaced =
    undated === null || clock === null
      ? []
      : [...new Set([undated.soonest, undated.farthest])].flatMap((sample) => resetFaults(sample, figures, clock));
  const findings = [
    ...[...faults.values()].map(({ count, first }) => say(first, `on ${counted(count, 'answer')} of ${answers}`)),
    ...misplaced
      .filter(({ kind }) => !faults.has(kind))
      .map((fault) => say(fault, `the worst of ${counted(undated?.count ?? 0, 'answer')} without a Date`)),
  ];
  if (findings.length > 0) return findings;
  if (undated !== null && clock === null) {
    return [
      inconclusive(ROW, 'clock-unknown', "Without a Date the server's time is unknown, so no Reset can be placed."),
    ];
  }
  return [kept(ROW, `The rate headers of ${counted(answers, 'answer')} are well formed.`)];
}
