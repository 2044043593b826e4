import type { Finding } from '../findings/finding.js';
import type { Figures } from '../limits/series.js';
import type { KeyEvidence } from './evidence.js';
import type { ProfileName } from '../contract/names.js';

/** Number of requests and duration of an experiment with one key. */
export interface Cost {
  readonly requests: number;
  readonly seconds: number;
}

/** Facts for a cost, apart from the plan's figures. */
export interface CostGiven {
  /** Time from sending to response, ms. */
  readonly latencyMs: number;
  /** Requests after the 429 on a sacrificial key, and longest ban in seconds; null if unknown. */
  readonly ban: { readonly maxRequests: number; readonly maxSeconds: number | null };
}

/** Experiment with keys under load: its cost and its judge. Its `drive.ts` sends the requests. */
export interface Experiment {
  readonly name: ProfileName;
  /** Experiments whose results it needs. */
  readonly after: readonly ProfileName[];
  readonly keys: 'each-plan' | 'one-plan' | 'sacrificial';
  /** With all others; only if others leave a requirement open; or only by option, with the reason. */
  readonly runs: { readonly kind: 'always' | 'if-needed' } | { readonly kind: 'opt-in'; readonly because: string };
  readonly cost: (figures: Figures, given: CostGiven) => Cost;
  /** Judges one key's record; no findings if it did not run. */
  readonly judge: (evidence: KeyEvidence) => readonly Finding[];
}
