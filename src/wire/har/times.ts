import { DAY_MS } from '../../base/kernel/day.js';
import type { ExchangeTimes } from '../exchange/client-exchange.js';
import { at, numberAt, recordAt, type Loose } from './loose.js';

/**
 * Times of an entry as written. Unix ms with a fraction; later moments in the unit of the file, which shows
 * at its end.
 */
export interface HarSpan {
  readonly startedAt: number;
  /** True if the digits of the start's fraction are all 0. */
  readonly isWholeSecond: boolean;
  /** From start to first byte, and to the end; null where unknown. */
  readonly firstByte: number | null;
  readonly time: number;
}

/**
 * Phases before the first byte of a response. `ssl` may be part of `connect`; counting both errs in the
 * client's favour.
 */
const BEFORE_FIRST_BYTE = ['blocked', 'dns', 'connect', 'ssl', 'send', 'wait'];
/** Phases without which the first byte cannot be placed. -1 in others means that they did not take place. */
const NEEDED = ['blocked', 'send', 'wait'];

/**
 * Returns the times of an entry; null without a usable start and length. No client waits a day for a
 * response, and none gets one in no time: Safari writes 0 for a length that it does not know.
 */
export function spanOf(entry: Loose): HarSpan | null {
  const started = startOf(at(entry, 'startedDateTime'));
  const timings = recordAt(entry, 'timings');
  const phases = [...BEFORE_FIRST_BYTE, 'receive'].map((name) => Math.max(0, numberAt(timings, name) ?? 0));
  const sum = phases.reduce((total, phase) => total + phase, 0);
  const time = numberAt(entry, 'time');
  if (started === null || time === null || time < 0) return null;
  const length = Math.max(time, sum);
  if (length === 0 || length > DAY_MS) return null;
  // A browser's own queue may be negative.
  const isPlaced = NEEDED.every((name) => numberAt(timings, name) !== null && numberAt(timings, name) !== -1);
  const beforeFirst = sum - (phases.at(-1) ?? 0);
  return {
    ...started,
    firstByte: isPlaced ? beforeFirst : null,
    time: length,
  };
}

function startOf(written: unknown): Pick<HarSpan, 'startedAt' | 'isWholeSecond'> | null {
  const text = typeof written === 'string' ? written : null;
  const moment = text === null ? Number.NaN : Date.parse(text);
  if (text === null || Number.isNaN(moment)) return null;
  const fraction = /:\d{2}[.,](\d+)/.exec(text)?.[1] ?? '';
  return { startedAt: moment, isWholeSecond: /^0*$/.test(fraction) };
}

interface HarClock {
  /** By how much starts may be wrong, ms. Whole seconds show no wait, nor does a clock that ran back. */
  readonly resolutionMs: 1 | 1000;
  /** Factor from the file's lengths to ms: 1000 for a recorder that writes seconds. */
  readonly unit: 1 | 1000;
  /** False if the starts say nothing: all are equal. */
  readonly isUsable: boolean;
}

/** Fewest entries from which equal starts cannot be chance. */
const FEWEST = 3;
/** Longest length that is read as seconds: clients give up by then. */
const LONGEST_SECONDS = 60;
/**
 * Most decimals of a length in seconds, as Python writes it; milliseconds of other recorders have at most
 * three, or many more.
 */
const DECIMALS = { least: 4, most: 6 };

/**
 * Learns the resolution and unit of a file's times from its entries, and keeps none of them. Starts that are
 * all whole seconds are exact to a second. Recorders write entries as they start or as they end, or the
 * newest first: where some lie wholly before and some wholly after the one written before, the clock ran
 * back.
 */
export function clockReader() {
  let [count, firstStart] = [0, 0];
  let [isCoarse, isEqual] = [true, true];
  let [longest, decimals] = [0, 0];
  let previous: HarSpan | null = null;
  let [goesOn, goesBack] = [false, false];
  return {
    /** Takes the times of the client's requests, in the order of the file. */
    follow(span: HarSpan): void {
      goesOn ||= previous !== null && previous.startedAt + previous.time < span.startedAt;
      goesBack ||= previous !== null && span.startedAt + span.time < previous.startedAt;
      previous = span;
    },
    add({ startedAt, isWholeSecond, time }: HarSpan): void {
      if (count === 0) firstStart = startedAt;
      count += 1;
      isCoarse &&= isWholeSecond;
      isEqual &&= startedAt === firstStart;
      longest = Math.max(longest, time);
      decimals = Math.max(decimals, String(time).split('.')[1]?.length ?? 0);
    },
    clock(): HarClock {
      // Some recorders write lengths in seconds. Seconds err in the client's favour.
      const isInSeconds =
        longest < LONGEST_SECONDS && decimals >= DECIMALS.least && decimals <= DECIMALS.most;
      return {
        resolutionMs: isCoarse || (goesOn && goesBack) ? 1000 : 1,
        unit: isInSeconds ? 1000 : 1,
        isUsable: count < FEWEST || !isEqual,
      };
    },
  };
}

/** An unknown first byte came at the end, at the latest. */
export function timesOf(span: HarSpan | null, { resolutionMs, unit, isUsable }: HarClock): ExchangeTimes {
  if (span === null || !isUsable) return { kind: 'unknown' };
  const { startedAt, firstByte, time } = span;
  const endedAt = startedAt + time * unit;
  return {
    kind: 'client',
    startedAt,
    firstByteAt: firstByte === null ? endedAt : Math.min(startedAt + firstByte * unit, endedAt),
    endedAt,
    resolutionMs,
  };
}
