import { count, counted } from '../../format/format.js';
import type { ConcurrentSeries } from '../../limits/series.js';
import { refusedIn, servedIn } from '../telling.js';

/** "60 of 79 parallel requests served on 20 connections, 19 refused." */
export const concurrentSentence = ({ samples, connections }: ConcurrentSeries): string =>
  `${count(servedIn(samples))} of ${count(samples.length)} parallel requests served on ${counted(connections, 'connection')}, ${count(refusedIn(samples))} refused.`;
