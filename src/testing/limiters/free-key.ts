import type { Figures } from '../../judge/limits/bounds.js';
import { type KeySeries, NOTHING_RUN } from '../../judge/limits/series.js';

/** Start time of hand-made samples, Unix ms. */
export const START = 1_800_000_000_000;

/** Returns an empty series of a Free key that nobody else uses. */
export const freeKey = (figures: Figures): KeySeries => ({
  key: 'free',
  figures,
  exclusive: true,
  aloneSince: START - 1000,
  ...NOTHING_RUN,
});
