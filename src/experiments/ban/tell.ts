import { wasServed } from '../../limits/answers.js';
import type { Sample } from '../../limits/sample.js';
import { counted, duration } from '../../format/format.js';
import type { BanSeries } from '../../limits/series.js';
import type { ProfileMark } from '../../log/record.js';
import { refusedIn } from '../telling.js';

/** "Banned after 23 requests refused with 429, answered 403, over after 30 s; the free key was served meanwhile." */
export function banSentence({ pushed, watched, otherKeys }: BanSeries, began: Sample | null): string {
  const refused = counted(refusedIn(pushed), 'request');
  const end = watched.find(wasServed);
  const last = pushed.at(-1);
  if (began === null) {
    const later =
      end !== undefined && last !== undefined
        ? `, served ${duration(end.sentAt - last.answeredAt)} after the last`
        : '';
    return `No ban seen after ${refused} refused with 429${later}.`;
  }
  const lasted =
    end === undefined ? 'still held when last asked' : `over after ${duration(end.sentAt - began.answeredAt)}`;
  const other = otherKeys.find(({ during }) => wasServed(during));
  const others = other === undefined ? '' : `; the ${other.key} key was served meanwhile`;
  return `Banned after ${refused} refused with 429, answered ${began.status}, ${lasted}${others}.`;
}

/** When the ban began, and when the key was served again. */
export function banMarks(began: Sample | null, last: Sample | undefined): readonly ProfileMark[] {
  if (began === null) return [];
  return [
    { kind: 'ban-begins', at: began.answeredAt, text: `first ${began.status} of the ban` },
    ...(last !== undefined && wasServed(last)
      ? [{ kind: 'ban-ends' as const, at: last.answeredAt, text: 'served again' }]
      : []),
  ];
}
