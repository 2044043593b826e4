import { onceEach } from '../../base/kernel/once-each.js';
import type { Stall } from '../../wire/exchange/stalls.js';
import type { OperationName } from '../../base/interface/types.js';
import type { Figures } from './bounds.js';
import type { Asked } from './asked.js';
import type { ServerClock } from './clock.js';
import { bySending, type Sample } from './sample.js';
import type { KeyName } from '../../base/interface/names.js';

/*
 * What load profiles record and the judges of this folder read. Every series holds its samples in order of
 * sending. Every request that may have reached the server has a sample (status 0 without a complete
 * response). All times are Unix ms of one monotonic clock.
 */

/** What ended the use of a day. */
export type SeriesEnd =
  | 'refused'
  /** More was sent than a day can allow, without a 429. */
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
interface OtherKeyProbe {
  readonly key: KeyName;
  readonly figures: Figures;
  /** Response to the other key before the burst began. */
  readonly before: Sample;
  /** Its next request, sent after the 429 came and before the exhausted key's window could end. */
  readonly during: Sample;
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
}

/** Paced requests below the minute's limit until the day's limit: to a 429 that no minute explains. */
export interface DayQuotaSeries {
  readonly samples: readonly Sample[];
  readonly end: SeriesEnd;
}

/** All data of one key. Experiments that did not run are null or empty. */
export interface KeySeries {
  readonly key: KeyName;
  readonly figures: Figures;
  /** True if the target file says that nobody else uses this key during the run. */
  readonly exclusive: boolean;
  /** Start of this run, Unix ms. Earlier use of the key by others is unknown. */
  readonly aloneSince: number;
  /**
   * Requests of this run with this key outside the series below (suites, preflight), oldest first. Those
   * older than two windows may be missing: a limiter remembers no more.
   */
  readonly earlier: readonly Sample[];
  /** What the plain questions sent, in order of sending; null if none was asked. */
  readonly asked: readonly Asked[] | null;
  /** Times in which this machine was held up during the load, oldest first. */
  readonly stalls: readonly Stall[];
  readonly ban: BanSeries | null;
  readonly dayQuota: DayQuotaSeries | null;
}

/** A key's series, and the server's clock; null if unknown. */
export interface KeyByClock {
  readonly key: KeySeries;
  readonly clock: ServerClock | null;
}

export const subject = (key: KeyName): string =>
  key === 'sacrificial' ? 'The sacrificial key' : `The ${key} plan`;

export const dayMs = ({ daySeconds }: Figures): number => daySeconds * 1000;

/** The empty series of a key. Experiments replace its fields. */
export const NOTHING_RUN = {
  earlier: [],
  asked: null,
  stalls: [],
  ban: null,
  dayQuota: null,
} as const satisfies Partial<KeySeries>;

/** True if a 429 had an Error body; null if its body was not read. */
export interface RefusalBody {
  readonly operation: OperationName;
  readonly error: boolean | null;
}

export interface LimitRecord {
  readonly keys: readonly KeySeries[];
  readonly refusalBodies: readonly RefusalBody[];
  /** Operations in scope: without `createPet` if writes are off, without `getPet` after its removal. */
  readonly operations: readonly OperationName[];
}

/** Returns all kept samples of one key, in order of sending: all but those that used up a day. */
export const samplesOf = onceEach((key: KeySeries): readonly Sample[] =>
  bySending([
    ...key.earlier,
    ...(key.asked ?? []),
    ...(key.ban === null ? [] : [...key.ban.pushed, ...key.ban.watched]),
  ]),
);

/** Returns all samples of one key with those that used up its day, in order of sending. */
export const daySamplesOf = onceEach((key: KeySeries): readonly Sample[] =>
  bySending([...samplesOf(key), ...(key.dayQuota?.samples ?? [])]),
);
