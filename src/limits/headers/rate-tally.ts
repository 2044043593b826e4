import type { Figures } from '../bounds.js';
import type { ServerClock } from '../clock.js';
import { grouped } from '../../format/format.js';
import { wasRefused, type Fold, type Sample } from '../sample.js';
import {
  mostAheadMs,
  needsClock,
  rateFaults,
  showsRate,
  RATE_ROWS,
  type RateFault,
  type RateRow,
} from './header-faults.js';
import { unixReset } from './header-number.js';

/** Status of a ban. Part 8 does not say what headers a ban has. */
const BANNED = 403;

/**
 * Refusals of a key, with the one at hand, from which on it may be banned: the interface allows a ban for requests after a 429
 * (part 5, 4), so the second refusal may be one already.
 */
const REFUSALS_BEFORE_BAN = 2;

/** One fault over many responses. */
export interface Tallied {
  /** Responses that have it, whatever the number of headers. */
  readonly count: number;
  readonly first: RateFault;
  /** Status codes of these responses, ascending. */
  readonly statuses: readonly number[];
  /** Different texts of what was found, the first few. */
  readonly texts: readonly string[];
}

/** Most different texts that a finding quotes. */
const MOST_QUOTED = 3;

/** Faults in the rate headers of many responses to one key. */
export interface RateTally {
  /** Responses that can keep or break each row. */
  readonly answers: Readonly<Record<RateRow, number>>;
  /** By row and kind. */
  readonly faults: ReadonlyMap<string, Tallied>;
  /** Responses that need a clock. If any of them is wrong, one of these two is. Null if there are none. */
  readonly undated: { readonly count: number; readonly soonest: Sample; readonly farthest: Sample } | null;
  /** All 429 responses. They are few: no profile continues for long after one. */
  readonly refusals: readonly Sample[];
}

/** Returns the faults of one row, in order of their first occurrence. */
export const faultsOf = ({ faults }: RateTally, row: RateRow): readonly Tallied[] =>
  [...faults.values()].filter(({ first }) => first.row === row);

/** Is true if a refusal may speak of a ban, by its place among the refusals of its key. */
export const mayBeBan = (sample: Sample, { refusals }: Pick<RateTally, 'refusals'>): boolean =>
  refusals.filter((refusal) => refusal.sentAt <= sample.sentAt).length >= REFUSALS_BEFORE_BAN;

/** Time from sending to Reset, ms, if the server's clock equals ours; NaN without a Reset in Unix seconds. */
const aheadMs = ({ reset, sentAt }: Sample): number => (unixReset(reset) ?? NaN) - sentAt;

/** Time by which a Reset lies beyond what is allowed, by the same clock, ms. */
const beyondMs = (sample: Sample, figures: Figures, tally: Pick<RateTally, 'refusals'>): number =>
  aheadMs(sample) - (sample.answeredAt - sample.sentAt) - mostAheadMs(sample, figures, mayBeBan(sample, tally));

/** Looks at the rate headers of every response to one key, before the server's clock is known. */
export const rateTally = (figures: Figures): Fold<RateTally> => ({
  none: {
    answers: { 'rate-headers-present': 0, 'rate-headers-wellformed': 0, 'rate-limit-value': 0 },
    faults: new Map(),
    undated: null,
    refusals: [],
  },
  with(seen, sample) {
    const refusals = wasRefused(sample) ? [...seen.refusals, sample] : seen.refusals;
    const found = rateFaults(sample, figures, null, mayBeBan(sample, { refusals })).filter(({ row }) =>
      isTold(row, sample),
    );
    return {
      answers: withShown(seen.answers, sample),
      faults: found.length === 0 ? seen.faults : withFaults(seen.faults, found, sample),
      undated: needsClock(sample) ? withUndated(seen.undated, sample, figures, { refusals }) : seen.undated,
      refusals,
    };
  },
});

/** Under load a ban may come, whose headers the interface does not describe. */
const isTold = (row: RateRow, sample: Sample): boolean =>
  showsRate(row, sample) && (row !== 'rate-headers-present' || sample.status !== BANNED);

function withShown(answers: RateTally['answers'], sample: Sample): RateTally['answers'] {
  const next = { ...answers };
  for (const row of RATE_ROWS) if (isTold(row, sample)) next[row] += 1;
  return next;
}

function withFaults(faults: RateTally['faults'], found: readonly RateFault[], { status }: Sample): RateTally['faults'] {
  const next = new Map(faults);
  // One response counts once for a kind, whatever the number of headers that show it.
  for (const [name, [fault]] of grouped(found, ({ row, kind }) => `${row} ${kind}`)) {
    if (fault === undefined) continue;
    const known = faults.get(name);
    next.set(name, {
      count: (known?.count ?? 0) + 1,
      first: known?.first ?? fault,
      statuses: [...new Set([...(known?.statuses ?? []), status])].sort((one, other) => one - other),
      texts: [...new Set([...(known?.texts ?? []), fault.actual])].slice(0, MOST_QUOTED),
    });
  }
  return next;
}

function withUndated(
  undated: RateTally['undated'],
  sample: Sample,
  figures: Figures,
  tally: Pick<RateTally, 'refusals'>,
): RateTally['undated'] {
  if (undated === null) return { count: 1, soonest: sample, farthest: sample };
  const { count, soonest, farthest } = undated;
  return {
    count: count + 1,
    soonest: aheadMs(sample) < aheadMs(soonest) ? sample : soonest,
    farthest: beyondMs(sample, figures, tally) > beyondMs(farthest, figures, tally) ? sample : farthest,
  };
}

/** Returns the faults in Reset of responses without `Date`, by the clock of others: one of two extremes has any that there is. */
export const undatedFaults = (tally: RateTally, figures: Figures, clock: ServerClock | null): readonly RateFault[] => {
  const { undated } = tally;
  if (undated === null || clock === null) return [];
  return [...new Set([undated.soonest, undated.farthest])].flatMap((sample) =>
    rateFaults(sample, figures, clock, mayBeBan(sample, tally)).filter(
      ({ row, header }) => row === 'rate-headers-wellformed' && header === 'reset',
    ),
  );
};
