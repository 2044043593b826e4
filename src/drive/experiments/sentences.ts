import type { Sample } from '../../judge/limits/sample.js';

/* Helpers for the sentences of experiments. A sentence describes the requests and judges nothing. */

/** Returns "got 503" or "got no response". */
export const answered = ({ status }: Sample): string => (status === 0 ? 'got no response' : `got ${status}`);
