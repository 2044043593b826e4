import type { OperationName } from '../contract/types.js';

/**
 * A header that should hold a plain decimal integer: the number when it is written so (at most 15 digits), the raw
 * text when it is not, null when it is absent.
 */
export type HeaderNumber = number | string | null;

/** One answer of a load profile, small enough to keep for every request. */
export interface Sample {
  /** When the schedule wanted it sent; equals sentAt where there is no schedule. Unix ms with a fraction, monotonic. */
  readonly intendedAt: number;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly operation: OperationName;
  /** 0 when no whole answer came. */
  readonly status: number;
  readonly limit: HeaderNumber;
  readonly remaining: HeaderNumber;
  readonly reset: HeaderNumber;
  /** The raw Retry-After text, null when absent. */
  readonly retryAfter: string | null;
  /** The `Date` header in Unix ms, null when absent or unreadable. */
  readonly date: number | null;
}
