import { CHANGES, type Change, type ChangeKind } from '../words/changes.js';
import { isUnselected, reasonText } from '../words/reasons.js';
import type { RequirementResult } from '../results/results.js';
import type { Outcome } from '../../judge/verdict.js';
import { kindsBeyond, kindsOf } from '../results/finding-kind.js';
import { GUESSED, observationChanges, observedText } from './observation-changes.js';

/** Stands for the outcome where a run does not know the requirement. */
const ABSENT = 'absent';
type Side = Outcome | typeof ABSENT;
type Row = RequirementResult | undefined;

/**
 * Returns how a row changed between two runs; null where it did not, or where a run had not selected it.
 *
 * @param lastPass its newest pass before the later run, whose coverage is the usual one
 * @param doubt why a pass of the later run shows no fix; null where it does
 * @param isRepeated true if the later run repeated the requests that showed the failure
 */
export function changeOf(
  before: Row,
  after: Row,
  lastPass: () => Row,
  { doubt, isRepeated }: { readonly doubt: string | null; readonly isRepeated: boolean },
): Omit<Change, 'id'> | null {
  const id = after?.id ?? before?.id;
  const [from, to]: readonly [Side, Side] = [before?.outcome ?? ABSENT, after?.outcome ?? ABSENT];
  const kind = kindOf(from, to);
  // A narrow run shows nothing of the rows that it left out.
  if (kind !== 'first-failing' && isLeftOut(before, after)) return null;
  if (kind === 'newly-passing' && doubt !== null)
    return { kind: 'not-confirmed', why: doubt, before: from, after: to };
  if (kind === 'newly-passing' && isRepeated) return { kind, before: from, after: to };
  if (kind === 'newly-passing') return { ...confirmed(after, lastPass), before: from, after: to };
  if (kind === 'not-confirmed') return { kind, before: from, after: to, ...whyOpen(after) };
  if (GUESSED.has(id) && [from, to].includes('inconclusive') && [from, to].includes('observed')) return null;
  if (kind) return { kind, before: from, after: to };
  const otherwise = findingChange(before, after);
  if (otherwise) return otherwise;
  const seen = observationChanges(before, after);
  if (seen.length === 0) return null;
  const [one, other] = [observedText(seen, 'before'), observedText(seen, 'after')];
  return { kind: 'observation-changed', before: one, after: other };
}

/** Returns whether a run had not selected the row, so that nothing is compared. */
export const isLeftOut = (...sides: readonly Row[]): boolean => sides.some((row) => row && isUnselected(row));

/** Returns whether a pass shows that a row is fixed: less coverage than usual may have missed what failed. */
function confirmed(after: Row, lastPass: () => Row): Pick<Change, 'kind' | 'why'> {
  const { partly = [] } = after ?? {};
  const less = partly.length === 0 ? [] : untriedBeyond(partly, lastPass()?.partly);
  return less.length === 0
    ? { kind: 'newly-passing' }
    : { kind: 'not-confirmed', why: `not tested: ${less.join('; ')}` };
}

/** Returns what a pass did not try, without what is not tried usually. */
function untriedBeyond(partly: readonly string[], usual: readonly string[] = []): readonly string[] {
  const known = new Set(usual.map(withoutFigures));
  return partly.filter((what) => !known.has(withoutFigures(what)));
}

/** What was not tried may name counts of one run. */
const withoutFigures = (text: string): string => text.replaceAll(/\d[\d.,]*/g, '#');

const whyOpen = (after: Row): Pick<Change, 'why'> => (after?.reason ? { why: reasonText(after) } : {});

/**
 * Returns the change of a row that is violated in both runs, by the kinds of its findings; null where they
 * are the same, or unknown in one of the runs.
 */
function findingChange(before: Row, after: Row): Pick<Change, 'kind' | 'before' | 'after'> | null {
  const isFailure = after?.outcome === 'failed';
  if (!before || !after || !(isFailure || after.outcome === 'warned')) return null;
  const [earlier, later] = [kindsOf(before), kindsOf(after)];
  if (earlier === null || later === null) return null;
  const [gone, fresh] = [kindsBeyond(earlier, later), kindsBeyond(later, earlier)];
  if (fresh.length === 0 && (gone.length === 0 || !isFailure)) return null;
  const kind = fresh.length === 0 ? 'failing-less' : isFailure ? 'failing-otherwise' : 'warned-otherwise';
  return { kind, before: gone.join('; '), after: fresh.join('; ') };
}

export function kindOf(before: Side, after: Side): ChangeKind | undefined {
  if (before === after) return undefined;
  switch (after) {
    case 'failed':
      return untested(before) ? 'first-failing' : 'newly-failing';
    case 'warned':
      if (untested(before)) return 'newly-tested';
      return before === 'failed' ? 'outcome-changed' : 'newly-warned';
    case 'inconclusive':
    case 'error':
      if (before === 'failed') return 'not-confirmed';
      // Inconclusive and error both mean unknown.
      return before === 'inconclusive' || before === 'error' ? 'outcome-changed' : 'newly-open';
    case 'not-applicable':
    case ABSENT:
      if (before === 'failed') return 'not-confirmed';
      return untested(before) ? 'outcome-changed' : 'newly-untested';
    case 'passed':
      if (before === 'failed' || before === 'warned') return 'newly-passing';
      return untested(before) ? 'newly-tested' : 'outcome-changed';
    case 'observed':
      return untested(before) ? 'newly-tested' : 'outcome-changed';
  }
}

const UNTESTED: ReadonlySet<Side> = new Set(['inconclusive', 'error', 'not-applicable', ABSENT]);
const untested = (side: Side): boolean => UNTESTED.has(side);

export const isOfFindings = ({ kind }: Pick<Change, 'kind'>): boolean => CHANGES[kind].isOfFindings === true;
