import type { RequirementId } from '../../base/interface/types.js';

/** Dependence of a requirement on the way of testing. */
type Trait =
  /** Other users of the keys may explain a violation. */
  | 'exclusive-keys'
  /** Use of the key by something else during the run explains a violation: a refusal, or a fall of Remaining. */
  | 'lone-client'
  /** Counts what a key got: use by somebody else during the run hides it. */
  | 'counting'
  /** One key is enough for all. */
  | 'one-key'
  /** Compares a key with its plan's figures: a key of another plan violates it on a sound server. */
  | 'figures';

const TRAITS: Readonly<Partial<Record<RequirementId, readonly Trait[]>>> = {
  'rate-limit-value': ['figures'],
  'rate-429': ['figures', 'counting'],
  'rate-remaining-counts': ['lone-client', 'figures'],
  'rate-not-early': ['lone-client', 'figures'],
  'rate-concurrent': ['lone-client', 'figures', 'counting'],
  'rate-window': ['figures', 'counting'],
  'rate-retry-after-honoured': ['exclusive-keys', 'lone-client'],
  'rate-reset-truthful': ['exclusive-keys', 'lone-client'],
  'ban-only-after-abuse': ['exclusive-keys', 'lone-client', 'one-key'],
  'rate-per-key': ['exclusive-keys', 'lone-client', 'one-key'],
};

/** Is true if a requirement has a trait. */
export const hasTrait = (row: RequirementId, trait: Trait): boolean => TRAITS[row]?.includes(trait) ?? false;
