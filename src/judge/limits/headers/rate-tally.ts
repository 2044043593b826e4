import { isForbidden } from '../ban-signs.js';
import type { Figures } from '../bounds.js';
import type { ServerClock } from '../clock.js';
import { grouped } from '../../../base/kernel/format.js';
import { timesOf, wasRefused, type Sample } from '../sample.js';
import { needsClock, rateFaults, showsRate, type RateFault, type RateRow } from './header-faults.js';

/**
 * Refusals of a key, with the one at hand, from which on it may be banned: the interface allows a ban for
 * requests after a 429 (part 5, 4), so the second refusal may be one already.
 */
const REFUSALS_BEFORE_BAN = 2;

interface Tallied {
  /** Responses that have it, whatever the number of headers. */
  readonly count: number;
  readonly first: RateFault;
  /** Status codes of these responses, ascending. */
  readonly statuses: readonly number[];
  /** Different texts of what was found, the first few. */
  readonly texts: readonly string[];
}

/** Most examples of a fault that a finding names: a person needs no more. */
export const MOST_NAMED = 3;

export interface RateTally {
  /** Responses that can keep or break each row. */
  readonly answers: Readonly<Record<RateRow, number>>;
  /** In order of their first occurrence; one for each row and kind. */
  readonly faults: readonly Tallied[];
  /** True if the Reset of some response cannot be placed: nothing shows the server's time. */
  readonly isUndated: boolean;
  /** All 429 responses. They are few: no profile continues for long after one. */
  readonly refusals: readonly Sample[];
}

export const faultsOf = ({ faults }: RateTally, row: RateRow): readonly Tallied[] =>
  faults.filter(({ first }) => first.row === row);

/** Returns from which time of sending on the refusals of a key may speak of a ban, Unix ms. */
export const mayBeBannedFrom = (refusals: readonly Sample[]): number =>
  timesOf(refusals).sent[REFUSALS_BEFORE_BAN - 1] ?? Infinity;

export function rateTally(
  samples: readonly Sample[],
  figures: Figures,
  clock: ServerClock | null,
): RateTally {
  const refusals = samples.filter(wasRefused);
  const bannedFrom = mayBeBannedFrom(refusals);
  const found = samples.flatMap((sample) =>
    rateFaults(sample, figures, clock, sample.sentAt >= bannedFrom)
      .filter(({ row }) => isJudged(row, sample))
      .map((fault) => ({ sample, fault })),
  );
  const alike = grouped(found, ({ fault: { row, kind } }) => `${row} ${kind}`);
  const answers = (row: RateRow): number => samples.filter((sample) => isJudged(row, sample)).length;
  return {
    answers: {
      'rate-headers-present': answers('rate-headers-present'),
      'rate-headers-wellformed': answers('rate-headers-wellformed'),
      'rate-limit-value': answers('rate-limit-value'),
    },
    faults: [...alike.values()].flatMap(together),
    isUndated: clock === null && samples.some(needsClock),
    refusals,
  };
}

/** Joins equal faults. One response counts once for a kind, whatever the number of headers that show it. */
function together(
  alike: readonly { readonly sample: Sample; readonly fault: RateFault }[],
): readonly Tallied[] {
  const [one] = alike;
  if (one === undefined) return [];
  const samples = new Set(alike.map(({ sample }) => sample));
  return [
    {
      count: samples.size,
      first: one.fault,
      statuses: [...new Set([...samples].map(({ status }) => status))].sort((least, most) => least - most),
      texts: [...new Set(alike.map(({ fault }) => fault.actual))].slice(0, MOST_NAMED),
    },
  ];
}

/** Under load a ban may come. Part 8 does not say what headers it has. */
const isJudged = (row: RateRow, sample: Sample): boolean =>
  showsRate(row, sample) && (row !== 'rate-headers-present' || !isForbidden(sample));
