import type { RequirementId } from '../contract/types.js';

/** Dependence of a requirement on the way of testing. */
type Trait =
  /** Says nothing if keys share one allowance. */
  | 'own-allowance'
  /** Other users of the keys may explain a violation. */
  | 'exclusive-keys'
  /** Compares the number of allowed requests with the time. */
  | 'time'
  /** Needs a request at one moment: a late request leaves it open; an early 429 is conclusive. */
  | 'moment'
  /** One key is enough for all. */
  | 'one-key';

const TRAITS: Readonly<Partial<Record<RequirementId, readonly Trait[]>>> = {
  'rate-429': ['own-allowance', 'time'],
  'rate-remaining-counts': ['own-allowance', 'time'],
  'rate-not-early': ['own-allowance', 'time'],
  'rate-concurrent': ['own-allowance', 'time'],
  'rate-window': ['own-allowance', 'time'],
  'rate-retry-after-honoured': ['own-allowance', 'exclusive-keys', 'moment'],
  'rate-reset-truthful': ['own-allowance', 'exclusive-keys', 'moment'],
  'ban-only-after-abuse': ['own-allowance', 'exclusive-keys', 'one-key'],
  'rate-per-key': ['exclusive-keys', 'one-key'],
};

/** Is true if a requirement has a trait. */
export const hasTrait = (row: RequirementId, trait: Trait): boolean => TRAITS[row]?.includes(trait) ?? false;
