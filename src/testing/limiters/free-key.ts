import { type Figures, type KeySeries, NOTHING_RUN } from '../../limits/series.js';

/** When what is put together by hand begins, Unix ms. */
export const START = 1_800_000_000_000;

/** A Free key that nobody else uses and with which nothing has been sent. */
export const freeKey = (figures: Figures): KeySeries => ({
  key: 'free',
  figures,
  exclusive: true,
  aloneSince: START - 1000,
  ...NOTHING_RUN,
});
