import type { RequirementId } from '../../base/interface/types.js';

/**
 * Layers of a response: status, then media type and JSON, then shape, then meaning. The first broken one is
 * charged. Layers above it are not judged, because a prerequisite is missing.
 */
export type Layer = 'transport' | 'rate-limited' | 'status' | 'media' | 'shape';

/** A broken layer, which leaves a response unread. */
export interface Obstacle {
  readonly layer: Layer;
  /** Charged row; null for none (an unexpected 429, the network). */
  readonly charged: RequirementId | null;
  readonly message: string;
  /** Actual result, in words that follow “returned”: “status null”, “404 instead of 201”. */
  readonly returned: string;
  /** Number of animals in a listing that is too long to read. */
  readonly animals?: number;
}

/** First broken layer of a response. */
export interface Break extends Obstacle {
  readonly expected: string;
  readonly actual: string;
  /** What is wrong apart from the status, for the kind of the finding. */
  readonly what?: readonly string[];
}
