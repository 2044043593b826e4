import type { RequirementId } from '../contract/types.js';

/** How a row of the limits depends on the way it was judged. */
type Trait =
  /** A row that says nothing of its own where keys share one allowance. */
  | 'needs own allowance'
  /** A row whose violation other users of the keys explain. */
  | 'needs exclusive keys'
  /** A row that compares what was served with the time that it took. */
  | 'rests on time'
  /** A row that sends a request at one moment: a late request leaves it open, and a refusal was in time. */
  | 'asks at a moment'
  /** A row that one key shows for all. */
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

/** Whether a row has a trait. */
export const hasTrait = (row: RequirementId, trait: Trait): boolean => TRAITS[row]?.includes(trait) ?? false;
