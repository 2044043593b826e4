import { parsedJson } from '../../base/kernel/json.js';
import { RESULTS, type Results } from './results-shape.js';
import { RunFileError } from '../../base/kernel/errors.js';
import { array, faultIn, has, mixed, nothing, number, object, oneOf } from '../../base/kernel/shape.js';
import { tolerant } from '../../base/kernel/tolerant.js';
import { readRegularFile, whyUnreadable } from '../../base/kernel/yaml-source.js';

/** Largest file: no run comes near it, and reading one whole takes several times its size. */
const MOST_BYTES = 32 * 2 ** 20;

const isDate = (written: string): boolean => !Number.isNaN(Date.parse(written));
const FORMATS = { date: isDate, 'date-time': isDate };

/** Figures of load that comparisons use; the published schema leaves them open. */
const LOAD = object({
  load: array(object({ latency: mixed(object({ count: number, p50: number, p99: number }), nothing) })),
});
const isObject = has(object({}));
const isOfThisVersion = has(object({ schemaVersion: oneOf([1]) }));
/** Files of other kits, with other members, must stay readable. */
const faults = [faultIn(tolerant(RESULTS), FORMATS), faultIn(LOAD)];

/** @throws RunFileError results-damaged (no JSON, or a missing or wrong member) or results-version */
export function parseResults(json: string): Results {
  const value = parsedJson(json);
  if (value === undefined) throw new RunFileError('results-damaged', 'the file is not complete JSON');
  if (!isObject(value)) throw new RunFileError('results-damaged', 'the file has no results');
  if (!isOfThisVersion(value))
    throw new RunFileError(
      'results-version',
      'the file has another version of the format; this kit reads version 1',
    );
  for (const faultOf of faults) {
    const wrong = faultOf(value);
    if (wrong !== null) throw new RunFileError('results-damaged', `"${wrong}" is missing or wrong`);
  }
  return value as unknown as Results;
}

/** @throws RunFileError results-unreadable, and what `parseResults` throws */
export function readResults(file: string): Results {
  let text: string;
  try {
    text = readRegularFile(file, MOST_BYTES);
  } catch (cause) {
    throw new RunFileError('results-unreadable', `it cannot be read (${whyUnreadable(cause)})`, { cause });
  }
  return parseResults(text);
}
