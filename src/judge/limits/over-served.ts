import {
  minuteMs,
  mostInAnySpan,
  mostInOneWindow,
  refillIntervalMs,
  worstSpan,
  type Figures,
} from './bounds.js';
import { gainShown, largestClump, mostAtOnce, type Clump } from './clumps.js';
import { comesInTurn } from './own-allowance.js';
import { nothingRefills } from './refill.js';
import { isSameWindow } from './reset-edges.js';
import { count } from '../../base/kernel/format.js';
import { type WindowPiece, windowsSeen } from './windows-seen.js';
import { wasServed, type Sample } from './sample.js';

/** More requests allowed in a window than an even refill explains. */
export interface OverServed {
  readonly served: number;
  readonly most: number;
  readonly elapsedMs: number;
  /** Reason why no more is allowed, if nothing refills. */
  readonly why: string | null;
}

/** Explanation of the number of allowed requests. */
export type ServedBy =
  | { readonly kind: 'evenly' }
  /** More than an even refill brings. Remaining shows that a refill step came, or one may have come unseen. */
  | { readonly kind: 'by-steps' | 'in-doubt'; readonly over: OverServed }
  /** More than one window's limit, and the headers cannot show whether a new window began. */
  | { readonly kind: 'window-unseen'; readonly over: OverServed }
  | { readonly kind: 'too-much'; readonly over: OverServed };

const WORST_FIRST = ['too-much', 'window-unseen', 'in-doubt', 'by-steps', 'evenly'] as const;

/** How a key's allowance comes back, by all its responses. */
export interface ComesBack {
  /** Largest clump that the key is known to have got. */
  readonly clump: Clump;
  /** True if Remaining showed somewhere that a single request came back. It need not show that every time. */
  readonly bySingles: boolean;
}

/**
 * Finds more in one window than the plan and an even refill: `floor(L + elapsed * L / W)` (part 8), or `L`
 * while nothing refills. Null if there is no more.
 */
function beyondBound({ samples, slack }: WindowPiece, figures: Figures): OverServed | null {
  const served = samples.filter(wasServed);
  const worst = worstSpan(served, 1 / refillIntervalMs(figures));
  const [first, last] = [served[0], served.at(-1)];
  if (worst === null || first === undefined || last === undefined) return null;
  const worstMs = worst.to - worst.from;
  const most = mostInOneWindow(figures, worstMs) + slack;
  if (worst.count > most) return { served: worst.count, most, elapsedMs: worstMs, why: null };

  const elapsedMs = last.answeredAt - first.sentAt;
  const excess = served.length - figures.perMinute - slack;
  if (excess <= 0) return null;
  const all = { served: served.length, most: figures.perMinute + slack, elapsedMs };
  const proof = elapsedMs > minuteMs(figures) ? null : nothingRefills(served, figures, excess);
  if (proof === null) return null;
  // The proof does not exclude refills before its start or after its end.
  const isOfOneWindow = proof.from === first || isSameWindow(first, proof.from, figures);
  const unprovenMs =
    (isOfOneWindow ? 0 : proof.from.answeredAt - first.sentAt) + last.answeredAt - proof.until;
  const why = `nothing refills: Remaining fell by one per response while ${count(proof.due)} requests were due back`;
  return { ...all, most: mostInOneWindow(figures, unprovenMs) + slack, why };
}

/** Compares the requests allowed in one window with an even refill, then with one refill step more. */
function judgePiece(piece: WindowPiece, figures: Figures, comesBack: ComesBack, isInTurn: boolean): ServedBy {
  const { samples, slack } = piece;
  const served = samples.filter(wasServed);
  const shown = gainShown(samples, figures);
  const over = beyondBound(piece, figures);
  if (over === null) {
    const unexplained = served.length - figures.perMinute - slack;
    const elapsedMs = (served.at(-1)?.answeredAt ?? 0) - (served[0]?.sentAt ?? 0);
    // An even refill explains it, but no response shows one, here or elsewhere: it must have come at Remaining 0.
    const isHidden = unexplained > 0 && shown === 0 && !comesBack.bySingles && elapsedMs <= minuteMs(figures);
    const why = 'only a refill at the very end, while Remaining was 0, would explain it';
    return isHidden
      ? { kind: 'in-doubt', over: { served: served.length, most: figures.perMinute + slack, elapsedMs, why } }
      : { kind: 'evenly' };
  }
  const excess = over.served - over.most;
  // A proof that ends before the last response leaves room for a refill just then.
  if (excess <= 0) return { kind: 'in-doubt', over };
  // Of several servers a rise is another one's Remaining, and no refill.
  if (isInTurn || excess > mostAtOnce(comesBack.clump)) return { kind: 'too-much', over };
  // One refill step more than evenly may fall into any span. Remaining shows it, unless it was 0 just then.
  const isShown = comesBack.clump.isSooner && served.length - figures.perMinute - slack <= shown;
  return { kind: isShown ? 'by-steps' : 'in-doubt', over };
}

/**
 * Explains the number of allowed requests of a series, window by window as far as the headers show them.
 *
 * @param comesBack how the key's limit is known to come back
 */
export function servedBy(
  samples: readonly Sample[],
  figures: Figures,
  comesBack: ComesBack = { clump: largestClump(samples, figures), bySingles: false },
): ServedBy {
  const seen = windowsSeen(samples, figures);
  const isInTurn = comesInTurn(samples, figures);
  const found = seen.pieces.map((piece): ServedBy => {
    const by = judgePiece(piece, figures, comesBack, isInTurn);
    if (by.kind !== 'too-much' || seen.visible) return by;
    const inTwo = mostInAnySpan(figures, by.over.elapsedMs);
    return by.over.served > inTwo
      ? { kind: 'too-much', over: { ...by.over, most: inTwo } }
      : { kind: 'window-unseen', over: by.over };
  });
  return (
    WORST_FIRST.flatMap((kind) => found.filter((by) => by.kind === kind).slice(0, 1))[0] ?? { kind: 'evenly' }
  );
}
