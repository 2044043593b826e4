import type { OperationName } from '../../base/interface/types.js';
import type { Figures } from './bounds.js';
import type { Asked } from './plain/asked.js';
import type { Sample } from './sample.js';
import type { KeyName } from '../../base/interface/names.js';

/**
 * What load profiles record and the judges of this folder read: requests, times, responses. Every series
 * holds its samples in order of sending. Every request that may have reached the server has a sample (status
 * 0 without a complete response). All times are Unix ms of one monotonic clock. How a series is sent stands
 * with its experiment.
 */

/** A time in which the sending process stood still, Unix ms: it sent and read late. */
export interface Stall {
  readonly from: number;
  readonly to: number;
}

export type SeriesEnd =
  | 'refused'
  /** The profile sent its maximum (`burstCeiling`) without a 429. */
  | 'ceiling'
  /** No complete response: reset or timeout. */
  | 'transport'
  /** A status code that is neither a response of the operation nor 429, as 403 or 503. The last sample has it. */
  | 'unexpected-status'
  | 'interrupted';

/**
 * A request with another plan's key while the key of the series was exhausted. Only keys of different plans
 * compare: two keys of one plan may belong to one account.
 */
export interface OtherKeyProbe {
  readonly key: KeyName;
  readonly figures: Figures;
  /** Response to the other key before the burst began. */
  readonly before: Sample;
  /** Its next request, sent after the 429 came and before the exhausted key's window could end. */
  readonly during: Sample;
}

/** One burst to the first 429, inside one window if possible. Once Remaining is 0 it sends `refusalOperation`. */
export interface BurstSeries {
  readonly samples: readonly Sample[];
  readonly refusalOperation: OperationName;
  readonly end: SeriesEnd;
  /** Null without a 429 or another key. */
  readonly otherKey: OtherKeyProbe | null;
}

/** Requests after a 429: `retry` when its Retry-After is over, `resetRetry` after its Reset; null if not sent. */
export interface RecoverySeries {
  readonly refusal: Sample;
  /** 429 responses to this key in this run, with `refusal`. Above 1, a refused retry may be a legal ban. */
  readonly refusals: number;
  readonly retry: Sample | null;
  readonly resetRetry: Sample | null;
}

/** A burst that uses up the allowance except for a few requests, and then sends more than are left at once. */
export interface ConcurrentSeries {
  /** All requests. */
  readonly samples: readonly Sample[];
  /**
   * Those sent at once at the edge of the allowance, by round; each round follows the last response before
   * it.
   */
  readonly together: readonly (readonly Sample[])[];
  /** Most requests that may have been open at the same time. */
  readonly connections: number;
  readonly end: SeriesEnd;
}

/** Requests after two windows of silence: no earlier request can still count. */
export interface FreshSeries {
  /** Time from the last response before to the first request, ms. */
  readonly silentMs: number;
  readonly samples: readonly Sample[];
}

/**
 * Requests after the 429, on the sacrificial key only: `pushed` up to a ban, or the most that the target file
 * allows; then silence, and single requests in `watched` until the ban is over. `otherKey` was sent between
 * the two.
 */
export interface BanSeries {
  readonly pushed: readonly Sample[];
  /** Start of the last body in `pushed`, the ban's if there is one; null without a complete response. */
  readonly lastBody: string | null;
  readonly watched: readonly Sample[];
  readonly otherKey: OtherKeyProbe | null;
  /** Longest ban that the operator promises (`ban.maxSeconds`); null if not declared. */
  readonly declaredSeconds: number | null;
}

/** Paced requests below the minute's limit until the day's limit: to a 429 that no minute explains. */
export interface DayQuotaSeries {
  readonly samples: readonly Sample[];
  readonly end: SeriesEnd;
}

/** The allowance in two parts: all but the last immediately, the last late in the window. */
export interface SpreadSeries {
  readonly samples: readonly Sample[];
  /** One more request, a window after the first; null if it was not sent. */
  readonly last: Sample | null;
}

/** All data of one key. Experiments that did not run are null or empty. */
export interface KeySeries {
  readonly key: KeyName;
  readonly figures: Figures;
  /** True if the target file says that nobody else uses this key during the run. */
  readonly exclusive: boolean;
  /** Start of this run, Unix ms. Earlier use of the key by others is unknown. */
  readonly aloneSince: number;
  /** Times in which other programs held up the sender, as far as it noticed, in order. */
  readonly stalls: readonly Stall[];
  /**
   * Requests of this run with this key outside the series below (suites, preflight), oldest first. Those
   * older than two windows may be missing: a limiter remembers no more.
   */
  readonly earlier: readonly Sample[];
  /** What the plain questions sent, in order of sending; null if the key was driven otherwise. */
  readonly asked: readonly Asked[] | null;
  readonly burst: BurstSeries | null;
  /** In order of time; the first follows the burst. */
  readonly recoveries: readonly RecoverySeries[];
  readonly concurrent: ConcurrentSeries | null;
  /**
   * Bursts, each to its first 429 and begun when the 429 before allows it; the first is `burst`. Null without
   * more.
   */
  readonly window: readonly (readonly Sample[])[] | null;
  /** True if this key may draw out its first burst, to show whether a request extends its window. */
  readonly spreads: boolean;
  readonly spread: SpreadSeries | null;
  /** A burst to the first 429. */
  readonly fresh: FreshSeries | null;
  /** A steady run at 95 % of the plan, on a fixed schedule, which continues after a 429. */
  readonly steady: FreshSeries | null;
  /** Pairs of requests, one at once after the other, with silence of this run between the pairs. */
  readonly pauses: readonly Sample[] | null;
  readonly ban: BanSeries | null;
  readonly dayQuota: DayQuotaSeries | null;
}

/** Returns the key as the subject of a sentence. */
export const subject = (key: KeyName): string =>
  key === 'sacrificial' ? 'The sacrificial key' : `The ${key} plan`;

/** Returns the length of a plan's day, ms. */
export const dayMs = ({ daySeconds }: Figures): number => daySeconds * 1000;

/** The empty series of a key. Experiments replace its fields. */
export const NOTHING_RUN = {
  stalls: [],
  earlier: [],
  asked: null,
  burst: null,
  recoveries: [],
  concurrent: null,
  window: null,
  spreads: false,
  spread: null,
  fresh: null,
  steady: null,
  pauses: null,
  ban: null,
  dayQuota: null,
} as const satisfies Partial<KeySeries>;

/** True if a 429 had an Error body; null if its body was not read. */
export interface RefusalBody {
  readonly operation: OperationName;
  readonly error: boolean | null;
}

/** Data for `judgeLimits`. */
export interface LimitRecord {
  readonly keys: readonly KeySeries[];
  readonly refusalBodies: readonly RefusalBody[];
  /** Operations in scope: without `createPet` if writes are off, without `getPet` after its removal. */
  readonly operations: readonly OperationName[];
}
