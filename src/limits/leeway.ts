import { minuteMs } from './bounds.js';
import type { Figures } from './series.js';

/** Over 1 s a wait would no longer be "exactly that long"; a little is left for timers and slow connections. */
const MOST_LEEWAY_MS = 900;
/** With windows of a second or two a whole second would hide a Retry-After that is too short. */
const LEEWAY_OF_WINDOW = 0.15;

/** How much longer than asked to wait, in ms: less than 1 s, and little beside the window. */
export const leeway = (figures: Figures): number => Math.min(MOST_LEEWAY_MS, LEEWAY_OF_WINDOW * minuteMs(figures));
