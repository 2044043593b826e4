import type { Exchange, Header } from './types.js';

/** The value of a header, its name in any case; several of one name joined as RFC 9110 section 5.3 allows; null when absent. */
export function header(headers: readonly Header[], name: string): string | null {
  const wanted = name.toLowerCase();
  const values = headers.filter(([candidate]) => candidate.toLowerCase() === wanted).map(([, value]) => value);
  return values.length > 0 ? values.join(', ') : null;
}

/** A header of an exchange's answer; null when it is absent or no answer came. */
export const answerHeader = ({ answer }: Exchange, name: string): string | null =>
  answer.kind === 'response' ? header(answer.headers, name) : null;

/** The answer's status; null when no whole answer came. */
export const statusOf = ({ answer }: Exchange): number | null => (answer.kind === 'response' ? answer.status : null);
