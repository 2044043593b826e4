import type { CapacityPhaseRecord } from '../log/capacity-record.js';
import type { StallMeter } from './health.js';

/** A time in which a closed loop waited and no response came, ms from the start of its phase. */
export type Gap = NonNullable<CapacityPhaseRecord['gaps']>[number];

/** The end of responses before the end of a phase. */
export type Stopped = NonNullable<CapacityPhaseRecord['stopped']>;

type Stalls = Pick<StallMeter, 'unreadIn'>;

/** Shortest time without a response that is a gap, ms: garbage collection and retransmissions stay below. */
const LEAST_GAP_MS = 200;
/** A gap is longer than this many medians of the latency: a slow server has long times between responses. */
const MEDIANS = 10;
/** Most gaps of a record, the longest ones: more than one in ten seconds of a day. */
const MOST_GAPS = 10_000;
/** Requests without a response in a row that are more than an accident. */
const LEAST_FAILED = 3;

/** A target that gives no response for this long, ms, to this many requests in a row, is gone. */
const GONE_MS = 3000;
const LEAST_GONE = 5;

interface EndOfPhase {
  /** End of the phase's own time, Unix ms. */
  readonly endAt: number;
  /** Time until which it sent, Unix ms: earlier than `endAt` if nothing was left to send or nothing answered. */
  readonly sentUntil: number;
  /** Median latency of its responses, ms; null without any. */
  readonly medianMs: number | null;
  readonly isClosed: boolean;
}

/** Watches when responses come in a phase. Times are Unix ms; `stalls` are those of this process. */
export function watchSilence(startAt = 0) {
  let last: number | null = null;
  let hasAnswered = false;
  let failed = 0;
  /** Failed requests that were sent after the last response. */
  let unanswered = 0;
  let failing: { readonly since: number; readonly cause: string } | null = null;
  let gaps: Gap[] = [];
  const gapUntil = (at: number, stalls: Stalls): Gap | null => {
    if (last === null || at - last < LEAST_GAP_MS) return null;
    const ms = at - last - stalls.unreadIn(last, at);
    return ms < LEAST_GAP_MS ? null : { atMs: Math.round(at - ms - startAt), ms: Math.round(ms) };
  };
  /** Returns since when nothing answered, of requests of which the first was sent at a time. */
  const silentSince = (sentAt: number): number => (hasAnswered ? Math.max(sentAt, last ?? sentAt) : sentAt);
  const silentFrom = (isClosed: boolean, endAt: number): number => {
    if (failing === null) return endAt;
    return isClosed ? (last ?? failing.since) : silentSince(failing.since);
  };
  return {
    /** Notes that a request departs: waiting begins with the first. */
    sent(at: number): void {
      last ??= at;
    },
    /** Notes a complete response. */
    answered(at: number, stalls: Stalls): void {
      const gap = gapUntil(at, stalls);
      if (gap) gaps.push(gap);
      if (gaps.length >= 2 * MOST_GAPS) gaps = longest(gaps);
      last = at;
      hasAnswered = true;
      failed = 0;
      unanswered = 0;
      failing = null;
    },
    /**
     * Notes that a request, sent or tried at a time, will get no complete response. Its timeout comes long
     * after it was sent, when later requests may have been answered.
     */
    failed(since: number, cause: string): void {
      failed += 1;
      if (!hasAnswered || since >= (last ?? since)) unanswered += 1;
      failing = { since: Math.min(since, failing?.since ?? since), cause };
    },
    /** Is true if nothing has answered for so long that going on is useless. */
    isGone: (at: number): boolean =>
      failing !== null && unanswered >= LEAST_GONE && at - silentSince(failing.since) >= GONE_MS,
    record({ endAt, sentUntil, medianMs, isClosed }: EndOfPhase, stalls: Stalls) {
      const least = Math.max(LEAST_GAP_MS, (medianMs ?? 0) * MEDIANS);
      // Connections that all wait send nothing new; an open loop goes on, and is answered.
      const isStopped = failing !== null && (isClosed ? failed : unanswered) >= LEAST_FAILED;
      const end = gapUntil(isStopped ? endAt : Math.min(endAt, sentUntil), stalls);
      const from = silentFrom(isClosed, endAt);
      const stopped: Stopped | null =
        isStopped && endAt - from >= least
          ? {
              afterMs: hasAnswered ? Math.max(0, Math.round(from - startAt)) : 0,
              ofMs: Math.round(endAt - startAt),
              failed,
              cause: failing?.cause ?? '',
            }
          : null;
      const all = longest([...gaps, ...(end ? [end] : [])].filter(({ ms }) => ms >= least));
      return { ...(isClosed && { gaps: all }), ...(stopped && { stopped }) };
    },
  };
}

/** Returns the longest gaps in order of time. */
const longest = (gaps: readonly Gap[]): Gap[] =>
  gaps
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, MOST_GAPS)
    .toSorted((one, other) => one.atMs - other.atMs);

/** A sender's gaps in order of time, and when it was done with sending, ms from the start of its phase. */
interface Sender {
  readonly gaps: readonly Gap[];
  readonly doneMs: number;
}

/**
 * Returns the times in which none of several senders got a response. One that is done, or had no connection,
 * gets none for the rest of the phase. Pure.
 */
export function commonGaps(senders: readonly Sender[]): readonly Gap[] {
  const endMs = Math.max(0, ...senders.map(({ doneMs }) => doneMs));
  const [first = [], ...others] = senders.map((sender) => withRest(sender, endMs));
  return others.reduce((common, gaps) => overlaps(common, gaps), first);
}

/** Times of a gap are rounded, ms. */
const ROUNDING_MS = 2;

function withRest({ gaps, doneMs }: Sender, endMs: number): readonly Gap[] {
  const last = gaps.at(-1);
  const isLast = last !== undefined && last.atMs + last.ms >= doneMs - ROUNDING_MS;
  const atMs = isLast ? last.atMs : doneMs;
  const ms = Math.max(endMs - atMs, isLast ? last.ms : 0);
  return ms < LEAST_GAP_MS ? gaps : [...(isLast ? gaps.slice(0, -1) : gaps), { atMs, ms }];
}

function overlaps(ones: readonly Gap[], others: readonly Gap[]): readonly Gap[] {
  const common: Gap[] = [];
  let [at, of] = [0, 0];
  for (let one = ones[at], other = others[of]; one && other; one = ones[at], other = others[of]) {
    const [oneEnd, otherEnd] = [one.atMs + one.ms, other.atMs + other.ms];
    const from = Math.max(one.atMs, other.atMs);
    const ms = Math.min(oneEnd, otherEnd) - from;
    if (ms >= LEAST_GAP_MS) common.push({ atMs: from, ms });
    if (oneEnd <= otherEnd) at += 1;
    else of += 1;
  }
  return common;
}
