import { minuteMs, mostInAnySpan, mostInOneWindow, refillIntervalMs, worstSpan, type Figures } from './bounds.js';
import { refillSeen } from './refill-steps.js';
import { type Clump, largestClump, singlesIn } from './clumps.js';
import { comesInTurn } from './own-allowance.js';
import { readingsOf, stepsOf } from './header-readings.js';
import { nothingRefills } from './refill.js';
import { isSameWindow } from './reset-edges.js';
import { count } from '../../base/kernel/format.js';
import { type WindowPiece, windowsSeen } from './windows-seen.js';
import { wasServed, type Sample, servedIn } from './sample.js';

/** More requests allowed in a window than by any correct limiter. */
export interface OverServed {
  readonly served: number;
  readonly most: number;
  readonly elapsedMs: number;
  /** Reason why no more is allowed, if nothing refills. */
  readonly why: string | null;
}

/** Facts on the return of a key's allowance, by all its responses. */
export interface Return {
  /** Largest clump that the key is known to have got. */
  readonly clump: Clump;
  /** Time in which nothing comes back after something did, ms (`longestWithoutRefill`); 0 if unknown. */
  readonly stillMs: number;
  /** True if Remaining showed somewhere that a single request came back. It need not show that every time. */
  readonly comesBySingles: boolean;
}

/** True if every response has Remaining, and it rises only at 0, as when the real limit exceeds the advertised one. */
function isShownAtZeroAlone(served: readonly Sample[], figures: Figures): boolean {
  const readings = readingsOf(served, figures);
  const rises = stepsOf(readings, figures).filter(({ gain }) => gain > 0);
  return readings.length === served.length && rises.length > 0 && rises.every(({ to }) => to.left === 0);
}

/** Excess of one window's piece over the bound of an even refill, certain or not; null if there is none. */
function overEvenly({ samples, slack }: WindowPiece, figures: Figures, { stillMs, comesBySingles }: Return) {
  const served = samples.filter(wasServed);
  const worst = worstSpan(served, 1 / refillIntervalMs(figures));
  const [first, last] = [served[0], served.at(-1)];
  if (worst === null || first === undefined || last === undefined) return null;
  const worstMs = worst.to - worst.from;
  const evenly = mostInOneWindow(figures, worstMs) + slack;
  if (worst.count > evenly) return { served: worst.count, most: evenly, elapsedMs: worstMs, why: null, isSure: true };
  const elapsedMs = last.answeredAt - first.sentAt;
  const most = figures.perMinute + slack;
  const all = { served: served.length, most, elapsedMs };
  const excess = served.length - most;
  if (elapsedMs <= stillMs && excess > 0) {
    const why = 'after the 429 more came back than by an even refill, so single requests do not come back';
    return { ...all, why, isSure: true };
  }
  const proof = elapsedMs > minuteMs(figures) ? null : nothingRefills(served, figures, excess);
  if (proof === null) {
    const why = 'only a refill at the very end, while Remaining was 0, would explain it';
    return !comesBySingles && excess > 0 && elapsedMs <= minuteMs(figures) && isShownAtZeroAlone(served, figures)
      ? { ...all, why, isSure: false }
      : null;
  }
  // The proof does not exclude refills before its start or after its end.
  const isOfOneWindow = proof.from === first || isSameWindow(first, proof.from, figures);
  const before = isOfOneWindow ? 0 : proof.from.answeredAt - first.sentAt;
  const bound = mostInOneWindow(figures, before + last.answeredAt - proof.until) + slack;
  if (excess <= 0) return null;
  const why = `nothing refills: Remaining fell by one per response while ${count(proof.due)} requests were due back`;
  // If the last response took its time, a refill may have come just before it.
  return { ...all, most: bound, why, isSure: served.length > bound };
}

/** Beat of buckets that count by whole seconds, ms. */
const WHOLE_SECOND_MS = 1000;

/**
 * True if a bucket that gives back one request each whole second explains the excess: a span may touch one second more than
 * it lasts. Remaining must show that single requests came back.
 */
const isOneTickMore = ({ served, most, why }: OverServed, samples: readonly Sample[], figures: Figures): boolean =>
  why === null &&
  served - most === 1 &&
  refillIntervalMs(figures) >= WHOLE_SECOND_MS &&
  singlesIn(samples, figures) > 0;

/** Clearly single: one or two may be the part of a clump for which there was room. */
export const CLEARLY_SINGLE = 3;

/**
 * Compares the requests allowed in one window's piece with even refills, then with refill steps. If responses alternate
 * between servers, a rise is another server's and no refill.
 */
function judgePiece(piece: WindowPiece, figures: Figures, known: Return, isInTurn: boolean): ServedBy {
  const { clump, stillMs } = known;
  const found = overEvenly(piece, figures, known);
  if (found === null) return { kind: 'evenly' };
  const { isSure, ...over } = found;
  if (!isSure) return { kind: 'in-doubt', over };
  if (isOneTickMore(over, piece.samples, figures)) return { kind: 'at-a-beat', over };
  const singles = over.elapsedMs <= stillMs ? singlesIn(piece.samples, figures) : 0;
  const back = isInTurn || singles >= CLEARLY_SINGLE ? null : refillSeen(piece.samples, figures, clump);
  const served = servedIn(piece.samples);
  const beyond = back === null ? Infinity : served - figures.perMinute - piece.slack - back.most;
  if (back === null || beyond > back.unseen) return { kind: 'too-much', over };
  return { kind: beyond <= 0 && !back.isDoubtful && singles === 0 ? 'at-a-beat' : 'in-doubt', over };
}

/** Explanation of the number of allowed requests. */
export type ServedBy =
  | { readonly kind: 'evenly' }
  /** More than an even refill allows. Remaining shows that it came in refill steps, or it may have come unseen. */
  | { readonly kind: 'at-a-beat' | 'in-doubt'; readonly over: OverServed }
  /** More than one window's limit, and the headers cannot show whether a new window began. */
  | { readonly kind: 'window-unseen'; readonly over: OverServed }
  | { readonly kind: 'too-much'; readonly over: OverServed };

const WORST_FIRST = ['too-much', 'window-unseen', 'in-doubt', 'at-a-beat', 'evenly'] as const;

/**
 * Explains the number of allowed requests by the bound of part 8. It is `floor(L + elapsed * L / W)` with even refills,
 * the refills up to the last one with refill steps, and `L` if nothing refills.
 * @param known how the key's limit is known to come back
 */
export function servedBy(
  samples: readonly Sample[],
  figures: Figures,
  known: Return = { clump: largestClump(samples, figures), stillMs: 0, comesBySingles: false },
): ServedBy {
  const seen = windowsSeen(samples, figures);
  const isInTurn = comesInTurn(samples, figures);
  const found = seen.pieces.map((piece): ServedBy => {
    const by = judgePiece(piece, figures, known, isInTurn);
    if (by.kind !== 'too-much' || seen.visible) return by;
    const inTwo = mostInAnySpan(figures, by.over.elapsedMs);
    return by.over.served > inTwo
      ? { kind: 'too-much', over: { ...by.over, most: inTwo } }
      : { kind: 'window-unseen', over: by.over };
  });
  return WORST_FIRST.flatMap((kind) => found.filter((by) => by.kind === kind).slice(0, 1))[0] ?? { kind: 'evenly' };
}

/** Measures how many requests were allowed beyond any correct limiter; null if none were, or if it is uncertain. */
export function overServed(samples: readonly Sample[], figures: Figures, known?: Return): OverServed | null {
  const by = servedBy(samples, figures, known);
  return by.kind === 'too-much' ? by.over : null;
}
