import type { Results } from '../verdict/results.js';

/** What kept a run from starting, as the sentence that every report begins with. */
export const cannotStart = ({ message }: NonNullable<Results['obstacle']>): string => `Cannot start: ${message}`;

/** How much such a run says of the target: nothing, but where a page came in place of a listing. */
export const whatWasJudged = ({ code }: NonNullable<Results['obstacle']>): string =>
  code === 'web-page' ? 'A page is no JSON, so json-media-type fails; nothing else was judged.' : 'Nothing was judged.';
