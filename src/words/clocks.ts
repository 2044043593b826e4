import { duration } from '../format/format.js';

/** A clock further off than this is worth a sentence, ms: less is the resolution of Date. */
const NOTABLE_SKEW_MS = 2000;

/** That the target's clock is off, as a sentence without a full stop; null where it is near enough to be a figure among others. */
export const clockRemark = (skewMs: number | null): string | null =>
  skewMs === null || Math.abs(skewMs) <= NOTABLE_SKEW_MS
    ? null
    : `the target's clock is ${duration(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's; times are judged by the target's own`;
