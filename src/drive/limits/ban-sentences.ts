import type { BanSeries } from '../../judge/limits/series.js';
import type { KeySession } from '../load/key-session.js';
import { bySending, refusedIn, wasRefused, wasServed, type Sample } from '../../judge/limits/sample.js';
import { banSeen, overText } from '../../judge/limits/ban-seen.js';
import { counted, duration } from '../../base/kernel/format.js';
import type { ProfileMark } from '../../log/record.js';

/**
 * Says that a key was banned since a time: " The key looks banned: 403 after 5 refusals in a row." Empty if
 * not.
 */
export function banMetSince(
  from: number,
  { samples, figures }: Pick<KeySession, 'samples' | 'figures'>,
): string {
  const pushed = bySending(samples());
  const began = banSeen({ pushed, watched: [] }, figures, null)?.began;
  if (began === undefined || began.sentAt < from) return '';
  const at = pushed.indexOf(began);
  const next = pushed[at + 1];
  // A ban lasts.
  if (next !== undefined && wasServed(next)) return '';
  const before = pushed.slice(0, at);
  const refusals = refusedIn(before.slice(before.findLastIndex(wasServed) + 1));
  // The first refusal is the limit's own, however long it asks to wait.
  if (refusals === 0 && wasRefused(began)) return '';
  return ` The key looks banned: ${began.status} after ${counted(refusals, 'refusal')} in a row.`;
}

/** Describes a ban: "Banned after 23 requests refused with 429, answered 403, over after 30 s; …". */
export function banSentence({ pushed, watched, otherKey }: BanSeries, began: Sample | null): string {
  const refused = counted(refusedIn(pushed), 'request');
  const end = watched.find(wasServed);
  const last = pushed.at(-1);
  if (began === null) {
    const later =
      end && last ? `; allowed again ${duration(end.sentAt - last.answeredAt)} after the last` : '';
    return `No ban after ${refused} refused with 429${later}.`;
  }
  const others =
    otherKey && wasServed(otherKey.during) ? `; the ${otherKey.key} key was allowed meanwhile` : '';
  return `Banned after ${refused} refused with 429: status ${began.status}, ${overText(end, began)}${others}.`;
}

export function banMarks(began: Sample | null, last: Sample | undefined): readonly ProfileMark[] {
  if (began === null) return [];
  return [
    { kind: 'ban-begins', at: began.answeredAt, text: `first ${began.status} of the ban` },
    ...(last !== undefined && wasServed(last)
      ? [{ kind: 'ban-ends' as const, at: last.answeredAt, text: 'allowed again' }]
      : []),
  ];
}
