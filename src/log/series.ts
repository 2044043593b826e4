import { isSuccess } from '../base/interface/success.js';
import type { Sample } from '../judge/limits/sample.js';
import type { KeyName, ProfileName } from '../base/interface/names.js';

export interface RemainingSeen {
  readonly first: number;
  readonly lowest: number;
  readonly highest: number;
  readonly last: number;
}

/** Responses within a moment of a series. In a long series, samples too close to draw apart share one. */
export interface Moment {
  /** Send times of the first and last response, Unix ms. */
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly served: number;
  readonly refused: number;
  /** Other status code, or no response. */
  readonly other: number;
  /** Limit and Remaining as plain numbers; null where never. */
  readonly limit: number | null;
  readonly remaining: RemainingSeen | null;
}

export interface Series {
  readonly profile: ProfileName;
  readonly plan: KeyName;
  readonly moments: readonly Moment[];
}

/** Most moments of a series: far more than a page is wide, and small in memory. */
export const MOST_MOMENTS = 16_384;
/** Resolution of times in the log, ms. */
const FINEST_MS = 0.01;

export type Moments = ReturnType<typeof gatherMoments>;

/** Collects at most `MOST_MOMENTS` moments; beyond that, merges neighbours. */
export function gatherMoments() {
  let widthMs = FINEST_MS;
  let moments = new Map<number, Moment>();

  const put = (into: Map<number, Moment>, moment: Moment): void => {
    const place = Math.floor(moment.answeredAt / widthMs);
    const before = into.get(place);
    into.set(place, before === undefined ? moment : together(before, moment));
  };
  const widen = (): void => {
    widthMs *= 2;
    const wider = new Map<number, Moment>();
    for (const moment of moments.values()) put(wider, moment);
    moments = wider;
  };

  return {
    add: (sample: Sample): void => {
      put(moments, momentOf(sample));
      while (moments.size > MOST_MOMENTS) widen();
    },
    /** In order of time. */
    all: (): readonly Moment[] =>
      [...moments.values()].sort((one, other) => one.answeredAt - other.answeredAt),
  };
}

/** Merges two moments; Remaining in order of responses. */
function together(one: Moment, other: Moment): Moment {
  const [before, after] = one.answeredAt <= other.answeredAt ? [one, other] : [other, one];
  return {
    sentAt: Math.min(before.sentAt, after.sentAt),
    answeredAt: after.answeredAt,
    served: before.served + after.served,
    refused: before.refused + after.refused,
    other: before.other + after.other,
    limit: after.limit ?? before.limit,
    remaining: inOneGo(before.remaining, after.remaining),
  };
}

function inOneGo(before: RemainingSeen | null, after: RemainingSeen | null): RemainingSeen | null {
  if (before === null || after === null) return after ?? before;
  return {
    first: before.first,
    lowest: Math.min(before.lowest, after.lowest),
    highest: Math.max(before.highest, after.highest),
    last: after.last,
  };
}

function momentOf({ sentAt, answeredAt, status, limit, remaining }: Sample): Moment {
  const served = isSuccess(status) ? 1 : 0;
  const refused = status === 429 ? 1 : 0;
  return {
    sentAt,
    answeredAt,
    served,
    refused,
    other: 1 - served - refused,
    limit: typeof limit === 'number' ? limit : null,
    remaining:
      typeof remaining === 'number'
        ? { first: remaining, lowest: remaining, highest: remaining, last: remaining }
        : null,
  };
}
