import {
  isLongBySeconds,
  minuteMs,
  mostInOneWindow,
  mostRefilled,
  refillIntervalMs,
  worstSpan,
  type Figures,
} from './bounds.js';
import { type Clump, largestClump } from './clumps.js';
import { counted, duration } from '../../base/kernel/format.js';
import { windowBegan, windowsSeen } from './windows-seen.js';
import { overServed, servedBy } from './over-served.js';
import type { Bursts, OfKey } from './window-progress.js';
import {
  bySending,
  describesDay,
  describesMinute,
  lone,
  wasRefused,
  wasServed,
  type Sample,
  servedIn,
} from './sample.js';

/* Proof that an allowance comes back faster than the plan says, by sequential bursts. */

/** Requests of slack, for rounding and open requests at a window's edge. */
export const CLEARLY = 3;
/** A clock of whole seconds gives back a second's worth together, even at Remaining 0 (decision 6). */
const SECOND_MS = 1000;

/** Largest clump that may come back unseen: one by a timer tick, a second's worth by a clock of whole seconds. */
const unseenBeat = (figures: Figures): number =>
  isLongBySeconds(figures) ? Math.ceil(SECOND_MS / refillIntervalMs(figures)) : 1;

/** Returns the largest clump that comes sooner than evenly: as large as Remaining showed, or unseen. */
export const beatOf = (figures: Figures, { sudden }: Clump): number => Math.max(unseenBeat(figures), sudden);

const inTurnOf = (bursts: Bursts): Bursts => bursts.filter((burst) => 2 * lone(bySending(burst)).length > burst.length);

/**
 * Finds more than `floor(L + elapsed * L / W)` from a limiter with gradual refills: no new window explains it, whatever
 * Remaining says. With refill steps, a clump may come one step sooner: as much as came back together before.
 */
export function fasterThanPlan(bursts: Bursts, { figures }: OfKey, known: Clump) {
  const all = bursts.flat();
  // If headers switch to the day's window, a new minute does not show.
  if (!all.every((sample) => !wasServed(sample) || describesMinute(sample, figures))) return null;
  // Concurrent requests leave open their window, and the clumps before them.
  const inTurn = bySending(inTurnOf(bursts).flat());
  const { pieces } = windowsSeen(inTurn, figures);
  const refills = pieces.some(({ samples, slack }) => servedIn(samples) > figures.perMinute + slack + CLEARLY);
  const over = overServed(inTurn, figures, { clump: known, stillMs: 0, comesBySingles: false });
  if (over !== null && over.served > over.most + unseenBeat(figures))
    return faster(over.most, over.served, over.elapsedMs);
  if (!refills) return null;
  const isBeat = servedBy(inTurn, figures).kind === 'at-a-beat';
  // Single requests between the bursts would make a log that slides too fast look like refill steps.
  const seen = largestClump(inTurn, figures);
  const atOnce = [...bursts.slice(1).map(servedIn), isBeat ? seen.size : 0].filter(
    (got) => 2 * got <= figures.perMinute,
  );
  const beat = Math.max(beatOf(figures, seen), ...atOnce);
  const worst = worstSpan(bySending(all.filter(wasServed)), 1 / refillIntervalMs(figures));
  if (worst === null) return null;
  // If a share is no whole number, clumps differ by one request.
  const rounded = beat > 1 ? 1 : 0;
  const most = mostInOneWindow(figures, worst.to - worst.from) + beat + rounded;
  return worst.count > most ? faster(most, worst.count, worst.to - worst.from) : null;
}

const faster = (most: number, count: number, elapsedMs: number) => ({
  what: 'gets its allowance back faster than the plan says',
  expected: `at most ${counted(most, 'request')} allowed in ${duration(elapsedMs)}`,
  actual: `${counted(count, 'request')} allowed in ${duration(elapsedMs)}`,
  measured: { most, got: count },
});

/** Returns the first 429 of the minute to a client without concurrent requests: then all was used up. */
export const usedUpIn = (burst: readonly Sample[], figures: Figures): Sample | undefined =>
  lone(bySending(burst)).find((sample) => wasRefused(sample) && !describesDay(sample, figures));

/** Finds more allowed requests after a 429 than `mostIn` that time, beyond some slack. */
export function moreSince(
  refusal: Sample,
  all: readonly Sample[],
  mostIn: (elapsedMs: number) => number,
  slack: number,
) {
  const later = all.filter((sample) => wasServed(sample) && sample.sentAt >= refusal.answeredAt);
  for (const [index, { answeredAt }] of later.entries()) {
    const elapsedMs = answeredAt - refusal.sentAt;
    const most = mostIn(elapsedMs);
    if (index + 1 > most + slack) return { most, served: index + 1, elapsedMs };
  }
  return null;
}

/**
 * Finds more, after the first 429 and before the first burst is a window old, than an even rate and one clump bring. At
 * a 429 all was used up, and refills now come in pieces.
 */
export function fasterAfterRefusal(bursts: Bursts, { figures, earlier }: OfKey) {
  const [burst = [], ...more] = bursts;
  const [first] = burst;
  const refusal = usedUpIn(burst, figures);
  if (!isLongBySeconds(figures) || first === undefined || refusal === undefined) return null;
  const until = windowBegan(first, figures, earlier) + minuteMs(figures);
  const inTime = bySending(bursts.flat()).filter(({ answeredAt }) => answeredAt < until);
  const atOnce = more.map((one) =>
    servedIn(one.filter(({ sentAt, answeredAt }) => sentAt >= refusal.answeredAt && answeredAt < until)),
  );
  const mostIn = (elapsedMs: number): number => mostRefilled(figures, elapsedMs) + Math.max(0, ...atOnce);
  const over = moreSince(refusal, inTime, mostIn, CLEARLY);
  return over === null ? null : faster(over.most, over.served, over.elapsedMs);
}
