import type { Results } from '../../verdict/results.js';

/** What kept a run from starting, as the sentence that every report begins with. */
export const cannotStart = ({ message }: NonNullable<Results['obstacle']>): string => `Cannot start: ${message}`;

/** That it says nothing about the target: no report of such a run has any other figure. */
export const NOTHING_JUDGED = 'Nothing was judged.';
