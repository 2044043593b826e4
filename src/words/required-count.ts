import type { Results } from '../verdict/results.js';
import type { Outcome } from '../verdict/verdict.js';
import { hasOutcome } from './accepted.js';

/** Counts of a run's musts by outcome. Every report uses these figures. */
export interface RequiredCount {
  /** Musts not declared out of scope: the only denominator. */
  readonly inScope: number;
  readonly passed: number;
  /** Without those that a baseline accepts; they count as accepted. */
  readonly failed: number;
  readonly inconclusive: number;
  readonly accepted: number;
  /** Violated only where a violation warns: by an operation that the contract marks as unstable. */
  readonly warned: number;
  /** Musts whose check failed in the kit. */
  readonly faults: number;
  /** Musts outside this run. */
  readonly outOfScope: number;
}

/** Counts the musts of a run. */
export function requiredCountOf({ requirements }: Pick<Results, 'requirements'>): RequiredCount {
  const musts = requirements.filter(({ level }) => level === 'must');
  const having = (wanted: Outcome): number => musts.filter((row) => hasOutcome(row, wanted)).length;
  const outOfScope = having('not-applicable');
  return {
    inScope: musts.length - outOfScope,
    passed: having('passed'),
    failed: having('failed'),
    inconclusive: having('inconclusive'),
    accepted: musts.filter(({ acceptedUntil }) => acceptedUntil !== undefined).length,
    warned: having('warned'),
    faults: having('error'),
    outOfScope,
  };
}
