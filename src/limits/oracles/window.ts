import type { Finding } from '../../checks/finding.js';
import { bySending, lone, speaksOfMinute, wasServed } from '../answers.js';
import { isLongBySeconds, minuteMs, mostInOneWindow, refillIntervalMs, worstSpan, type Span } from '../bounds.js';
import { type Clump, largestClump } from '../came-back.js';
import type { ServerClock } from '../clock.js';
import { plainInteger, readReset } from '../header-number.js';
import type { Sample } from '../sample.js';
import { counted, duration, figure, inconclusive, kept, subject, violated } from '../say.js';
import type { Figures, KeySeries } from '../series.js';
import { ownBefore, windowsSeen } from '../windows-seen.js';
import { atTheEnd, type Bursts, served, windowProgress } from './window-progress.js';
import { overServed, servedBy } from './refuses-past-limit.js';

const ROW = 'rate-window';

/** A span in which more was served than two windows, and those that fit in, can hold; null when there is none. */
function overfull(all: readonly Sample[], figures: Figures): (Span & { readonly most: number }) | null {
  let latest = -Infinity;
  const answered = all.map(({ answeredAt }) => (latest = Math.max(latest, answeredAt)));
  // To break the bound with n windows' worth more takes (n + 1) * L + 1 requests within less than n windows.
  for (let windows = 1; (windows + 1) * figures.perMinute < all.length; windows += 1) {
    const most = (windows + 1) * figures.perMinute;
    for (let last = most; last < all.length; last += 1) {
      const from = all[last - most]?.sentAt ?? 0;
      const to = answered[last] ?? from;
      if (to - from < windows * minuteMs(figures)) return { count: most + 1, from, to, most };
    }
  }
  return null;
}

/** More served by several bursts than any sound limiter serves. */
interface WindowBreach {
  readonly what: string;
  readonly expected: string;
  readonly actual: string;
}

/** A retry and a probe of the run's own may have used a little of a window that begins. */
const OWN_PROBES = 3;

/** Both ends of a window are told in whole seconds. */
const ROUNDED_MS = 2000;

/** What one burst got, and until when its window lasts by its own Reset, in the server's ms. */
interface Whole {
  readonly began: number;
  readonly reset: number;
}

/**
 * The windows, of bursts or within one, in which all of the allowance was got, with what the first answer of each said of
 * Reset.
 * @param earlier what was sent with the key before the first burst, oldest first
 */
const wholesOf = (bursts: Bursts, figures: Figures, earlier: readonly Sample[]): readonly Whole[] =>
  bursts
    .flatMap((burst) => windowsSeen(bySending(burst), figures).pieces)
    .flatMap(({ samples }, place) => {
      const got = samples.filter(wasServed);
      const [first] = got;
      const reset = readReset(first?.reset ?? null);
      if (first === undefined || reset?.unit !== 'unix-seconds') return [];
      // What the run had sent before counts in the first window alone; each later one begins with nothing used.
      const own = place === 0 ? ownBefore(first, figures, earlier) : [];
      const isFresh = place === 0 || (plainInteger(first.remaining) ?? 0) >= figures.perMinute - 1 - OWN_PROBES;
      const isWhole = isFresh && got.length + own.length >= figures.perMinute - 1;
      return isWhole ? [{ began: (own[0] ?? first).sentAt, reset: reset.unixMs }] : [];
    });

/**
 * Two windows that brought all of the allowance less than a window apart, and by their Resets with ends that lie as near to each
 * other: of a window on the clock, which serves twice across its edge, they are a whole window apart, and
 * what comes back bit by bit is not all back any sooner.
 */
function shorterByReset(bursts: Bursts, figures: Figures, earlier: readonly Sample[]): WindowBreach | null {
  if (!isLongBySeconds(figures)) return null;
  const least = minuteMs(figures) - ROUNDED_MS;
  const wholes = wholesOf(bursts, figures, earlier);
  for (const [index, one] of wholes.entries()) {
    const other = wholes[index + 1];
    if (other === undefined || other.began - one.began >= least) continue;
    const apart = other.reset - one.reset;
    if (apart >= least) continue;
    return {
      what: 'gets its allowance back before a window is over',
      expected: `two whole allowances ${duration(minuteMs(figures))} apart, or windows that end so far apart`,
      actual: `${figure(figures.perMinute)} served twice, ${duration(other.began - one.began)} apart, with X-RateLimit-Reset ${duration(apart)} apart`,
    };
  }
  return null;
}

/** What comes back by fewer beats than these in a window shows in what a burst gets. */
const BEATS = 10;

/** So long a time must requests take to come back evenly for which Reset stood still: a bucket's moves with each of them. */
const STANDS_MS = 4000;

/** Of a beat's share: a retry of the run's own may have had a little of it. */
const NEARLY_ALL = 0.8;

/** Answers one after the other that told the same Reset, in the server's ms. */
interface Edge {
  readonly unixMs: number;
  readonly samples: readonly Sample[];
}

