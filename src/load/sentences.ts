import type { OperationName } from '../contract/types.js';
import { wasRefused, wasServed } from '../limits/answers.js';
import type { Sample } from '../limits/sample.js';
import type { Bursts } from '../limits/oracles/window-progress.js';
import { counted, duration, figure, ordinal } from '../limits/say.js';
import type {
  BanSeries,
  ConcurrentSeries,
  DayQuotaSeries,
  Figures,
  FreshSeries,
  SpreadSeries,
  SteadySeries,
} from '../limits/series.js';
import { windowsSeen } from '../limits/windows-seen.js';
import type { Recovery } from './profiles/recovery.js';

/*
 * What a profile found, in one sentence for people. It tells what came back and judges nothing: that is the oracles'.
 */

const IN_WORDS: Readonly<Record<OperationName, string>> = {
  listPets: 'a listing',
  createPet: 'a creation',
  getPet: 'a fetch',
};

const servedIn = (samples: readonly Sample[]): number => samples.filter(wasServed).length;
const refusedIn = (samples: readonly Sample[]): number => samples.filter(wasRefused).length;

/**
 * "60 of 60 served, the 61st, a creation, refused with 429.", and "63 served in 2 windows of 60, ..." where a window ended
 * in the midst of the burst.
 * @param before how many requests of this key were served in the window before the burst, for another purpose
 */
export function burstSentence(samples: readonly Sample[], figures: Figures, before = 0): string {
  // A burst that got the whole allowance began in a window of its own, whatever had been sent shortly before.
  const isShort = servedIn(samples) < figures.perMinute;
  const beside = before > 0 && isShort ? ` beside ${figure(before)} that went before` : '';
  const windows = windowsSeen(samples, figures).pieces.length;
  const served =
    windows > 1
      ? `${figure(servedIn(samples))} served in ${counted(windows, 'window')} of ${figure(figures.perMinute)}`
      : `${figure(servedIn(samples))} of ${figure(figures.perMinute)} served${beside}`;
  const at = samples.findIndex((sample) => !wasServed(sample));
  const over = samples[at];
  if (over === undefined) return `${served}, and none refused.`;
  const what = `the ${ordinal(at + 1)}, ${IN_WORDS[over.operation]},`;
  if (wasRefused(over)) return `${served}, ${what} refused with 429.`;
  return over.status === 0
    ? `${served}, ${what} left without an answer.`
    : `${served}, ${what} answered ${over.status}.`;
}

/** "Served again 0.4 s after Retry-After (58 s) was over." */
export function recoverySentence({ series: { refusal, retry, resetRetry }, resetAt }: Recovery): string {
  if (retry === null) return 'The wait was not ended.';
  const waited = duration(retry.sentAt - refusal.answeredAt);
  const told = refusal.retryAfter === null ? 'no Retry-After' : `Retry-After: ${refusal.retryAfter}`;
  const first = wasServed(retry) ? 'Served again' : answered(retry, 'Asked again and');
  const second =
    resetRetry === null
      ? ''
      : `, and ${wasServed(resetRetry) ? 'served' : answered(resetRetry, '')} ${resetAt !== null ? 'once Reset had passed' : 'later'}`;
  return `${first} ${waited} after the 429 (${told})${second}.`;
}

/** "Served once Reset had passed, 60.3 s after the 429." */
export function resetSentence({ series: { refusal, resetRetry } }: Recovery): string {
  if (resetRetry === null) return 'Reset was not waited for.';
  const what = wasServed(resetRetry) ? 'Served' : answered(resetRetry, 'Asked and');
  return `${what} once Reset had passed, ${duration(resetRetry.sentAt - refusal.answeredAt)} after the 429.`;
}

const answered = ({ status }: Sample, before: string): string =>
  `${before} ${status === 0 ? 'left without an answer' : `answered ${status}`}`.trim();

/** "60 of 79 parallel requests served on 20 connections, 19 refused." */
export const concurrentSentence = ({ samples, connections }: ConcurrentSeries): string =>
  `${figure(servedIn(samples))} of ${figure(samples.length)} parallel requests served on ${counted(connections, 'connection')}, ${figure(refusedIn(samples))} refused.`;

/** "Let back early and burst 2 times more: 180 served in 21 s." */
export function windowSentence(bursts: Bursts): string {
  const all = bursts.flat();
  const span = (all.at(-1)?.answeredAt ?? 0) - (all[0]?.sentAt ?? 0);
  return `Let back early and burst ${counted(bursts.length - 1, 'time')} more: ${figure(servedIn(all))} served in ${duration(span)}.`;
}

/** "Served 61 s after the first of 60 requests that were spread over 36 s." */
export function spreadSentence({ samples, last }: SpreadSeries): string {
  const from = samples[0]?.sentAt ?? 0;
  const spread = `the first of ${counted(samples.length, 'request')} that were spread over ${duration((samples.at(-1)?.sentAt ?? from) - from)}`;
  if (last === null) return `No answer a window after ${spread}.`;
  return `${wasServed(last) ? 'Served' : answered(last, 'Asked and')} ${duration(last.sentAt - from)} after ${spread}.`;
}

/** "59 of 60 served after two windows of silence, then 429." */
export const freshSentence = ({ samples }: FreshSeries, figures: Figures): string =>
  `${figure(servedIn(samples))} of ${figure(figures.perMinute)} served after two windows of silence, ${refusedIn(samples) > 0 ? 'then 429' : 'and no 429'}.`;

/** "58 of 58 requests served at 95 % of the plan." */
export const steadySentence = ({ samples, gapMs }: SteadySeries): string =>
  `${figure(servedIn(samples))} of ${counted(samples.length, 'request')} served at 95 % of the plan, one every ${duration(gapMs)}.`;

/** "1,000 of 1,000 a day served, then 429." */
export const daySentence = ({ course, end }: DayQuotaSeries, figures: Figures): string =>
  `${figure(course.served.count)} served towards the ${figure(figures.perDay)} of a day, ${end === 'refused' ? 'then 429' : 'and no 429'}.`;

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
