import { count } from '../../format/format.js';
import type { DayQuotaSeries, Figures } from '../../limits/series.js';

/** "1,000 of 1,000 a day served, then 429." */
export const daySentence = ({ course, end }: DayQuotaSeries, figures: Figures): string =>
  `${count(course.served.count)} served towards the ${count(figures.perDay)} of a day, ${end === 'refused' ? 'then 429' : 'and no 429'}.`;
