import { mayHaveRefilled, minuteMs, refilled, refillIntervalMs, worstSpan } from './bounds.js';
import { samplesOf, type KeySeries } from './series.js';
import { describesDay, describesMinute, countWhile, leftBy, type Sample, wasRefused, wasServed } from './sample.js';
import { unixReset } from './headers/header-number.js';
import { beginsFresh, windowsSeen } from './windows-seen.js';
import { count, duration } from '../../base/kernel/format.js';
import { nothingRefills } from './refill.js';
import { readRetryAfter } from './headers/retry-after.js';

/** Requests and responses of one key, in order of sending. */
type Trace = ReturnType<typeof traceOf>;

/** Returns a key's trace: allowed requests and 429s of the minute. */
export function traceOf(key: KeySeries) {
  const { figures, aloneSince } = key;
  const samples = samplesOf(key).filter(
    (sample) => wasServed(sample) || (wasRefused(sample) && !describesDay(sample, figures)),
  );
  const served = samples.filter(wasServed);
  const [first] = samples;
  const fresh = first !== undefined && beginsFresh(first, figures);
  // Others' use of two windows counts in some algorithm.
  const knownSince = fresh ? -Infinity : aloneSince + 2 * minuteMs(figures);
  const sent = ascending(served.map(({ sentAt }) => sentAt));
  const answered = ascending(served.map(({ answeredAt }) => answeredAt));
  return {
    figures,
    samples,
    served,
    /** 429s of the minute that an algorithm has to explain: all that counts before them is known. */
    refusals: samples.filter((sample) => wasRefused(sample) && sample.sentAt >= knownSince),
    /** Number of allowed requests that were certainly counted after `from` and before `to`. */
    surely: (from: number, to: number): number => Math.max(0, upTo(answered, to) - upTo(sent, from)),
    /** Number that may have been. */
    possibly: (from: number, to: number): number => Math.max(0, upTo(sent, to) - upTo(answered, from)),
  };
}

const ascending = (times: readonly number[]): readonly number[] => times.toSorted((one, other) => one - other);

/** Number of ascending `times` that are at most `time`. */
const upTo = (times: readonly number[], time: number): number => countWhile(times, (each) => each <= time);

/** Describes a response that an algorithm cannot have given; null if it explains all of them. */
type Misfit = (trace: Trace) => string | null;

/** Number of phases to try for a clock-aligned window. */
const PHASES = 60;

/** Tries phases all over a window, by the start of the window of a time. Null if one fits, else the last misfit. */
function anyPhase({ figures }: Trace, misfitAt: (startOf: (time: number) => number) => string | null): string | null {
  const window = minuteMs(figures);
  let misfit: string | null = null;
  for (let place = 0; place < PHASES; place += 1) {
    const phase = (place / PHASES) * window;
    misfit = misfitAt((time) => Math.floor((time - phase) / window) * window + phase);
    if (misfit === null) return null;
  }
  return misfit;
}

/** Describes a 429 before the limit was used up since `startOf`. */
function refusedEarly(
  { refusals, possibly, figures }: Trace,
  startOf: (refusal: Sample) => number,
  where = 'in the window',
): string | null {
  for (const refusal of refusals) {
    const used = possibly(startOf(refusal), refusal.answeredAt);
    if (used < figures.perMinute) return `sent 429 after only ${count(used)} requests ${where}`;
  }
  return null;
}

/** Reset is rounded up; `Date` is rounded down and sometimes stale. */
const ROUNDED_S = { early: 1.5, late: 3.5 };

/**
 * Finds a first response of a window that puts Reset not a window ahead: then the clock began the window. First is one
 * whose Remaining is one less than the limit.
 */
function beginsLate({ served, figures }: Trace): string | null {
  const isLate = served.some((sample) => {
    const reset = unixReset(sample.reset);
    if (reset === null || sample.date === null || leftBy(sample, figures) !== figures.perMinute - 1) return false;
    const beyondS = (reset - sample.date) / 1000 - figures.minuteSeconds;
    return beyondS < -ROUNDED_S.early || beyondS > ROUNDED_S.late;
  });
  return isLate ? "set Reset less than a window after the window's first request" : null;
}

/** Most values of a fixed Reset within one window, with rounding up and down. */
const MOST_RESETS = 3;

/** Finds a Reset that moves with the requests within one window, as in a bucket or a log. */
function movesReset({ samples, figures }: Trace): string | null {
  const isMoved = windowsSeen(samples, figures).pieces.some(({ samples: piece }) => {
    const until = (piece[0]?.sentAt ?? 0) + minuteMs(figures) / 2;
    const near = piece.filter((sample) => describesMinute(sample, figures) && sample.sentAt < until);
    return new Set(near.map(({ reset }) => reset)).size > MOST_RESETS;
  });
  return isMoved ? 'moved Reset with the requests' : null;
}

/** Starts of the windows. A window starts when its first request is sent; the next starts W later or more. */
function windowStarts({ figures, samples }: Trace): readonly number[] {
  const starts: number[] = [];
  for (const sample of samples) {
    const start = starts.at(-1);
    if (start === undefined || (wasServed(sample) && sample.answeredAt >= start + minuteMs(figures)))
      starts.push(sample.sentAt);
  }
  return starts;
}

