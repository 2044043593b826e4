import { count } from '../../format/format.js';
import type { DayQuotaSeries, Figures } from '../../limits/series.js';

/** "1,000 of 1,000 requests of the day allowed, then 429." */
export const daySentence = ({ course, end }: DayQuotaSeries, figures: Figures): string =>
  `${count(course.served.count)} of ${count(figures.perDay)} requests of the day allowed, ${end === 'refused' ? 'then 429' : 'no 429'}.`;
