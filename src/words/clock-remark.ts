import { duration } from '../format/format.js';

/** Smallest clock skew worth a sentence, ms: less is the resolution of Date. */
const NOTABLE_SKEW_MS = 2000;

/** Returns a sentence about the target's clock skew, without a full stop; null where it is small. */
export const clockRemark = (skewMs: number | null): string | null =>
  skewMs === null || Math.abs(skewMs) <= NOTABLE_SKEW_MS
    ? null
    : `the target's clock is ${duration(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's; times are judged in the target's time`;
