import { counted, lowered } from '../../base/kernel/format.js';
import type { Outcome, Verdict } from '../../judge/verdict.js';
import type { Results } from '../results/results.js';
import { VERDICT_GLYPHS, VERDICT_LABELS } from './outcomes.js';
import { isAccepted } from './required-count.js';

/** A verdict with its scope: a baseline may accept what prevents “conformant”, and a part is not the whole. */
export interface ScopedVerdict {
  readonly verdict: Verdict;
  /** Number of deviations that a baseline accepts; 0 where something else deviates too. */
  readonly accepted: number;
  /** True if the run judged only a selection. */
  readonly isPart: boolean;
  /** True for traffic in which no violation was seen: it never conforms. */
  readonly isClean: boolean;
}

export const scopedVerdictOf = (
  results: Pick<Results, 'verdict' | 'clean' | 'accepted' | 'scope' | 'complete' | 'requirements'>,
): ScopedVerdict => ({
  verdict: results.verdict,
  accepted: isAccepted(results) ? (results.accepted?.length ?? 0) : 0,
  isPart: results.scope.selection !== null && results.scope.selection.scenario === undefined,
  isClean: results.clean === true,
});

/** The word for traffic in which nothing red was seen. */
export const CLEAN = 'No violation seen';

/** “Conforms with 4 accepted deviations”, the only words for an accepted run; null for others. */
export const acceptedVerdictWords = ({ accepted }: Pick<ScopedVerdict, 'accepted'>): string | null =>
  accepted === 0 ? null : `Conforms with ${counted(accepted, 'accepted deviation')}`;

/**
 * Returns the verdict in a few words, with its scope: a violation in a part decides for the whole, a pass
 * does not.
 */
export function scopedVerdictWords(scoped: ScopedVerdict): string {
  const { verdict, isPart, isClean } = scoped;
  if (isClean) return CLEAN;
  const words = acceptedVerdictWords(scoped);
  const isBounded = isPart && (words !== null || verdict === 'conformant' || verdict === 'inconclusive');
  return `${words ?? VERDICT_LABELS[verdict]}${isBounded ? ' in the selected part' : ''}`;
}

/** “Baseline not met; not conformant”: an unmet baseline decides the exit code, so it comes first. */
export function standingWords(
  results: Parameters<typeof scopedVerdictOf>[0] & Pick<Results, 'baseline'>,
): string {
  const words = scopedVerdictWords(scopedVerdictOf(results));
  return results.baseline?.met === false ? `Baseline not met; ${lowered(words)}` : words;
}

export function nothingToFix({ verdict, counts }: Pick<Results, 'verdict' | 'counts'>): string {
  const isWhole = verdict === 'conformant' || (verdict === 'non-conformant' && counts.inconclusive === 0);
  return isWhole ? 'Nothing to fix' : 'Nothing found to fix';
}

export const verdictGlyph = ({
  verdict,
  accepted,
  isClean,
}: Pick<ScopedVerdict, 'verdict' | 'accepted' | 'isClean'>): Outcome =>
  isClean ? 'observed' : accepted > 0 ? 'warned' : VERDICT_GLYPHS[verdict];
