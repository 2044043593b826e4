import type { RequirementId } from '../contract/types.js';

/** Dependence of a requirement on the way of testing. */
type Trait =
  /** Says nothing if keys share one allowance. */
  | 'needs own allowance'
  /** Other users of the keys may explain a violation. */
  | 'needs exclusive keys'
  /** Compares the number of allowed requests with the time. */
  | 'rests on time'
  /** Needs a request at one moment: a late request leaves it open; an early 429 is conclusive. */
  | 'asks at a moment'
  /** One key is enough for all. */
  | 'one key suffices';

const TRAITS: Readonly<Partial<Record<RequirementId, readonly Trait[]>>> = {
  'rate-429': ['needs own allowance', 'rests on time'],
  'rate-remaining-counts': ['needs own allowance', 'rests on time'],
  'rate-not-early': ['needs own allowance', 'rests on time'],
  'rate-concurrent': ['needs own allowance', 'rests on time'],
  'rate-window': ['needs own allowance', 'rests on time'],
  'rate-retry-after-honoured': ['needs own allowance', 'needs exclusive keys', 'asks at a moment'],
  'rate-reset-truthful': ['needs own allowance', 'needs exclusive keys', 'asks at a moment'],
  'ban-only-after-abuse': ['needs own allowance', 'needs exclusive keys', 'one key suffices'],
  'rate-per-key': ['needs exclusive keys', 'one key suffices'],
};

/** Is true if a requirement has a trait. */
export const hasTrait = (row: RequirementId, trait: Trait): boolean => TRAITS[row]?.includes(trait) ?? false;
