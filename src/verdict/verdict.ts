import type { Finding, Reason } from '../findings/finding.js';
import type { Level } from '../contract/types.js';

/** What became of one requirement in one run. */
export type Outcome = 'passed' | 'failed' | 'warned' | 'observed' | 'not-applicable' | 'inconclusive' | 'error';

/** What became of the target. */
export type Verdict = 'conformant' | 'non-conformant' | 'inconclusive' | 'error';

/** Worst first: several findings fold to the first of these that any of them has. */
export const WORST_FIRST = [
  'error',
  'failed',
  'inconclusive',
  'warned',
  'passed',
  'observed',
  'not-applicable',
] as const satisfies readonly Outcome[];

/**
 * A must that is violated fails, anything else that is violated warns; the interface cannot be broken where it is silent.
 * null for what bears on no outcome.
 */
export function outcomeOf(level: Level, finding: Finding): Outcome | null {
  switch (finding.kind) {
    case 'fault':
      return 'error';
    case 'violated':
      if (level === 'may' || level === 'open') return finding.warns ? 'warned' : 'observed';
      return level === 'must' && !finding.warns ? 'failed' : 'warned';
    case 'inconclusive':
      return 'inconclusive';
    case 'kept':
      return level === 'must' || level === 'should' ? 'passed' : 'observed';
    case 'observed':
      return 'observed';
    case 'not-applicable':
      return 'not-applicable';
    case 'untried':
      return null;
  }
}

/**
 * Nothing found is never passed: with no findings at all the outcome is inconclusive, and so is a must or a should
 * of which something was seen but nothing judged.
 */
export function fold(level: Level, findings: readonly Finding[]): Outcome {
  const outcomes = new Set(findings.map((finding) => outcomeOf(level, finding)));
  const worst = WORST_FIRST.find((outcome) => outcomes.has(outcome)) ?? 'inconclusive';
  return worst === 'observed' && (level === 'must' || level === 'should') ? 'inconclusive' : worst;
}

/** The reason to show beside an outcome that needs one: the first finding of that outcome that carries a reason. */
export function reasonOf(level: Level, outcome: Outcome, findings: readonly Finding[]): Reason | undefined {
  const found = findings.find((finding) => 'reason' in finding && outcomeOf(level, finding) === outcome);
  return found && 'reason' in found ? found.reason : undefined;
}

/**
 * What was not tried of a requirement that passed, each thing once: parts that were left out, and parts that stood aside
 * beside others that were kept. Empty for any other outcome, which says for itself what is missing.
 */
export function partlyOf(outcome: Outcome, findings: readonly Finding[]): readonly string[] {
  if (outcome !== 'passed') return [];
  const left = findings.flatMap((finding) =>
    finding.kind === 'untried' ? [finding.what] : finding.kind === 'not-applicable' ? [finding.reason.text] : [],
  );
  return [...new Set(left.map((text) => text.replace(/\.$/, '')))];
}

/**
 * The verdict on a target. A fault of the kit outranks everything; a failed must decides even in a run that was cut
 * short; a must that is inconclusive, or a run that is not complete, forbids the word conformant; and so does a
 * run in which nothing was judged.
 */
export function verdictOf(
  rows: readonly { level: Level; outcome: Outcome }[],
  { complete, fault }: { readonly complete: boolean; readonly fault: boolean },
): Verdict {
  if (fault || rows.some((row) => row.outcome === 'error')) return 'error';
  const musts = rows.filter((row) => row.level === 'must' && row.outcome !== 'not-applicable');
  if (musts.some((row) => row.outcome === 'failed')) return 'non-conformant';
  if (!complete || musts.some((row) => row.outcome === 'inconclusive')) return 'inconclusive';
  return rows.some((row) => JUDGED.has(row.outcome)) ? 'conformant' : 'inconclusive';
}

/** A selection may hold no must at all; then its verdict stands on what else was judged. */
const JUDGED: ReadonlySet<Outcome> = new Set<Outcome>(['passed', 'warned', 'observed']);

/** The exit codes of `run`: 0 conformant, 1 not, 2 a fault of the kit, 3 inconclusive. */
export const EXIT_CODES: Readonly<Record<Verdict, number>> = {
  conformant: 0,
  'non-conformant': 1,
  error: 2,
  inconclusive: 3,
};

/**
 * The exit code of a run. What went wrong in files of somebody's own is theirs to mend, whatever the verdict on the target:
 * a run that did not do all that it was asked for is no success.
 */
export const exitCodeOf = (results: {
  readonly verdict: Verdict;
  readonly own?: { readonly problems: readonly unknown[] };
}): number => (results.own && results.own.problems.length > 0 ? EXIT_CODES.error : EXIT_CODES[results.verdict]);