/** What was told of Reset, one time after the other. */
function edgesOf(samples: readonly Sample[]): readonly Edge[] {
  const edges: { readonly unixMs: number; readonly samples: Sample[] }[] = [];
  for (const sample of samples) {
    const read = readReset(sample.reset);
    if (read?.unit !== 'unix-seconds') continue;
    const last = edges.at(-1);
    if (last !== undefined && Math.abs(read.unixMs - last.unixMs) <= ROUNDED_MS) last.samples.push(sample);
    else edges.push({ unixMs: read.unixMs, samples: [sample] });
  }
  return edges;
}

/**
 * Whether Reset stood still for many requests and then, once it had passed, for many more at a time less than a window
 * later, which is not a window after any request, as a log's is: a counter that remembers the window before tells so of a
 * shorter one, and gives it back too slowly for a few bursts to show it.
 */
function tellsShorter({ figures, earlier, window: ofWindow }: KeySeries, bursts: Bursts): boolean {
  if (!isLongBySeconds(figures)) return false;
  const all = bySending(bursts.flat().filter(wasServed));
  const window = minuteMs(figures);
  const later = ofWindow?.bursts.slice(1) ?? [];
  const atOnce = later.reduce((most, burst) => Math.max(most, served(burst)), largestClump(all, figures).sudden);
  const isOwn = ({ unixMs }: Edge): boolean =>
    [...earlier, ...all].some(({ date }) => date !== null && Math.abs(date + window - unixMs) <= ROUNDED_MS);
  const told = edgesOf(all);
  const edges = told.filter(({ samples }) => samples.length * refillIntervalMs(figures) >= STANDS_MS);
  const creeps = told.some(({ unixMs }, index) => {
    const by = unixMs - (told[index - 1]?.unixMs ?? -Infinity);
    return by > 0 && by <= window / BEATS;
  });
  const steps = edges.flatMap((edge, index) => {
    const next = edges[index + 1];
    const toldAt = next?.samples[0]?.date ?? null;
    const hasPassed = toldAt !== null && toldAt >= edge.unixMs - ROUNDED_MS;
    return next === undefined || !hasPassed || (isOwn(edge) && isOwn(next)) ? [] : [next.unixMs - edge.unixMs];
  });
  // Who was silent meanwhile may have missed some: the shortest step is the window's, or a beat's.
  const step = Math.min(...steps);
  if (creeps || step <= window / BEATS || step >= window - ROUNDED_MS) return false;
  // What comes back at a beat tells of the next one, and brings all of its share at it.
  return NEARLY_ALL * step > atOnce * refillIntervalMs(figures);
}

/** Rounding, and requests that are under way at a window's edge. */
const CLEARLY = 3;
/** A clock of whole seconds brings so much at once, also to a client that is told 0 each time (decision 6). */
const SECOND_MS = 1000;

/** The largest clump that may come back unseen: a timer's stroke brings one, a clock of whole seconds a second's worth. */
const unseenBeat = (figures: Figures): number =>
  isLongBySeconds(figures) ? Math.ceil(SECOND_MS / refillIntervalMs(figures)) : 1;

/** The largest clump that comes back at once, sooner than evenly: as large as Remaining has shown, or unseen. */
const beatOf = (figures: Figures, { sudden }: Clump): number => Math.max(unseenBeat(figures), sudden);

/** The bursts that were sent one by one for the most part. */
const inTurnOf = (bursts: Bursts): Bursts => bursts.filter((burst) => 2 * lone(bySending(burst)).length > burst.length);

/**
 * More served than `floor(L + elapsed * L / W)` by a limiter that gives things back bit by bit: no window begins anew in
 * it, whatever Remaining says. What comes back at a beat may come a beat sooner: as much as the limiter was seen to give
 * back at once, drained or by Remaining.
 */
function fasterThanPlan(bursts: Bursts, figures: Figures, known: Clump): WindowBreach | null {
  const all = bursts.flat();
  // Where headers turn to the day's window, a minute that begins anew is not seen.
  if (!all.every((sample) => !wasServed(sample) || speaksOfMinute(sample, figures))) return null;
  // Requests side by side leave open which window they belong to, and what came back by a beat before them.
  const inTurn = inTurnOf(bursts);
  const { pieces } = windowsSeen(bySending(inTurn.flat()), figures);
  const refills = pieces.some(({ samples, slack }) => served(samples) > figures.perMinute + slack + CLEARLY);
  const over = overServed(bySending(inTurn.flat()), figures, known);
  if (over !== null && over.served > over.most + unseenBeat(figures))
    return faster(over.most, over.served, over.elapsedMs);
  if (!refills) return null;
  const isBeat = servedBy(bySending(inTurn.flat()), figures).kind === 'at-a-beat';
  // What single requests between the bursts were told would let a log that slides too fast pass for a beat.
  const seen = largestClump(bySending(inTurn.flat()), figures);
  if (isBeat && 2 * seen.size <= figures.perMinute) return null;
  const beat = bursts
    .slice(1)
    .map(served)
    .reduce((most, got) => (2 * got <= figures.perMinute ? Math.max(most, got) : most), beatOf(figures, seen));
  const worst = worstSpan(bySending(all.filter(wasServed)), 1 / refillIntervalMs(figures));
  if (worst === null) return null;
  const most = mostInOneWindow(figures, worst.to - worst.from) + beat;
  return worst.count > most ? faster(most, worst.count, worst.to - worst.from) : null;
}

