import type { Results } from '../verdict/results.js';
import type { Outcome } from '../verdict/verdict.js';
import { hasOutcome } from './accepted.js';

/** The musts of a run by what became of them. Every report counts musts by these figures and by no others. */
export interface Musts {
  /** All that are not declared out of scope: the one denominator. */
  readonly inScope: number;
  readonly passed: number;
  /** Those that a baseline accepts as they are count as accepted, and not here. */
  readonly failed: number;
  readonly inconclusive: number;
  readonly accepted: number;
  /** Violated only where a violation warns: by an operation that the contract marks as not stable yet. */
  readonly warned: number;
  /** Musts whose judging broke down in the kit. */
  readonly faults: number;
  /** Musts that this run had no business with. */
  readonly outOfScope: number;
}

/** Counts the musts of a run; see `Musts`. */
export function mustsOf({ requirements }: Pick<Results, 'requirements'>): Musts {
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
