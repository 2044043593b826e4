import type { OperationName } from '../contract/types.js';
import type { Day } from './day.js';
import type { Sample } from './sample.js';
import type { KeyName } from '../contract/names.js';

/**
 * What the load profiles record and the oracles of this folder judge. A series holds facts only: what was sent, when,
 * and what came back. The comments say what a sender has to do for its series to be judgeable; where it cannot, it
 * still hands the series over, and the oracle says `inconclusive`.
 *
 * For every series: samples stand in the order of sending, every request that may have reached the server has its
 * sample (status 0 where no whole answer came), and all times are Unix milliseconds of one monotonic clock.
 */

/** A plan's allowance and the length of the windows it is counted in (60 and 86,400 s but for test servers). */
export interface Figures {
  /** L: requests a minute. */
  readonly perMinute: number;
  /** D: requests a day. */
  readonly perDay: number;
  /** W: what this target calls a minute, in seconds. */
  readonly minuteSeconds: number;
  /** What this target calls a day, in seconds. */
  readonly daySeconds: number;
}

/** A time in which the process that sends stood still: what was due in it was late, and what came in it was read late. Unix ms. */
export interface Stall {
  readonly from: number;
  readonly to: number;
}

/** How a profile came to its end. */
export type SeriesEnd =
  /** The first 429. */
  | 'refused'
  /** As many as the profile may send (`burstCeiling`), and never refused. */
  | 'ceiling'
  /** No whole answer: reset, timeout. */
  | 'transport'
  /** A status that is neither an answer of the operation nor 429 (403, 503): the last sample has it. */
  | 'unexpected-status'
  | 'interrupted';

/**
 * One answer to another plan's key while the key of the series was exhausted. Only the plans' keys may be compared:
 * two keys of one plan may belong to one account.
 */
export interface OtherKeyProbe {
  readonly key: KeyName;
  readonly figures: Figures;
  /** The last answer that the other key got before the burst began; null when it was never asked. */
  readonly before: Sample | null;
  /** Requests sent with the other key after `before` and up to `during`, `during` counted in, `before` not. */
  readonly ownSince: number;
  /** Sent after the refusal was answered and before the exhausted key's window could be over. */
  readonly during: Sample;
}

/**
 * The allowance asked for, to the first refusal and no further.
 *
 * The sender
 * - starts with a single request and reads its Reset: when the window ends before the burst can (`burstStart`), it waits
 *   for it;
 * - pauses before the single part for as long as `pauseBeforeTail` says, so that it can be told whether anything refills;
 * - sends quickly, on as many connections as `connectionsFor` says, up to a few below what Remaining promises, and the
 *   rest singly, each after the answer to the one before;
 * - sends three requests of every operation in the single part, the three one after the other, before the last of the
 *   allowance is used (`tailLength` says how long the single part must be);
 * - keeps the last of the allowance, where the key `spreads`, until `lastOfBurstAt`;
 * - lets the first refusal fall to `refusalOperation`: from the moment that Remaining says 0 it sends that operation;
 * - when `burstCeiling` is reached without a refusal, sends every other operation once more (so that an operation that is
 *   not counted is told from a limit that is not kept), and ends with `ceiling`;
 * - ends at the first 429, and at the first status that is no answer of the operation.
 */
export interface BurstSeries {
  readonly samples: readonly Sample[];
  readonly refusalOperation: OperationName;
  readonly end: SeriesEnd;
  readonly otherKeys: readonly OtherKeyProbe[];
}

/**
 * What came after the first refusal. `retry` is sent when `retryAt` says so: exactly the Retry-After, and less than 1 s
 * more, after the refusal was answered; null when the profile could not send it. `resetRetry` is sent when `resetRetryAt`
 * says so, null where that says null. Where Reset lies well before the end of Retry-After, only the recovery after the concurrent burst
 * can judge it: there `resetRetry` is sent first, and `retry` when Retry-After lets the client back (served then, it was
 * not for a ban that the first was refused).
 */
export interface RecoverySeries {
  /** The last 429 that was answered before. */
  readonly refusal: Sample;
  /** 429s that this key got in this run, `refusal` counted in. Above 1, a refused retry may be a legal ban. */
  readonly refusals: number;
  readonly retry: Sample | null;
  readonly resetRetry: Sample | null;
}

/**
 * More than the allowance asked for at once, after the recovery was judged: `asked` is at least the allowance and a
 * tenth, or what was sent by the first refusal, where the sender stops (`end` is `refused`); with the operations in turn
 * at the end, so that each of them is refused at least once; no request waits for the answer to another. Sent when
 * `nextBurstAt` says so.
 */
export interface ConcurrentSeries {
  readonly samples: readonly Sample[];
  readonly connections: number;
  readonly end: SeriesEnd;
}

