import { once } from '../../base/kernel/config-file.js';
import { countWhile } from '../../base/kernel/sorted.js';
import {
  isLongBySeconds,
  minuteMs,
  mostRefilled,
  ROUNDED_UP_MS,
  soonestExitMs,
  type Figures,
} from './bounds.js';
import { SILENT_WINDOWS } from './burst-counts.js';
import {
  bySending,
  describesMinute,
  leftBy,
  lone,
  servedIn,
  wasRefused,
  wasServed,
  type Left,
  type Sample,
} from './sample.js';
import { resetMoved } from './reset-edges.js';
import type { KeySeries } from './series.js';
import { refills } from './spread.js';

/** More requests after a 429 than the plan brings back. */
export interface FastRefill {
  /** Requests allowed since, and those that Remaining says are left. */
  readonly cameBack: number;
  readonly most: number;
  /** Time from the 429, ms. */
  readonly elapsedMs: number;
}

/** Requests of slack: a part of one was left at the 429, and the steps of a refill may differ by one. */
const ROUNDED = 2;

/** Returns the shortest time after which a window, or a log by seconds, gives a request back, ms. */
const shortestMs = (figures: Figures): number =>
  minuteMs(figures) - (isLongBySeconds(figures) ? ROUNDED_UP_MS : 0);

/** Plan of a key, its requests before the first burst, and the experiments that show what its limiter holds. */
export type OfKey = Pick<KeySeries, 'figures' | 'earlier' | 'fresh' | 'steady'> &
  Partial<Pick<KeySeries, 'burst'>>;

/**
 * Finds more after a 429 than the plan brings back; null without. At a 429 nothing is left. The next response
 * shows how much came back together. From then on a bucket brings at most as much again at once, and its
 * rate: L in W. A window brings all of it once, and nothing before it is over. Only a log gives back
 * otherwise, as its requests leave. It is none if more came back than others had used, before any request of
 * the run was a window old.
 *
 * @param first first request of the first burst
 * @param samples all requests of the key
 */
export function fasterThanPlan(
  first: Sample | undefined,
  samples: readonly Sample[],
  key: OfKey,
): FastRefill | null {
  if (first === undefined) return null;
  const { figures } = key;
  const ordered = bySending(samples);
  const isLone = new Set(lone(ordered));
  const served = ordered
    .filter(wasServed)
    .map((sample) => ({ sample, left: isLone.has(sample) ? leftBy(sample, figures) : null }));
  const usedBefore = once(() => usedByOthers(first, key));
  for (const refusal of ordered.filter((sample) => wasRefused(sample) && describesMinute(sample, figures))) {
    const later = served.slice(countWhile(served, ({ sample }) => sample.sentAt < refusal.answeredAt));
    const left = later[0]?.left ?? null;
    const oldest =
      ordered.find(({ answeredAt }) => answeredAt + minuteMs(figures) >= refusal.sentAt) ?? refusal;
    const within = (ms: number) => later.filter(({ sample }) => sample.answeredAt < oldest.sentAt + ms);
    const early = within(shortestMs(figures));
    const until = early.at(-1)?.sample.sentAt ?? 0;
    // A log by parts forgets only one part before its oldest request is a window old: the next is a part later.
    const mayBePart = !ordered.some(
      (sample) => wasRefused(sample) && sample.sentAt > refusal.sentAt && sample.sentAt < until,
    );
    const soon = mayBePart ? within(soonestExitMs(figures)) : early;
    const others = refusal.sentAt >= first.answeredAt + minuteMs(figures) ? 0 : usedBefore();
    if (left === null || soon.length <= others) continue;
    const found = beyondRate(later, { refusal, together: left + 1, others }, key);
    if (found !== null) return found;
  }
  return null;
}

/** A 429, and what came back after it whatever the rate. */
interface Empty {
  readonly refusal: Sample;
  /** Requests that came back together. */
  readonly together: number;
  /** Requests of others that may have left a window. */
  readonly others: number;
}

/** Finds more than came back together, and at the plan's rate. */
function beyondRate(
  later: readonly (Pick<Left, 'sample'> & { readonly left: number | null })[],
  { refusal, together, others }: Empty,
  { figures }: OfKey,
): FastRefill | null {
  const mayBeWindow = 2 * together > figures.perMinute;
  let latest = -Infinity;
  for (const [index, { sample, left }] of later.entries()) {
    latest = Math.max(latest, sample.answeredAt);
    const elapsedMs = latest - refusal.sentAt;
    if (mayBeWindow && elapsedMs >= shortestMs(figures)) return null;
    const cameBack = index + 1 + (left ?? 0);
    const most = mostRefilled(figures, elapsedMs) + together + others + ROUNDED;
    if (cameBack > most) return { cameBack, most, elapsedMs };
  }
  return null;
}

/**
 * Requests outside the samples that may count at a refusal within a window: the burst's first response shows
 * how many counted then.
 */
function usedByOthers(first: Sample, key: OfKey): number {
  const { figures, earlier } = key;
  if (isBucket(key.burst?.samples ?? [], figures)) return 0;
  const left = leftBy(first, figures);
  if (left === null) return Infinity;
  const own = servedIn(earlier.filter(({ sentAt }) => sentAt > first.sentAt - minuteMs(figures)));
  return Math.max(0, heldBy(key) - 1 - own - left);
}

/** Most by which a bucket's Reset in whole seconds moves at one request, beyond the time that passed, ms. */
const ROUNDED_RESET_MS = 2000;

/** True if Reset moves with the requests and never far at once. A log's leaps when an old request leaves. */
const isBucket = (burst: readonly Sample[], figures: Figures): boolean =>
  refills(burst, figures) &&
  burst.filter(wasServed).every((sample, at, served) => {
    const before = served[at - 1];
    if (before === undefined) return true;
    return resetMoved(before, sample) <= sample.answeredAt - before.sentAt + ROUNDED_RESET_MS;
  });

/**
 * Requests that the limiter holds, by its first response after two idle windows; the plan's limit without
 * one.
 */
function heldBy({ figures, fresh, steady }: OfKey): number {
  const idle = [fresh, steady].find(
    (series) => series && series.silentMs >= SILENT_WINDOWS * minuteMs(figures),
  );
  const left = leftBy(idle?.samples[0], figures);
  return left === null ? figures.perMinute : left + 1;
}
