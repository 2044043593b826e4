import { count, counted, duration } from '../../format/format.js';
import type { Figures, FreshSeries, SteadySeries } from '../../limits/series.js';
import { refusedIn, servedIn } from '../telling.js';

/** "59 of 60 requests allowed after two silent windows, then 429." */
export const freshSentence = ({ samples }: FreshSeries, figures: Figures): string =>
  `${count(servedIn(samples))} of ${count(figures.perMinute)} requests allowed after two silent windows, ${refusedIn(samples) > 0 ? 'then 429' : 'no 429'}.`;

/** "58 of 58 requests served at 95 % of the plan." */
export const steadySentence = ({ samples, gapMs }: SteadySeries): string =>
  `${count(servedIn(samples))} of ${counted(samples.length, 'request')} served at 95 % of the plan, one every ${duration(gapMs)}.`;