const faster = (most: number, count: number, elapsedMs: number): WindowBreach => ({
  what: 'gets its allowance back faster than the plan says',
  expected: `at most ${counted(most, 'request')} served in ${duration(elapsedMs)}`,
  actual: `${counted(count, 'request')} served in ${duration(elapsedMs)}`,
});

/**
 * What bursts one after the other prove against `rate-window`; null where nothing.
 * @param earlier what was sent with the key before the first burst, oldest first
 * @param known the largest clump that the key is known to have been given
 */
export function windowBreach(
  bursts: Bursts,
  figures: Figures,
  earlier: readonly Sample[],
  known = largestClump(bySending(bursts.flat()), figures),
): WindowBreach | null {
  const over = overfull(bySending(bursts.flat().filter(wasServed)), figures);
  if (over !== null) {
    const windows = Math.round(over.most / figures.perMinute) - 1;
    return {
      what: 'gets its allowance back before a window is over',
      expected: `at most ${counted(over.most, 'request')} served in any ${duration(windows * minuteMs(figures))}`,
      actual: `${counted(over.count, 'request')} served in ${duration(over.to - over.from)}`,
    };
  }
  return shorterByReset(bursts, figures, earlier) ?? fasterThanPlan(bursts, figures, known);
}

/**
 * All bursts of a key in the order of time. The one in parallel, with the single requests that were served before it,
 * stands for a burst as well, but where it got more than the allowance by itself: another row is charged with that.
 */
export function burstsOf({ burst, window, concurrent, recoveries, figures }: KeySeries): Bursts {
  const single = window?.bursts ?? (burst === null ? [] : [burst.samples]);
  const inParallel = bySending(concurrent?.samples ?? []);
  const [first] = inParallel;
  const known = largestClump(bySending(single.flat()), figures);
  const evenly = mostInOneWindow(figures, atTheEnd(inParallel) - (first?.sentAt ?? 0));
  const isExcess = served(inParallel) > evenly + beatOf(figures, known);
  if (first === undefined || isExcess) return single;
  const sent = new Set(single.flat());
  const returns = recoveries
    .flatMap(({ retry, resetRetry }) => [retry, resetRetry])
    .filter((sample) => sample !== null)
    .filter((sample) => wasServed(sample) && !sent.has(sample) && sample.sentAt < first.sentAt);
  return [...single, bySending([...returns, ...inParallel])].toSorted(
    ([one], [other]) => (one?.sentAt ?? 0) - (other?.sentAt ?? 0),
  );
}

/** `rate-window`: in any span of a window at most twice the limit is served, whatever the algorithm. */
export function windowLength(
  key: KeySeries,
  clock: ServerClock | null,
  sequentialSound: boolean,
  known: Clump,
): readonly Finding[] {
  const name = subject(key.key);
  const { figures } = key;
  const bursts = burstsOf(key);
  const all = bySending(bursts.flat().filter(wasServed));
  const [first] = all;
  if (first === undefined) return [inconclusive(ROW, 'too-little-data', `${name} was not asked for its allowance.`)];
  if (!sequentialSound) return [inconclusive(ROW, 'prerequisite', `${name} is not limited within one window.`)];
  const breach = windowBreach(bursts, figures, key.earlier, known);
  if (breach !== null) return [violated(ROW, `${name} ${breach.what}.`, breach.expected, breach.actual)];
  const progress = windowProgress(bursts, figures, clock, key.earlier);
  const open = (why: string): readonly Finding[] => [inconclusive(ROW, 'too-little-data', `${name} ${why}.`)];
  switch (progress.kind) {
    case 'unrefused':
      return open('was not refused in its last burst');
    case 'untold':
      return [inconclusive(ROW, 'prerequisite', `${name}'s refusal does not say when to come back.`)];
    case 'open':
    case 'drained':
      return open(
        `was let back before a window was over, and ${counted(bursts.length, 'burst')} did not show whether that is a window's allowance`,
      );
    case 'over': {
      if (tellsShorter(key, bursts))
        return open('says by X-RateLimit-Reset that its windows are shorter, and what it served does not show it');
      const span = duration((all.at(-1)?.answeredAt ?? first.sentAt) - first.sentAt);
      return [kept(ROW, `${figure(all.length)} served in ${counted(bursts.length, 'burst')} over ${span}.`)];
    }
  }
}
