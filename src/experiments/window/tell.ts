import { wasServed } from '../../limits/answers.js';
import type { Sample } from '../../limits/sample.js';
import { count, counted, duration } from '../../format/format.js';
import type { SpreadSeries } from '../../limits/series.js';
import type { ProfileMark } from '../../log/record.js';
import { answered, servedIn } from '../telling.js';
import type { Bursts } from './window-progress.js';

/** "Let back early and burst 2 times more: 180 served in 21 s." */
export function windowSentence(bursts: Bursts): string {
  const all = bursts.flat();
  const span = (all.at(-1)?.answeredAt ?? 0) - (all[0]?.sentAt ?? 0);
  return `Let back early and burst ${counted(bursts.length - 1, 'time')} more: ${count(servedIn(all))} served in ${duration(span)}.`;
}

/** "Served 61 s after the first of 60 requests that were spread over 36 s." */
export function spreadSentence({ samples, last }: SpreadSeries): string {
  const from = samples[0]?.sentAt ?? 0;
  const spread = `the first of ${counted(samples.length, 'request')} that were spread over ${duration((samples.at(-1)?.sentAt ?? from) - from)}`;
  if (last === null) return `No answer a window after ${spread}.`;
  return `${wasServed(last) ? 'Served' : answered(last, 'Asked and')} ${duration(last.sentAt - from)} after ${spread}.`;
}

/** Where each burst began. */
export const windowMarks = (all: readonly (readonly Sample[])[]): readonly ProfileMark[] =>
  all.flatMap(([first], index) =>
    first === undefined ? [] : [{ kind: 'window' as const, at: first.sentAt, text: `burst ${index + 1}` }],
  );
