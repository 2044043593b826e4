import { capital, counted, duration } from '../../base/kernel/format.js';
import type { KeyName } from '../../base/interface/names.js';
import { isLongBySeconds, minuteMs, ROUNDED_UP_MS, type Figures } from './bounds.js';
import { resetTime, type ServerClock } from './clock.js';
import { lone, wasRefused, wasServed, type Sample } from './sample.js';
import { endOfWait } from './when-allowed.js';
import type { Asked } from './asked.js';
import { comebacks } from './comebacks.js';
import { leftOf } from './left.js';
import { seenWatching } from './watched.js';

/* Use of a key by something else than the run: its target file says that there is none. */

/** Use of a key by somebody else, as Remaining shows it. */
export interface OtherUse {
  /** Requests, at least. */
  readonly requests: number;
  /** A silence of ours in which they came, Unix ms; null: before the first request of the load. */
  readonly pause: { readonly from: number; readonly to: number } | null;
  /** False if another mistake could look alike: then it explains what failed, and opens nothing else. */
  readonly isSure: boolean;
}

/** A silence is at least this share of a window: the pauses of the run are a twentieth. */
const SILENT_SHARE = 1 / 25;
/** Parallel requests before a silence overtake one another: of so many the least Remaining holds. */
const OVERTAKEN = 8;
/** A rounded Remaining may fall by one more than was sent. */
const ROUNDED = 1;
/** Fewest requests in all silences: a server that counts one in ten twice adds fewer. */
const FEWEST = 3;
/** Reset and clocks are in whole seconds: the end of an old request comes sooner than a window by more, ms. */
const SOONER_MS = 2000;
/** Share of the plan that somebody else uses at the same moment: no server counts one request so often. */
const AT_ONCE_SHARE = 1 / 20;
/** Less than this share of its plan the run has used of a key before the load. */
const HARDLY_SHARE = 1 / 2;
/** Twice is no chance. */
const TWICE = 2;

/** Finds use of the key by somebody else. */
export const otherUseIn = (
  asked: readonly Asked[],
  all: readonly Sample[],
  figures: Figures,
  clock: ServerClock | null,
): OtherUse | null =>
  inSilences(asked, figures) ??
  atOnce(asked, figures) ??
  beforeTheRun(asked, figures, clock) ??
  fromTheFirst(asked, all, figures, clock) ??
  whileWatched(asked, figures) ??
  // A server that refuses for ever serves some requests first.
  (all.some(wasRefused) && !all.some(wasServed)
    ? { requests: figures.perMinute, pause: null, isSure: false }
    : null);

/** Remaining falls over silences in which the run sends nothing: in one by two, or in all by three. */
function inSilences(asked: readonly Asked[], figures: Figures): OtherUse | null {
  const cost = costOf(asked, figures);
  const sent = asked.toSorted((one, other) => one.sentAt - other.sentAt);
  let answered = -Infinity;
  const falls = sent.flatMap((after, at) => {
    const silentMs = after.sentAt - answered;
    answered = Math.max(answered, after.answeredAt);
    const isLone = (sent[at + 1]?.sentAt ?? Infinity) >= after.answeredAt;
    if (at === 0 || silentMs < SILENT_SHARE * minuteMs(figures) || !isLone || !wasServed(after)) return [];
    const newest = sent[at - 1]?.sentAt ?? 0;
    const before = sent.slice(Math.max(0, at - OVERTAKEN), at).filter((one) => one.answeredAt > newest);
    const [from, to] = [before.map((one) => leftOf(one, figures)), leftOf(after, figures)];
    if (to === null || from.includes(null) || !before.every(wasServed)) return [];
    const requests = Math.min(...from.map((left) => left ?? 0)) - to - cost;
    return requests > 0 ? [{ requests, pause: { from: after.sentAt - silentMs, to: after.answeredAt } }] : [];
  });
  const sum = falls.reduce((all, { requests }) => all + requests, 0);
  const most = falls.toSorted((one, other) => other.requests - one.requests)[0];
  return most !== undefined && (most.requests > ROUNDED || sum >= FEWEST) ? { ...most, isSure: true } : null;
}

/** A watched key shows somebody else. */
function whileWatched(asked: readonly Asked[], figures: Figures): OtherUse | null {
  const found = seenWatching(asked, figures);
  return found === null ? null : { ...found, isSure: false };
}

/**
 * The first request of a key that the run has hardly used is refused, and later ones are served; or it finds
 * a bucket that is not quite full, and after a refusal none is served.
 */
function fromTheFirst(
  asked: readonly Asked[],
  all: readonly Sample[],
  figures: Figures,
  clock: ServerClock | null,
): OtherUse | null {
  const [first] = asked;
  if (first === undefined) return null;
  const left = leftOf(first, figures);
  const own = all.filter((one) => wasServed(one) && one.sentAt < first.sentAt).length;
  if (left === null || own > HARDLY_SHARE * figures.perMinute) return null;
  const refusal = all.find(wasRefused);
  const isServedLater = all.some((one) => wasServed(one) && one.sentAt > (refusal?.answeredAt ?? Infinity));
  if (wasRefused(first))
    return left === 0 && isServedLater ? { requests: figures.perMinute, pause: null, isSure: false } : null;
  const missing = figures.perMinute - left - 1;
  return missing > 0 &&
    refusal !== undefined &&
    !isServedLater &&
    isNearlyFull(first, missing, figures, clock)
    ? { requests: missing, pause: null, isSure: false }
    : null;
}

