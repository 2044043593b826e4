import { describesDay, wasServed, type Sample } from './sample.js';
import { plainInteger } from '../../base/interface/rate-headers.js';
import type { Figures } from './bounds.js';

/** Returns Remaining of a response, unless its Limit says that it speaks of the day; null without one. */
export const leftOf = (sample: Sample, figures: Figures): number | null =>
  describesDay(sample, figures) ? null : plainInteger(sample.remaining);

/** Returns Remaining of each success that names it, in the order of the samples. */
export const leftsOf = (samples: readonly Sample[], figures: Figures): readonly number[] =>
  samples.flatMap((sample) => (wasServed(sample) ? (leftOf(sample, figures) ?? []) : []));
