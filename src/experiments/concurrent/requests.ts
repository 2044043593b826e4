import { mostInOneWindow } from '../../limits/bounds.js';
import type { Figures } from '../../limits/series.js';
import { BEYOND } from '../../load/bursting/pace.js';

/** How many the concurrent burst asks for: the allowance, what comes back meanwhile, and a tenth (at least three). */
export const concurrentRequests = (figures: Figures, expectedMs: number): number =>
  Math.ceil(mostInOneWindow(figures, expectedMs) + Math.max(BEYOND, figures.perMinute / 10));
