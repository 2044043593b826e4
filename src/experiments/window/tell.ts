import { wasServed } from '../../limits/answers.js';
import type { Sample } from '../../limits/sample.js';
import { count, counted, duration } from '../../format/format.js';
import type { SpreadSeries } from '../../limits/series.js';
import type { ProfileMark } from '../../log/record.js';
import { answered, servedIn } from '../telling.js';
import type { Bursts } from './window-progress.js';

/** "2 more bursts before the window ended: 180 requests allowed in 21 s." */
export function windowSentence(bursts: Bursts): string {
  const all = bursts.flat();
  const span = (all.at(-1)?.answeredAt ?? 0) - (all[0]?.sentAt ?? 0);
  return `${counted(bursts.length - 1, 'more burst')} before the window ended: ${count(servedIn(all))} requests allowed in ${duration(span)}.`;
}

/** "60 requests spread over 36 s; the next one, 61 s after the first, was served." */
export function spreadSentence({ samples, last }: SpreadSeries): string {
  const from = samples[0]?.sentAt ?? 0;
  const spread = `${counted(samples.length, 'request')} spread over ${duration((samples.at(-1)?.sentAt ?? from) - from)}`;
  if (last === null) return `${spread}; no response to a request a window later.`;
  return `${spread}; the next one, ${duration(last.sentAt - from)} after the first, was ${wasServed(last) ? 'served' : answered(last, '')}.`;
}

/** Where each burst began. */
export const windowMarks = (all: readonly (readonly Sample[])[]): readonly ProfileMark[] =>
  all.flatMap(([first], index) =>
    first === undefined ? [] : [{ kind: 'window' as const, at: first.sentAt, text: `burst ${index + 1}` }],
  );
