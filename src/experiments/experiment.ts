import type { Finding } from '../findings/finding.js';
import type { Figures } from '../limits/series.js';
import type { KeyEvidence } from './evidence.js';
import type { ProfileName } from '../contract/names.js';

/** What an experiment will send with one key, and how long it takes. */
export interface Cost {
  readonly requests: number;
  readonly seconds: number;
}

/** What a cost hangs on besides the plan's figures. */
export interface CostGiven {
  /** From sending to answer, ms. */
  readonly latencyMs: number;
  /** How far a key that was given up may be pushed, and how long a ban lasts at most; null where nobody says. */
  readonly ban: { readonly maxRequests: number; readonly maxSeconds: number | null };
}

/** An experiment that load puts keys through: what it takes, and what its record shows. How it drives stands beside it. */
export interface Experiment {
  readonly name: ProfileName;
  /** Those whose results it goes on from, and cannot do without. */
  readonly after: readonly ProfileName[];
  /** Which keys go through it. */
  readonly keys: 'each-plan' | 'one-plan' | 'sacrificial';
  /** With all others; only where they leave a row to it; or only where it was asked for, and why. */
  readonly runs: { readonly kind: 'always' | 'if-needed' } | { readonly kind: 'opt-in'; readonly because: string };
  readonly cost: (figures: Figures, given: CostGiven) => Cost;
  /** What it says of one key's record; nothing of what was not tried. */
  readonly judge: (evidence: KeyEvidence) => readonly Finding[];
}
