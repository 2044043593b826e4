import type { RequirementId } from '../../base/interface/types.js';

/** Dependence of a requirement on the way of testing. */
export type Trait =
  /** Other users of the keys may explain a violation. */
  | 'exclusive-keys'
  /** Compares the number of allowed requests with the time. */
  | 'time'
  /** Needs a request at one moment: a late request leaves it open; an early 429 is conclusive. */
  | 'moment'
  /** Use of the key by something else during the run explains a violation. */
  | 'lone-client'
  /** Use of a key's allowance by another key of the run explains a violation. */
  | 'own-allowance'
  /** Counts requests of a key: use of it by something else leaves open what passed. */
  | 'counts'
  /** One key is enough for all. */
  | 'one-key'
  /** Compares a key with its plan's figures: a key of another plan violates it on a sound server. */
  | 'figures';

const TRAITS: Readonly<Partial<Record<RequirementId, readonly Trait[]>>> = {
  'rate-limit-value': ['figures'],
  'rate-429': ['time', 'counts', 'figures'],
  'rate-remaining-counts': ['own-allowance', 'time', 'counts', 'figures'],
  'rate-not-early': ['time', 'lone-client', 'own-allowance', 'counts', 'figures'],
  'rate-concurrent': ['time', 'counts', 'figures'],
  'rate-window': ['time', 'counts', 'figures'],
  'rate-retry-after-honoured': ['exclusive-keys', 'lone-client', 'own-allowance', 'counts', 'moment'],
  'rate-reset-truthful': ['exclusive-keys', 'lone-client', 'own-allowance', 'counts', 'moment'],
  'ban-only-after-abuse': ['exclusive-keys', 'lone-client', 'own-allowance', 'counts', 'one-key'],
  'rate-per-key': ['exclusive-keys', 'one-key'],
};

/** Is true if a requirement has a trait. */
export const hasTrait = (row: RequirementId, trait: Trait): boolean => TRAITS[row]?.includes(trait) ?? false;
