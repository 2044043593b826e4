import type { Sample } from '../limits/sample.js';
import type { KeyName, ProfileName } from '../contract/names.js';

/** What X-RateLimit-Remaining said within a moment. */
export interface RemainingSeen {
  readonly first: number;
  readonly lowest: number;
  readonly highest: number;
  readonly last: number;
}

/**
 * What was answered within a moment of a series. A short series has one for each of its samples; in a long one those that
 * lie closer together than any drawing can tell apart are one.
 */
export interface Moment {
  /** Sending of the first and last answer, Unix ms. */
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly served: number;
  readonly refused: number;
  /** Answered otherwise, or not at all. */
  readonly other: number;
  /** Limit and Remaining where they were plain numbers; null where they never were. */
  readonly limit: number | null;
  readonly remaining: RemainingSeen | null;
}

/** A piece of load as it was recorded, in the order of answers. */
export interface Series {
  readonly profile: ProfileName;
  readonly plan: KeyName;
  readonly moments: readonly Moment[];
}

/** Far more than a page is wide, and little to hold whatever the series is long. */
export const MOST_MOMENTS = 16_384;

/** As fine as a row of the log tells times, in ms. */
const FINEST_MS = 0.01;

/** The moments of a series, sample by sample. */
export interface Moments {
  readonly add: (sample: Sample) => void;
  /** In the order of time. */
  readonly all: () => readonly Moment[];
}

/** Gathers moments, at most `MOST_MOMENTS` of them: where there would be more, neighbours become one. */
export function gatherMoments(): Moments {
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
    add(sample) {
      put(moments, momentOf(sample));
      while (moments.size > MOST_MOMENTS) widen();
    },
    all: () => [...moments.values()].sort((one, other) => one.answeredAt - other.answeredAt),
  };
}

/** Two moments as one; Remaining in the order of the answers. */
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
  const served = status >= 200 && status < 300 ? 1 : 0;
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
