import type { Results } from '../verdict/results.js';

/** Obstacle of a run, as the first sentence of every report. */
export const cannotStart = ({ message }: NonNullable<Results['obstacle']>): string => `Cannot start: ${message}`;

/** Says what such a run judged: nothing, except for a web page in place of a listing. */
export const whatWasJudged = ({ code }: NonNullable<Results['obstacle']>): string =>
  code === 'web-page'
    ? 'An HTML page is not JSON, so json-media-type fails. Nothing else was judged.'
    : 'Nothing was judged.';
