import type { RequirementId } from '../../base/interface/types.js';

/** Dependence of a requirement on the way of testing. */
type Trait =
  /** Other users of the keys may explain a violation. */
  | 'exclusive-keys'
  /** Use of the key by something else during the run explains a violation: a refusal, or a fall of Remaining. */
  | 'lone-client'
  /** Counts what a key got: use by somebody else during the run hides it. */
  | 'counting'
  /** Fails where more is allowed than should be, as by a server that was restarted and forgot its counts. */
  | 'allowing'
  /** One key is enough for all. */
  | 'one-key'
  /** Compares a key with its plan's figures: a key of another plan violates it on a sound server. */
  | 'figures';

const TRAITS: Readonly<Partial<Record<RequirementId, readonly Trait[]>>> = {
  'rate-limit-value': ['figures'],
  'rate-429': ['figures', 'counting', 'allowing'],
  'rate-remaining-counts': ['lone-client', 'figures', 'allowing'],
  'rate-all-operations': ['allowing'],
  'rate-not-early': ['lone-client', 'figures'],
  'rate-concurrent': ['lone-client', 'figures', 'counting', 'allowing'],
  'rate-window': ['figures', 'counting', 'allowing'],
  'rate-retry-after-honoured': ['exclusive-keys', 'lone-client'],
  'rate-reset-truthful': ['exclusive-keys', 'lone-client'],
  'ban-only-after-abuse': ['exclusive-keys', 'lone-client', 'one-key'],
  'rate-per-key': ['exclusive-keys', 'lone-client', 'one-key'],
};

export const hasTrait = (row: RequirementId, trait: Trait): boolean => TRAITS[row]?.includes(trait) ?? false;
