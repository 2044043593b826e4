import type { Refusal } from './refusals.js';
import type { Timed } from './timing.js';

/**
 * A request of a key, and the refusal whose rest it has to keep. `early`: certainly too early. `kept`: after
 * the rest. `excused`: too early, but it may have been called before the refusal, or repeat one whose rest is
 * over. `unsure`: the record cannot say.
 */
export interface HeldRequest {
  readonly request: Timed;
  readonly against: Refusal;
  readonly state: 'early' | 'kept' | 'excused' | 'unsure';
  /** True if it certainly repeats the refused request. */
  readonly repeats: boolean;
  /** Longest time that can have passed, ms. */
  readonly waitedMs: number;
}

/** All that the refusals of one key show. */
export interface KeyRests {
  readonly key: string;
  /** All requests with the key, in order of arrival. */
  readonly requests: readonly Timed[];
  readonly refusals: readonly Refusal[];
  readonly held: readonly HeldRequest[];
  /** True if a request that repeats none came within a rest, and may have been called before. */
  readonly wentOn: boolean;
  /**
   * True if a request came, or may have come, within a rest, and the record cannot show whether it was called
   * before the refusal.
   */
  readonly isDoubtful: boolean;
}