/**
 * Bursts, each to its first refusal, each begun when the refusal before let the client back (`burstsAgain` decides). The
 * first is the burst of `BurstSeries`, the second begins with the retry of the first recovery, at once where
 * `refillsMeanwhile` says so and after `resetRetry` else. Null where `burstsAgain` says null from the start. Before the concurrent burst, `nextBurstAt` is then asked
 * with null for the retry: a window of silence.
 */
export interface WindowSeries {
  readonly bursts: readonly (readonly Sample[])[];
}

/**
 * 95 % of the plan, open loop, on an absolute schedule (`steadyPlan`), after two windows without any request. It goes on
 * after a 429, and ends early only after three refusals in a row.
 */
export interface SteadySeries {
  /** From the last answer before to the first request, in ms. */
  readonly silentMs: number;
  /** Between two requests of the schedule, in ms. */
  readonly gapMs: number;
  readonly samples: readonly Sample[];
  readonly end: SeriesEnd;
}

/**
 * The allowance asked for once more, to the first refusal, after two windows without any request: nothing sent before can
 * still count, whatever the algorithm. Sent where the bursts before got nearly all (`gotNearlyAll`), and before a steady
 * run, which at 95 % would not notice what is missing. The last of it is sent after a pause (`pauseForRefills`), so that
 * it can be told whether anything refills.
 */
export interface FreshSeries {
  /** From the last answer before to the first request, in ms. */
  readonly silentMs: number;
  readonly samples: readonly Sample[];
}

/**
 * Requests sent on after the 429, on the sacrificial key only. `pushed` begins with the burst to the first 429 and goes
 * on, at a bounded rate, until `banBegan` says that a ban is there or the number is used up. Then silence until
 * `banProbeAt`, and single requests from there, in `watched`, the last of which is served or sent after the deadline.
 * `otherKeys` are answers to another key, sent between the beginning of the ban and the first of `watched`.
 */
export interface BanSeries {
  readonly pushed: readonly Sample[];
  /** The beginning of the last of their bodies, which is the ban's where one began; null where no whole answer came. */
  readonly lastBody: string | null;
  readonly watched: readonly Sample[];
  readonly otherKeys: readonly OtherKeyProbe[];
  /** The longest ban that the operator promises (target file, `ban.maxSeconds`), null when none is declared. */
  readonly declaredSeconds: number | null;
}

/**
 * Paced under the minute's limit until the day's allowance ends: to the 429 that no minute explains, or `dayCeiling`. A 429
 * for the minute's sake is waited out a few times. A day has more requests than are worth keeping: each is looked at in
 * the order of sending, and what the rows have to know of it is kept. `course` holds what went before with the key as
 * well, in this run and in an interrupted one; `answers` what the interrupted one sent; `clock` neither, since another
 * process took its times.
 */
export interface DayQuotaSeries extends Day {
  readonly end: SeriesEnd;
}

/**
 * The allowance spread: all of it but the last at once, a window after whatever came before; the last after more than half
 * of a window (`lastOfSpreadAt`); and, without any refusal between, one request a window after the first
 * (`servedAfterSpreadAt`). Sent where `needsSpread` says so.
 */
export interface SpreadSeries {
  /** All but the request at the end. */
  readonly samples: readonly Sample[];
  /** The request at the end; null where it was not sent. */
  readonly last: Sample | null;
}

/** All that was recorded with one key. What was not run is null or empty. */
export interface KeySeries {
  readonly key: KeyName;
  readonly figures: Figures;
  /** The target file says that nobody else uses this key during the run. */
  readonly exclusive: boolean;
  /** When this run began: what others did with the key before is unknown. Unix ms. */
  readonly aloneSince: number;
  /** When the sender was held up by other programs, as far as it noticed, in order. */
  readonly stalls: readonly Stall[];
  /**
   * Requests of this run with this key that belong to no series below (suites, preflight), oldest first. A limiter
   * remembers two windows: older ones may be left out.
   */
  readonly earlier: readonly Sample[];
  readonly burst: BurstSeries | null;
  /** In the order in which they happened; the first follows the burst. */
  readonly recoveries: readonly RecoverySeries[];
  readonly concurrent: ConcurrentSeries | null;
  readonly window: WindowSeries | null;
  /** Whether this key is to show that no request renews the time for which others count. */
  readonly spreads: boolean;
  readonly spread: SpreadSeries | null;
  readonly fresh: FreshSeries | null;
  readonly steady: SteadySeries | null;
  readonly ban: BanSeries | null;
  readonly dayQuota: DayQuotaSeries | null;
}

/** The series of a key that was sent nothing: what was run takes the place of what stands here. */
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

/** Whether a 429 had an Error body: null where its body was not looked at. */
export interface RefusalBody {
  readonly key: KeyName;
  readonly operation: OperationName;
  readonly error: boolean | null;
}

/** What `judgeLimits` reads. */
export interface LimitRecord {
  readonly keys: readonly KeySeries[];
  readonly refusalBodies: readonly RefusalBody[];
  /** The operations in scope: without `createPet` where writes are off, without `getPet` after its removal. */
  readonly operations: readonly OperationName[];
}
