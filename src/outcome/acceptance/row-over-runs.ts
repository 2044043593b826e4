import type { RequirementId } from '../../base/interface/types.js';
import { JUDGED, type Outcome } from '../../judge/verdict.js';

/** State of one requirement in one run; its outcome is null where the run does not know it or never started. */
export interface RowState<Run> {
  readonly run: Run;
  readonly outcome: Outcome | null;
}

/** One requirement over runs, oldest first. */
export interface RowOverRuns<Run> {
  readonly id: RequirementId;
  readonly states: readonly RowState<Run>[];
}

/**
 * Follows a requirement over runs.
 *
 * @param runs oldest first
 */
export const rowOverRuns = <Run>(
  id: RequirementId,
  runs: readonly Run[],
  outcomeIn: (run: Run, id: RequirementId) => Outcome | null,
): RowOverRuns<Run> => ({ id, states: runs.map((run) => ({ run, outcome: outcomeIn(run, id) })) });

/** Returns whether a run saw how the target behaves: unknown and not tested show nothing of it. */
export const isJudged = (outcome: Outcome | null | undefined): outcome is Outcome =>
  outcome !== null && outcome !== undefined && JUDGED.has(outcome);

/** Returns whether a run tried the requirement and could not determine it. */
export const isOpen = (outcome: Outcome | null | undefined): outcome is 'inconclusive' | 'error' =>
  outcome === 'inconclusive' || outcome === 'error';

/** Returns the newest state in which a run judged the row; undefined where none did. */
export const lastJudged = <Run>({ states }: RowOverRuns<Run>): RowState<Run> | undefined =>
  states.findLast(({ outcome }) => isJudged(outcome));

/** Returns the newest state in which a run tried the row, whatever came of it. */
export const lastTried = <Run>({ states }: RowOverRuns<Run>): RowState<Run> | undefined =>
  states.findLast(({ outcome }) => isJudged(outcome) || isOpen(outcome));
