import { capital, count, counted, duration, sum } from '../../base/kernel/format.js';
import type { KeyName } from '../../base/interface/names.js';

/* Use of a key by something else, and its words: a report names it without judging a key. */

interface Pause {
  readonly sentAt: number;
  readonly from: number;
  readonly to: number;
  readonly requests: number;
  /** Is true if nothing was left after it: then more may have been sent than Remaining shows. */
  readonly isEmptied: boolean;
}

/** Use of a key by somebody else, as Remaining shows it. */
export interface OtherUse {
  /** Requests, at least. */
  readonly requests: number;
  /** A silence of ours in which they came, Unix ms; null: before the first request of the load. */
  readonly pause: { readonly from: number; readonly to: number } | null;
  /** All such silences, with the requests of each, and when the last request before it was sent. */
  readonly pauses?: readonly Pause[];
  /** Requests that were left after each silence, where the server may as well hold no more. */
  readonly always?: number;
  /** False if another mistake could look alike: then it explains what failed, and opens nothing else. */
  readonly isSure: boolean;
}

/** Begins each sentence about it, so that reports can name the cause first. */
export const OTHER_USE = 'something else used';

/** Words it: "something else used the Free key: 6 requests in a pause of 3 s". */
export function otherUseText(key: KeyName, { requests, pause, pauses = [], always: left }: OtherUse): string {
  const subject = `${OTHER_USE} the ${capital(key)} key`;
  if (left !== undefined) {
    const ofPlan = `${count(left)} of ${counted(left + requests, 'request')}`;
    return `${subject}, or the server holds less: ${ofPlan} left after each silence`;
  }
  if (pauses.length > 1) {
    const all = sum(pauses, (one) => one.requests);
    return `${subject}: ${counted(all, 'request')} in ${counted(pauses.length, 'pause')} of the run`;
  }
  const when =
    pause === null
      ? 'before the first request of the load'
      : `in a pause of ${duration(pause.to - pause.from)}`;
  return `${subject}: ${counted(requests, 'request')} ${when}`;
}
