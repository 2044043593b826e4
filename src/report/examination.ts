import type { KeyName } from '../base/interface/names.js';
import type { LoadPlan } from '../drive/profiles/plan-load.js';
import type { Obstacle, PreflightFacts } from '../log/record.js';

/** Unusual property of a target that does not prevent a run: a sentence without a full stop, and a hint. */
export interface Doubt {
  readonly text: string;
  readonly hint: string;
}

export type PreflightResult =
  | { readonly ok: true; readonly facts: PreflightFacts; readonly doubts: readonly Doubt[] }
  | { readonly ok: false; readonly obstacle: Obstacle };

export interface KeyLook {
  readonly key: KeyName;
  readonly found: PreflightResult;
}

export interface SuitesCost {
  readonly withKey: number;
  readonly withoutKey: number;
}

/** Estimated requests and seconds of a run; null for a half that is not run. */
export interface RunCost {
  readonly suites: SuitesCost | null;
  readonly load: LoadPlan | null;
  readonly requests: number;
  readonly seconds: number;
  /** What conditional questions may add to both. */
  readonly more: { readonly requests: number; readonly seconds: number };
}

/** What `doctor` shows. */
export interface Examination {
  /** The suites' key first; without a response to it, no other. */
  readonly looks: readonly KeyLook[];
  readonly cost: RunCost | null;
}
