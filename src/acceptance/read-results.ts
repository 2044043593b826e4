import { readRegularFile, whyUnreadable } from '../contract/yaml-source.js';
import type { Results } from '../verdict/results.js';
import { parseResults, ResultsError } from './parse-results.js';

/** No run writes results that come near it; they are read whole, and take several times as much. */
const MOST_BYTES = 32 * 2 ** 20;

/**
 * Reads a results.json.
 * @throws ResultsError results-unreadable, and what `parseResults` throws
 */
export function readResults(file: string): Results {
  let text: string;
  try {
    text = readRegularFile(file, MOST_BYTES);
  } catch (cause) {
    throw new ResultsError('results-unreadable', `it cannot be read (${whyUnreadable(cause)})`, { cause });
  }
  return parseResults(text);
}
