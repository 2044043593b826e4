import {
  allAbout,
  kept,
  observed,
  unestablished,
  violated,
  type Finding,
  type Judgement,
} from '../../judge/findings/finding.js';
import { counted } from '../../base/kernel/format.js';
import type { RequirementResult, Results } from '../results/results.js';
import type { Outcome } from '../../judge/verdict.js';
import { observationChanges, observedText } from './observation-changes.js';

const REQUIREMENT = 'environments-agree';
/** Outcomes that two runs can compare. Observed and inconclusive are none. */
const JUDGED: ReadonlySet<Outcome> = new Set<Outcome>(['passed', 'warned', 'failed']);

/**
 * Judges whether two environments behave the same (part 9): every requirement judged in both runs must have
 * the same outcome. Each difference is a violation; different observations are only listed. Inconclusive
 * where both runs judged nothing in common, or where a run is incomplete and no violation was seen.
 */
export function judgeEnvironments(one: Results, other: Results): readonly Finding[] {
  const others = new Map(other.requirements.map((row) => [row.id, row]));
  const pairs = one.requirements.flatMap((row) => {
    const twin = others.get(row.id);
    return twin && row.id !== REQUIREMENT ? [[row, twin] as const] : [];
  });
  const judged = pairs.filter(([row, twin]) => JUDGED.has(row.outcome) && JUDGED.has(twin.outcome));
  const violations = judged.filter(([row, twin]) => row.outcome !== twin.outcome);
  const names = namesOf(one, other);
  return allAbout(REQUIREMENT, [
    ...violations.map(([row, twin]) => disagreement(row, twin, names)),
    violations.length > 0 ? null : agreement(judged.length, one.complete && other.complete),
    ...pairs.map(([row, twin]) => difference(row, twin, names)),
  ]);
}

type Names = readonly [one: string, other: string];

/** Two targets may share a name; then their addresses distinguish them. */
const namesOf = (one: Results, other: Results): Names =>
  one.target.name === other.target.name
    ? [one.target.baseUrl, other.target.baseUrl]
    : [one.target.name, other.target.name];

const disagreement = (row: RequirementResult, twin: RequirementResult, [one, other]: Names): Judgement =>
  violated([], `${one} and ${other} differ in ${row.id}: ${row.outcome} there, ${twin.outcome} here`, {
    expected: `the same outcome on both: ${row.statement}`,
    actual: `${one}: ${row.outcome}; ${other}: ${twin.outcome}`,
  });

function agreement(judged: number, complete: boolean): Judgement {
  if (judged === 0) return unestablished('too-little-data', 'no requirement was judged in both runs');
  return complete
    ? kept([], `${counted(judged, 'requirement')} had the same outcome on both`)
    : unestablished('interrupted', 'a run was cut short, so not everything could be compared');
}

function difference(row: RequirementResult, twin: RequirementResult, [one, other]: Names): Judgement | null {
  const seen = row.observed && twin.observed ? observationChanges(row, twin) : [];
  if (seen.length === 0) return null;
  return observed(
    [],
    `${one}: ${observedText(seen, 'before')} | ${other}: ${observedText(seen, 'after')}`,
    row.id,
  );
}
