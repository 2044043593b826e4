import type { RequirementResult } from '../verdict/results.js';
import { distinctFindings, type DistinctFinding } from './findings.js';
import { counted } from '../format/format.js';
import { outcomeWords } from './outcomes.js';
import { reasonText } from './reasons.js';

/** What one run says of a requirement, in as many words as a comparison has room for. */
export interface SideWords {
  /** The outcome, with the evidence of what passed: “passed, on 31 answers”. */
  readonly state: string;
  /** Why it was not judged; empty where it was. */
  readonly reason: string;
  readonly findings: readonly DistinctFinding[];
  /** Of how many more findings there is no room. */
  readonly left: number;
}

/** Two or three tell what is wrong; the rest stands in the run's own report. */
const MOST_FINDINGS = 2;

/** What a run says of a requirement; null where it does not know it. */
export function sideWords(result: RequirementResult | null): SideWords {
  if (result === null) return { state: 'unknown to this kit', reason: '', findings: [], left: 0 };
  const { outcome, evidence } = result;
  const findings = distinctFindings(result.findings);
  const on = outcome === 'passed' && evidence > 0 ? `, on ${counted(evidence, 'answer')}` : '';
  return {
    state: `${outcomeWords(outcome)}${on}`,
    reason: result.reason ? reasonText(result) : '',
    findings: findings.slice(0, MOST_FINDINGS),
    left: Math.max(0, findings.length - MOST_FINDINGS),
  };
}

/** In a few words for one line: the outcome, and why. */
export function sideLine(result: RequirementResult | null): string {
  const { state, reason, findings } = sideWords(result);
  const why = reason || findings[0]?.message;
  return why ? `${state}: ${why}` : state;
}