/** Allows the limit in a window that begins with the first of its requests. */
function fixedWindow(trace: Trace): string | null {
  const { figures, surely } = trace;
  const starts = windowStarts(trace);
  for (const [index, start] of starts.entries()) {
    const within = surely(start - 1, Math.min(starts[index + 1] ?? Infinity, start + minuteMs(figures)));
    if (within > figures.perMinute) return `allowed ${count(within)} requests in one window`;
  }
  return refusedEarly(trace, ({ sentAt }) => (starts.findLast((start) => start <= sentAt) ?? sentAt) - 1);
}

/** Allows the limit in a window between two edges of the clock. */
const calendarWindow: Misfit = (trace) =>
  anyPhase(trace, (startOf) => {
    const { figures, samples, surely } = trace;
    const window = minuteMs(figures);
    // The phase is exact only up to the distance of two tries: a request so near an edge may be on either side.
    const blur = window / PHASES;
    const first = samples[0]?.sentAt ?? 0;
    for (let start = startOf(first); start <= (samples.at(-1)?.answeredAt ?? first); start += window) {
      const within = surely(start + blur, start + window - blur);
      if (within > figures.perMinute) return `allowed ${count(within)} requests in one clock-aligned window`;
    }
    return refusedEarly(trace, ({ sentAt }) => startOf(sentAt) - blur);
  });

/** Allows the limit in the window before each request. */
function slidingLog(trace: Trace): string | null {
  const { figures, served, surely } = trace;
  const window = minuteMs(figures);
  for (const { sentAt, answeredAt } of served) {
    const used = surely(answeredAt - window, sentAt);
    if (used >= figures.perMinute) return `allowed ${count(used + 1)} requests within one window`;
  }
  return refusedEarly(trace, ({ sentAt }) => sentAt - window, 'in the window before');
}

/** Requests of slack, for rounding the share of the previous window. */
const SHARE_ROUNDING = 1;

/** Counts two windows of the clock; the older weighs as much as is left of it. */
const slidingCounter: Misfit = (trace) =>
  anyPhase(trace, (startOf) => {
    const { figures, served, refusals, surely, possibly } = trace;
    const window = minuteMs(figures);
    const blur = window / PHASES;
    // A phase that is slightly off gives the previous window slightly more or less weight.
    const tolerance = SHARE_ROUNDING + figures.perMinute / PHASES;
    const inUse = (used: number): string => `with ${count(used)} of ${count(figures.perMinute)} in use`;
    for (const { sentAt, answeredAt } of served) {
      const start = startOf(sentAt);
      if (answeredAt + blur >= start + window || sentAt - blur <= start) continue;
      const weight = 1 - (answeredAt - start) / window;
      const used = surely(start - window + blur, start - blur) * weight + surely(start + blur, sentAt);
      if (used >= figures.perMinute + tolerance) return `allowed a request ${inUse(used)}`;
    }
    for (const { sentAt, answeredAt } of refusals) {
      const start = startOf(sentAt);
      const weight = 1 - (sentAt - start) / window;
      const used = possibly(start - window - blur, start + blur) * weight + possibly(start - blur, answeredAt);
      if (used < figures.perMinute - tolerance) return `sent 429 ${inUse(used)}`;
    }
    return null;
  });

/** Requests of slack, for rounding and for timers of whole milliseconds. */
const BUCKET_SLACK = 2;
/** Slack for a wait in whole seconds: servers round it up, some twice. */
const WAIT_ROUNDED_S = 2;

/**
 * A token bucket of any size up to the plan's limit, filled at the plan's rate. GCRA counts a theoretical arrival time
 * in place of tokens; a client cannot see the difference.
 */
function bucket({ figures, samples, served, refusals }: Trace): string | null {
  const worst = worstSpan(served, 1 / refillIntervalMs(figures));
  // Smallest burst that the limiter must allow to explain all allowed requests.
  const held = worst === null ? 0 : worst.count - mayHaveRefilled(figures, worst.to - worst.from);
  if (held > figures.perMinute) return `allowed ${count(held)} requests besides refills`;
  for (const { samples: piece } of windowsSeen(samples, figures).pieces) {
    const proof = nothingRefills(piece, figures);
    if (proof !== null) return `refilled nothing while ${count(proof.due)} requests were due`;
  }
  const next = refillIntervalMs(figures) / 1000 + WAIT_ROUNDED_S;
  for (const { retryAfter } of refusals) {
    const after = readRetryAfter(retryAfter);
    if (after.kind === 'seconds' && after.seconds > next) return `demanded a wait of ${duration(after.seconds * 1000)}`;
  }
  const isEarly = refusals.some(({ sentAt, answeredAt }) => {
    // The bucket is empty if, over some span up to the refusal, its content and its refills were used up.
    const before = served.filter((sample) => sample.sentAt < answeredAt);
    return !before.some(
      (first, index) => before.length - index >= held - BUCKET_SLACK + refilled(figures, sentAt - first.answeredAt),
    );
  });
  return isEarly && held > 0 ? `sent 429 although requests had been refilled` : null;
}

/** Known algorithms, the plainest first. */
export const ALGORITHMS: readonly { readonly label: string; readonly misfit: Misfit }[] = [
  {
    label: 'a fixed window from its first request on',
    misfit: (trace) => beginsLate(trace) ?? movesReset(trace) ?? fixedWindow(trace),
  },
  { label: 'a clock-aligned fixed window', misfit: (trace) => movesReset(trace) ?? calendarWindow(trace) },
  { label: 'a sliding window log', misfit: slidingLog },
  { label: 'a sliding window counter', misfit: (trace) => movesReset(trace) ?? slidingCounter(trace) },
  { label: 'a token bucket or GCRA', misfit: bucket },
];
