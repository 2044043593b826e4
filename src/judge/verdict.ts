import type { Finding, Reason } from './findings/finding.js';
import type { Level } from '../base/interface/types.js';

export type Outcome = (typeof WORST_FIRST)[number];
export type Verdict = (typeof VERDICTS)[number];
export const VERDICTS = ['conformant', 'non-conformant', 'inconclusive', 'error'] as const;

/** Worst first: a row's findings fold to the first outcome in this list. */
export const WORST_FIRST = [
  'error',
  'failed',
  'inconclusive',
  'warned',
  'passed',
  'observed',
  'not-applicable',
] as const;

/**
 * Returns a finding's outcome; null for none. A violated must fails, others warn; a silent interface has
 * none.
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

/** Returns a row's outcome: inconclusive without findings, and for a must or should with observations only. */
export function fold(level: Level, findings: readonly Finding[]): Outcome {
  const outcomes = new Set(findings.map((finding) => outcomeOf(level, finding)));
  const worst = WORST_FIRST.find((outcome) => outcomes.has(outcome)) ?? 'inconclusive';
  return worst === 'observed' && (level === 'must' || level === 'should') ? 'inconclusive' : worst;
}

/** Returns the reason to show with an outcome: that of the first finding with this outcome and a reason. */
export function reasonOf(level: Level, outcome: Outcome, findings: readonly Finding[]): Reason | undefined {
  const found = findings.find((finding) => 'reason' in finding && outcomeOf(level, finding) === outcome);
  return found && 'reason' in found ? found.reason : undefined;
}

/** Returns the untested parts of a passed requirement, each once; empty for other outcomes. */
export function partlyOf(outcome: Outcome, findings: readonly Finding[]): readonly string[] {
  if (outcome !== 'passed') return [];
  const left = findings.flatMap((finding) =>
    finding.kind === 'untried'
      ? [finding.what]
      : finding.kind === 'not-applicable'
        ? [finding.reason.text]
        : [],
  );
  return [...new Set(left.map((text) => text.replace(/\.$/, '')))];
}

/**
 * Returns the verdict on a target. A kit fault comes first; a failed must decides even in an incomplete run.
 * An inconclusive must, an incomplete run, or no judgement at all rules out conformant.
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

/**
 * Returns the verdict on one or both sides of traffic that others made. Traffic never conforms: what
 * `verdictOf` calls conformant is inconclusive, and `clean` where at least one must was seen to hold.
 */
export function trafficVerdict(...[rows, end]: Parameters<typeof verdictOf>): {
  readonly verdict: Verdict;
  readonly clean: boolean;
} {
  const verdict = verdictOf(rows, end);
  if (verdict !== 'conformant') return { verdict, clean: false };
  return {
    verdict: 'inconclusive',
    clean: rows.some(
      ({ level, outcome }) => level === 'must' && (outcome === 'passed' || outcome === 'warned'),
    ),
  };
}

/**
 * Outcomes that count as judged. A selection without any must rests on these, and none of its rows has
 * failed.
 */
export const JUDGED: ReadonlySet<Outcome> = new Set<Outcome>(['passed', 'failed', 'warned', 'observed']);

export const EXIT_CODES: Readonly<Record<Verdict, number>> = {
  conformant: 0,
  'non-conformant': 1,
  error: 2,
  inconclusive: 3,
};

/**
 * Returns the exit code of a run: 2 for errors in own suites' files, because not all that was requested was
 * done; 0 for traffic in which nothing red was seen, though it never conforms.
 */
export const exitCodeOf = (results: {
  readonly verdict: Verdict;
  readonly clean?: boolean;
  readonly own?: { readonly problems: readonly unknown[] };
}): number => {
  if (results.own && results.own.problems.length > 0) return EXIT_CODES.error;
  return results.clean === true ? EXIT_CODES.conformant : EXIT_CODES[results.verdict];
};
