import { wasRefused, wasServed } from '../limits/answers.js';
import type { Sample } from '../limits/sample.js';

/*
 * What the sentences of experiments share. A sentence tells what came back and judges nothing.
 */

/** How many were served. */
export const servedIn = (samples: readonly Sample[]): number => samples.filter(wasServed).length;

/** How many were refused with 429. */
export const refusedIn = (samples: readonly Sample[]): number => samples.filter(wasRefused).length;

/** "answered 503", "left without an answer"; `before` stands in front. */
export const answered = ({ status }: Sample, before: string): string =>
  `${before} ${status === 0 ? 'left without an answer' : `answered ${status}`}`.trim();
