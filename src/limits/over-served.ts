import type { OperationName } from '../contract/types.js';
import { minuteMs, mostInAnySpan, mostInOneWindow, refillIntervalMs, worstSpan } from './bounds.js';
import { cameBack, type Clump, largestClump, singlesIn } from './came-back.js';
import { comesInTurn } from './own-allowance.js';
import { readingsOf, stepsOf } from './readings.js';
import { nothingRefills } from './refill.js';
import { isSameWindow } from './reset-edges.js';
import type { Figures } from './series.js';
import { count } from '../format/format.js';
import { type WindowPiece, windowsSeen } from './windows-seen.js';
import { wasServed, type Sample } from './sample.js';

/** More served in a window than any sound limiter would: how many, of how many at most, and in what time. */
export interface OverServed {
  readonly served: number;
  readonly most: number;
  readonly elapsedMs: number;
  /** Why no more is allowed, where nothing refills. */
  readonly why: string | null;
}

/** What is known of how a key's allowance comes back, from all that it was answered. */
export interface Return {
  /** The largest clump that it is known to have been given. */
  readonly clump: Clump;
  /** For so long nothing comes back once something has, ms (`nothingBackMs`); 0 where that is not known. */
  readonly stillMs: number;
  /** Somewhere Remaining showed a single request coming back: so it does, though not at every moment that it might. */
  readonly comesBySingles: boolean;
}

/** Every answer says what is left, and nothing came back but where Remaining had nowhere to fall: as past a limit that is too high. */
function isShownAtZeroAlone(served: readonly Sample[], figures: Figures): boolean {
  const readings = readingsOf(served, figures);
  const rises = stepsOf(readings, figures).filter(({ gain }) => gain > 0);
  return readings.length === served.length && rises.length > 0 && rises.every(({ to }) => to.left === 0);
}

/** What one window's piece exceeds the bound of an even refill by, for sure or perhaps; null where it keeps within it. */
function overEvenly(
  { samples, slack }: WindowPiece,
  figures: Figures,
  { stillMs, comesBySingles }: Return,
): { readonly over: OverServed; readonly isSure: boolean } | null {
  const served = samples.filter(wasServed);
  const worst = worstSpan(served, 1 / refillIntervalMs(figures));
  const [first, last] = [served[0], served.at(-1)];
  if (worst === null || first === undefined || last === undefined) return null;
  const elapsedMs = worst.to - worst.from;
  const most = mostInOneWindow(figures, elapsedMs) + slack;
  const sure = (over: OverServed) => ({ over, isSure: true });
  if (worst.count > most) return sure({ served: worst.count, most, elapsedMs, why: null });
  const spanMs = last.answeredAt - first.sentAt;
  if (spanMs <= stillMs && served.length > figures.perMinute + slack) {
    const why = 'after the refusal more came back at once than evenly, so that nothing comes back one by one';
    return sure({ served: served.length, most: figures.perMinute + slack, elapsedMs: spanMs, why });
  }
  const excess = served.length - figures.perMinute - slack;
  const proof = spanMs > minuteMs(figures) ? null : nothingRefills(served, figures, excess);
  if (proof === null) {
    const why = 'only what came back at the very end, where Remaining said 0, would explain it';
    const over = { served: served.length, most: figures.perMinute + slack, elapsedMs: spanMs, why };
    return !comesBySingles && excess > 0 && spanMs <= minuteMs(figures) && isShownAtZeroAlone(served, figures)
      ? { over, isSure: false }
      : null;
  }
  // What came back before the proof began, and after it ended, is not excluded by it.
  const isOfOneWindow = proof.from === first || isSameWindow(first, proof.from, figures);
  const before = isOfOneWindow ? 0 : proof.from.answeredAt - first.sentAt;
  const bound = mostInOneWindow(figures, before + last.answeredAt - proof.until) + slack;
  if (served.length <= figures.perMinute + slack) return null;
  const why = `nothing refills: Remaining fell by one at every answer while ${count(proof.due)} requests should have come back`;
  const over = { served: served.length, most: bound, elapsedMs: spanMs, why };
  // What nothing brought for so long may yet have come just before the last answer, where that took its time.
  return { over, isSure: served.length > bound };
}

/** Of what comes back in clumps or at once, one or two may be told as a part of a clump that had no more room. */
export const CLEARLY_SINGLE = 3;

/**
 * What one window's piece was served, held against what may have come back evenly, and then at a beat. Where answers
 * alternate, what rises is another server's and nothing that came back.
 */
function judgePiece(piece: WindowPiece, figures: Figures, known: Return, isInTurn: boolean): ServedBy {
  const { clump, stillMs } = known;
  const found = overEvenly(piece, figures, known);
  if (found === null) return { kind: 'evenly' };
  const { over, isSure } = found;
  if (!isSure) return { kind: 'in-doubt', over };
  const singles = over.elapsedMs <= stillMs ? singlesIn(piece.samples, figures) : 0;
  const back = isInTurn || singles >= CLEARLY_SINGLE ? null : cameBack(piece.samples, figures, clump);
  const served = piece.samples.filter(wasServed).length;
  const beyond = back === null ? Infinity : served - figures.perMinute - piece.slack - back.most;
  if (back === null || beyond > back.unseen) return { kind: 'too-much', over };
  return { kind: beyond <= 0 && !back.isDoubtful && singles === 0 ? 'at-a-beat' : 'in-doubt', over };
}

/** How what a client was served is explained. */
type ServedBy =
  | { readonly kind: 'evenly' }
  /** More than an even refill allows; Remaining shows that it came back at a beat, or it may have done so unseen. */
  | { readonly kind: 'at-a-beat' | 'in-doubt'; readonly over: OverServed }
  /** More than one window's worth, and whether a window rolled over cannot be seen. */
  | { readonly kind: 'window-unseen'; readonly over: OverServed }
  | { readonly kind: 'too-much'; readonly over: OverServed };

/** The least explained first. */
const WORST_FIRST = ['too-much', 'window-unseen', 'in-doubt', 'at-a-beat', 'evenly'] as const;

/**
 * What explains so much served: the bound of part 8, read as `floor(L + elapsed * L / W)` where the allowance comes back
 * evenly, as what had come back by the last beat where it comes back at one, and `L` where nothing refills.
 * @param known how the key's allowance is known to come back
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

/** Whether more was served than any sound limiter would: by how much; null where not, or where it may be otherwise. */
export function overServed(samples: readonly Sample[], figures: Figures, known?: Return): OverServed | null {
  const by = servedBy(samples, figures, known);
  return by.kind === 'too-much' ? by.over : null;
}

/** Requests of the operations that use the allowance. */
export const countedSamples = (samples: readonly Sample[], exempt: ReadonlySet<OperationName>): readonly Sample[] =>
  samples.filter(({ operation }) => !exempt.has(operation));

/** The first of several bursts, the first one first, in which more was served than allowed; null where none shows it. */
export function firstOverServed(
  bursts: readonly (readonly Sample[])[],
  figures: Figures,
  exempt: ReadonlySet<OperationName>,
  known: Return,
): OverServed | null {
  return (
    bursts
      .map((samples) => overServed(countedSamples(samples, exempt), figures, known))
      .find((over) => over !== null) ?? null
  );
}