/** Remaining falls by many between two requests of the same kind, twice. */
function atOnce(asked: readonly Asked[], figures: Figures): OtherUse | null {
  const lists = lone(asked.toSorted((one, other) => one.sentAt - other.sentAt));
  const least = Math.max(FEWEST, AT_ONCE_SHARE * figures.perMinute);
  const cost = costOf(asked, figures);
  const falls = lists.flatMap((after, at) => {
    const before = lists[at - 1];
    const isAlike = before?.operation === 'listPets' && after.operation === 'listPets';
    if (before === undefined || !isAlike || !wasServed(before)) return [];
    const isGone = wasRefused(after) && leftOf(after, figures) === 0;
    if (!isGone && !wasServed(after)) return [];
    const [from, to] = [leftOf(before, figures), leftOf(after, figures)];
    if (from === null || to === null || from - to <= least) return [];
    const sent = asked.filter((one) => one.sentAt > before.sentAt && one.sentAt <= after.sentAt).length;
    const requests = from - to - cost * sent;
    return requests > least ? [{ requests, pause: { from: before.answeredAt, to: after.answeredAt } }] : [];
  });
  const [one] = falls;
  return one !== undefined && falls.length >= TWICE ? { ...one, isSure: false } : null;
}

/** Returns what the server counts for one request: a mistaken one counts each more than once. */
function costOf(asked: readonly Asked[], figures: Figures): number {
  const costs = asked.flatMap((sample, at) => {
    const before = asked[at - 1];
    if (sample.part !== 'operations' || before === undefined) return [];
    const [from, to] = [leftOf(before, figures), leftOf(sample, figures)];
    return from === null || to === null ? [] : [from - to];
  });
  return Math.max(1, costs.toSorted((one, other) => one - other)[Math.floor(costs.length / 2)] ?? 1);
}

/**
 * A key that the run did not use for a window has less than it had at another time, whatever the algorithm.
 * Or less than its plan, with an old request that ends soon, and what came back after a refusal was gone when
 * its wait was over.
 */
function beforeTheRun(asked: readonly Asked[], figures: Figures, clock: ServerClock | null): OtherUse | null {
  const [first] = asked;
  const left = first === undefined ? null : leftOf(first, figures);
  if (first === undefined || left === null) return null;
  const most = asked.reduce(
    (sofar, one) => Math.max(sofar, (wasServed(one) && leftOf(one, figures)) || 0),
    0,
  );
  const had = wasServed(first) ? left + 1 : 0;
  const others = (whole: number): OtherUse => ({ requests: whole - had, pause: null, isSure: false });
  if (Math.min(most + 1, figures.perMinute) - had >= FEWEST) return others(most + 1);
  const isShort = figures.perMinute - had >= FEWEST && isLongBySeconds(figures) && wasServed(first);
  return isShort && endsSoon(first, figures, clock) && isContested(asked, clock)
    ? others(figures.perMinute)
    : null;
}

/** Is true if Reset is when a bucket that lacks so many is full. */
function isNearlyFull(sample: Sample, missing: number, figures: Figures, clock: ServerClock | null): boolean {
  const reset = resetTime(sample, clock);
  // The request itself, and a part of one.
  const fullMs = ((missing + 2) * minuteMs(figures)) / figures.perMinute;
  return reset !== null && missing <= FEWEST && reset.earliest < sample.answeredAt + fullMs + ROUNDED_UP_MS;
}

/** Is true if Reset comes sooner than one of a window that the request began. */
function endsSoon(sample: Sample, figures: Figures, clock: ServerClock | null): boolean {
  const reset = resetTime(sample, clock);
  return reset !== null && reset.latest < sample.answeredAt + minuteMs(figures) - SOONER_MS;
}

/** Is true if requests after a whole wait were served now and then, and refused now and then. */
function isContested(asked: readonly Asked[], clock: ServerClock | null): boolean {
  const returns = comebacks(asked).filter(({ refusal, next }) => {
    const due = endOfWait(refusal, clock);
    return due !== null && next.sentAt >= due.latest;
  });
  return returns.some(({ next }) => wasRefused(next)) && returns.some(({ next }) => wasServed(next));
}

/** Begins each sentence about it, so that reports can name the cause first. */
export const OTHER_USE = 'something else used';

/** Words it: "something else used the Free key: 6 requests in a pause of 3 s". */
export function otherUseText(key: KeyName, { requests, pause }: OtherUse): string {
  const when =
    pause === null
      ? 'before the first request of the load'
      : `in a pause of ${duration(pause.to - pause.from)}`;
  return `${OTHER_USE} the ${capital(key)} key: ${counted(requests, 'request')} ${when}`;
}
