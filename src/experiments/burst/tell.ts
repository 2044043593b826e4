import type { OperationName } from '../../contract/types.js';
import { wasRefused, wasServed } from '../../limits/answers.js';
import type { Sample } from '../../limits/sample.js';
import { count, ordinal } from '../../format/format.js';
import type { Figures } from '../../limits/series.js';
import type { ProfileMark } from '../../log/record.js';
import { acrossWindows, servedIn } from '../telling.js';

const IN_WORDS: Readonly<Record<OperationName, string>> = {
  listPets: 'a listing',
  createPet: 'a creation',
  getPet: 'a fetch',
};

/**
 * "60 of 60 served, the 61st, a creation, refused with 429.", and "63 served across 2 windows of 60, ..." where a window ended
 * in the midst of the burst.
 * @param before how many requests of this key were served in the window before the burst, for another purpose
 */
export function burstSentence(samples: readonly Sample[], figures: Figures, before = 0): string {
  // A burst that got the whole allowance began in a window of its own, whatever had been sent shortly before.
  const isShort = servedIn(samples) < figures.perMinute;
  const beside = before > 0 && isShort ? ` beside ${count(before)} that went before` : '';
  const across = acrossWindows(samples, figures);
  const served =
    across !== ''
      ? `${count(servedIn(samples))} served${across}`
      : `${count(servedIn(samples))} of ${count(figures.perMinute)} served${beside}`;
  const at = samples.findIndex((sample) => !wasServed(sample));
  const over = samples[at];
  if (over === undefined) return `${served}, and none refused.`;
  const what = `the ${ordinal(at + 1)}, ${IN_WORDS[over.operation]},`;
  if (wasRefused(over)) return `${served}, ${what} refused with 429.`;
  return over.status === 0
    ? `${served}, ${what} left without an answer.`
    : `${served}, ${what} answered ${over.status}.`;
}

/** The refusal that ended a burst. */
export const refusalMarks = (refusal: Sample | undefined): readonly ProfileMark[] =>
  refusal === undefined ? [] : [{ kind: 'first-refusal', at: refusal.answeredAt, text: `429 to ${refusal.operation}` }];
