/** Longest delay of a timer in Node, ms (2^31 - 1); a longer one would end immediately. */
export const LONGEST_TIMER_MS = 2_147_483_647;
