import type { OperationName } from '../../base/interface/types.js';
import type { Figures } from './bounds.js';
import type { Sample } from './sample.js';
import type { KeyName } from '../../base/interface/names.js';

/**
 * Data that load profiles record and the oracles of this folder judge. A series holds only facts: requests, times,
 * responses. The comments say what a sender does so that its series can be judged. If it cannot, it still returns the
 * series, and the oracle says `inconclusive`.
 *
 * Every series holds its samples in order of sending. Every request that may have reached the server has a sample
 * (status 0 without a complete response). All times are Unix ms of one monotonic clock.
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
 * A request with another plan's key while the key of the series was exhausted. Only keys of different plans compare:
 * two keys of one plan may belong to one account.
 */
export interface OtherKeyProbe {
  readonly key: KeyName;
  readonly figures: Figures;
  /** Response to the other key before the burst began. */
  readonly before: Sample;
  /** Its next request, sent after the 429 came and before the exhausted key's window could end. */
  readonly during: Sample;
}

/**
 * One burst to the first 429. The sender stays inside one window if it can (`burstStart`). Before the single part it
 * pauses (`pauseBeforeTail`), to show whether anything refills. There it sends three consecutive requests of every
 * operation. If the key `spreads`, it keeps the last of the allowance until `lastOfBurstAt`. Once Remaining is 0 it sends
 * `refusalOperation`. At `burstCeiling` without a 429 it sends every other operation once more: that distinguishes an
 * operation that is not counted from a limit that is not enforced. A status code that is no response of the operation
 * ends the burst too.
 */
export interface BurstSeries {
  readonly samples: readonly Sample[];
  readonly refusalOperation: OperationName;
  readonly end: SeriesEnd;
  /** Null without a 429 or another key. */
  readonly otherKey: OtherKeyProbe | null;
}

/**
 * Requests after the first 429. `retry` is sent at `retryAt`: exactly Retry-After later, and less than 1 s more; null
 * if the profile could not send it. `resetRetry` is sent at `resetRetryAt`; null if that is null. If Reset is well
 * before the end of Retry-After, only the recovery after the concurrent burst can judge it. There `resetRetry` is sent
 * first, then `retry`. If `retry` succeeds, a 429 to `resetRetry` was no ban.
 */
export interface RecoverySeries {
  readonly refusal: Sample;
  /** 429 responses to this key in this run, with `refusal`. Above 1, a refused retry may be a legal ban. */
  readonly refusals: number;
  readonly retry: Sample | null;
  readonly resetRetry: Sample | null;
}

/**
 * A burst after the recovery is judged, sent at `nextBurstAt`. It uses up the allowance but for a few requests, then
 * sends more than are left at once, on as many open connections: a limiter that reads its counter before it writes it
 * allows all of them. It sends at least 110 % of the limit, or stops at the first 429 (`end` is `refused`). Past the
 * edge the operations take turns, so that each gets a 429.
 */
export interface ConcurrentSeries {
  /** All requests. */
  readonly samples: readonly Sample[];
  /** Those sent at once at the edge of the allowance, by round; each round follows the last response before it. */
  readonly together: readonly (readonly Sample[])[];
  /** Most requests that may have been open at the same time. */
  readonly connections: number;
  readonly end: SeriesEnd;
}

/**
 * One more burst to the first 429, after two windows of silence: no earlier request can still count. It runs if the
 * earlier bursts got nearly all (`gotNearlyAll`), and before a steady run, which at 95 % would miss a small loss. Its
 * last part follows a pause (`pauseForRefills`), to show whether anything refills.
 */
export interface FreshSeries {
  /** Time from the last response before to the first request, ms. */
  readonly silentMs: number;
  readonly samples: readonly Sample[];
}

/**
 * Requests after the 429, on the sacrificial key only. `pushed` is the burst to the first 429, and more at a bounded
 * rate until a ban (`banBegan`) or the maximum. Then silence until `banProbeAt`, and single requests in `watched` until
 * one succeeds or the deadline passes. `otherKey` is a probe with another key, between the start of the ban and the
 * first of `watched`; null without one.
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

/**
 * Paced requests below the minute's limit until the day's limit: to a 429 that no minute explains, or to `dayCeiling`.
 * A few 429s of the minute are waited out.
 */
export interface DayQuotaSeries {
  readonly samples: readonly Sample[];
  readonly end: SeriesEnd;
}

/**
 * The allowance in parts: all but the last immediately, a window after anything earlier. The last follows after more
 * than half a window (`lastOfSpreadAt`). If no 429 came, one more request follows a window after the first
 * (`servedAfterSpreadAt`). It runs if `needsSpread`.
 */
export interface SpreadSeries {
  /** All but the last request. */
  readonly samples: readonly Sample[];
  /** The last request; null if it was not sent. */
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
   * Requests of this run with this key outside the series below (suites, preflight), oldest first. Those older than two
   * windows may be missing: a limiter remembers no more.
   */
  readonly earlier: readonly Sample[];
  readonly burst: BurstSeries | null;
  /** In order of time; the first follows the burst. */
  readonly recoveries: readonly RecoverySeries[];
  readonly concurrent: ConcurrentSeries | null;
  /**
   * Bursts, each to its first 429, each begun when the 429 before allows it (`burstsAgain`). The first is that of
   * `BurstSeries`; the second begins with the first recovery's success. Null if none followed.
   */
  readonly window: readonly (readonly Sample[])[] | null;
  /** True if this key runs the spread experiment (does a request extend the window?). */
  readonly spreads: boolean;
  readonly spread: SpreadSeries | null;
  readonly fresh: FreshSeries | null;
  /**
   * A steady run at 95 % of the plan, open loop, on a fixed schedule (`steadyPlan`), after two windows of silence. It
   * continues after a 429 and ends early only after three in a row.
   */
  readonly steady: FreshSeries | null;
  readonly ban: BanSeries | null;
  readonly dayQuota: DayQuotaSeries | null;
}

/** Returns the key as the subject of a sentence. */
export const subject = (key: KeyName): string => (key === 'sacrificial' ? 'The sacrificial key' : `The ${key} plan`);

/** Returns the length of a plan's day, ms. */
export const dayMs = ({ daySeconds }: Figures): number => daySeconds * 1000;

/** The empty series of a key. Experiments replace its fields. */
export const NOTHING_RUN = {
  stalls: [],
  earlier: [],
  burst: null,
  recoveries: [],
  concurrent: null,
  window: null,
  spreads: false,
  spread: null,
  fresh: null,
  steady: null,
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
