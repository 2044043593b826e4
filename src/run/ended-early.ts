import { counted, listedUpTo } from '../base/kernel/format.js';

/** Most requirements that the sentence names: a process that ends early leaves up to 54. */
const MOST_NAMED = 3;

/**
 * Returns the message of a suites' process that ended before it judged its rows. Its output follows on
 * further lines. Pure.
 *
 * @param missing ids of the rows that it left, at least one
 * @param ended exit code (null after a signal), and the output without keys
 */
export function endedEarly(
  missing: readonly string[],
  { code, output }: { readonly code: number | null; readonly output: string },
): string {
  const how = code === null ? 'was stopped by a signal' : `ended with code ${code}`;
  const left = `Playwright ${how}; ${counted(missing.length, 'requirement')} not judged: ${listedUpTo(missing, MOST_NAMED)}`;
  const text = output.trim();
  return text === '' ? `${left}. It printed nothing.` : `${left}. Its output:\n${text}`;
}
