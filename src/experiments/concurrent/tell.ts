import { count, counted } from '../../format/format.js';
import type { ConcurrentSeries, Figures } from '../../limits/series.js';
import { bySending } from '../../limits/answers.js';
import { acrossWindows, refusedIn, servedIn } from '../telling.js';

/** "60 of 79 parallel requests allowed, 19 refused (20 connections)."; above the plan it names the limit. */
export function concurrentSentence({ samples, connections }: ConcurrentSeries, figures: Figures): string {
  const served = servedIn(samples);
  const over =
    served > figures.perMinute
      ? acrossWindows(bySending(samples), figures) || ` where the plan has ${count(figures.perMinute)}`
      : '';
  return `${count(served)} of ${count(samples.length)} parallel requests allowed${over}, ${count(refusedIn(samples))} refused (${counted(connections, 'connection')}).`;
}
