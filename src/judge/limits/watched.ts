import { hadBy, type Step } from './account.js';
import { MOSTLY, type Figures } from './bounds.js';

/* What single requests to a watched key had left, one after the other. */

export const isFlat = (had: readonly number[]): boolean => had.every((one) => one === had[0]);

export const isWatched = ({ after }: Step): boolean => after.question === 'watch' && after.part !== 'lone';

/** Is true while a key may be a full bucket: mostly it has as many left as before. */
export const isLevel = (had: readonly number[]): boolean =>
  had.filter((one, at) => one < (had[at - 1] ?? one)).length <= MOSTLY * had.length;

/** Is true for a bucket that is full again after it was not. */
export function isFullAgain(had: readonly number[]): boolean {
  const most = Math.max(...had);
  return isLevel(had) && had.lastIndexOf(most) > had.findIndex((one) => one < most);
}

/**
 * Finds a request for which a full bucket lacks some after a pause that is longer than its steps: two pauses
 * in a row that each brought some hold two of them. Null without.
 */
export function dipIn(watched: readonly Step[], figures: Figures): Step | null {
  const before = (step: Step): number => hadBy(step.before, figures) ?? Infinity;
  const most = Math.max(...watched.map(before));
  const stepMs = Math.min(
    ...watched.map((step, at) => {
      const last = watched[at - 1];
      const isRefilled = step.had >= before(step) && last !== undefined && last.had >= before(last);
      return isRefilled ? step.after.answeredAt - last.before.sentAt : Infinity;
    }),
  );
  const dip = watched.find((step) => before(step) === most && step.had < most && step.silentMs > stepMs);
  return dip ?? null;
}
