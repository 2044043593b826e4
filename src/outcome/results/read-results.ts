import type { Results } from './results.js';
import { WORST_FIRST } from '../../judge/verdict.js';
import { RunFileError } from '../../base/kernel/errors.js';
import { readRegularFile, whyUnreadable } from '../../base/kernel/yaml-source.js';
import {
  has,
  list,
  number,
  object,
  oneOf,
  optional,
  orNull,
  refined,
  type Shapes,
  text,
  truth,
} from '../../base/kernel/shape.js';

/** Largest file: no run comes near it, and reading one whole takes several times its size. */
const MOST_BYTES = 32 * 2 ** 20;

const words = text(MOST_BYTES);
const date = refined(words, { format: 'date' });
const verdict = oneOf(['conformant', 'non-conformant', 'inconclusive', 'error']);

const requirement = object({
  id: words,
  level: oneOf(['must', 'should', 'may', 'open']),
  part: oneOf([1, 2, 3, 4, 5, 6, 7, 8, 9]),
  statement: words,
  outcome: oneOf(WORST_FIRST),
  reason: optional(object({ code: words, text: words })),
  partly: optional(list(words)),
  observed: optional(list(object({ subject: optional(words), value: words }))),
  findings: optional(list(object({ message: words, kind: optional(words) }))),
});

/**
 * Members of results.json that comparisons and histories read. The published schema is stricter; files of newer kits with
 * more members must stay readable here.
 */
const MEMBERS: Shapes = {
  verdict,
  complete: truth,
  label: optional(words),
  subject: optional(list(object({ name: words }))),
  obstacle: optional(object({ message: words })),
  startedAt: date,
  finishedAt: date,
  durationMs: number,
  kit: object({ name: words, version: words }),
  interface: object({ version: words }),
  target: object({ name: words, baseUrl: words }),
  scope: object({ plans: list(words), asOf: words }),
  requests: object({ total: number }),
  counts: object(Object.fromEntries(WORST_FIRST.map((outcome) => [outcome, number]))),
  requirements: list(requirement),
  capacity: optional(
    object({
      scenario: words,
      phases: list(object({ name: words, latencyMs: object({ p50: number, p99: number, max: number }) })),
      thresholds: list(
        object({ text: words, value: orNull(number), outcome: oneOf(['met', 'missed', 'inconclusive']) }),
      ),
    }),
  ),
  own: optional(
    object({ decide: truth, verdict, requirements: list(requirement), problems: list(object({ message: words })) }),
  ),
  load: list(object({ latency: orNull(object({ count: number, p50: number, p99: number })) })),
};

const fits = (members: Shapes) => has(object(members), { date: (written) => !Number.isNaN(Date.parse(written)) });
const isResults = fits(MEMBERS);
const isObject = has(object({}));
const isOfThisVersion = has(object({ schemaVersion: oneOf([1]) }));

/**
 * Parses the text of a results.json. Pure.
 * @throws RunFileError results-damaged (no JSON, or a missing or wrong member) or results-version
 */
export function parseResults(json: string): Results {
  const value = parse(json);
  if (!isObject(value)) throw new RunFileError('results-damaged', 'the file has no results');
  if (!isOfThisVersion(value))
    throw new RunFileError('results-version', 'the file has another version of the format; this kit reads version 1');
  if (isResults(value)) return value as unknown as Results;
  const wrong = Object.entries(MEMBERS).find(([name, shape]) => !fits({ [name]: shape })(value));
  throw new RunFileError('results-damaged', `"${wrong?.[0]}" is missing or wrong`);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new RunFileError('results-damaged', 'the file is not complete JSON', { cause });
  }
}

/**
 * Reads a results.json.
 * @throws RunFileError results-unreadable, and what `parseResults` throws
 */
export function readResults(file: string): Results {
  let text: string;
  try {
    text = readRegularFile(file, MOST_BYTES);
  } catch (cause) {
    throw new RunFileError('results-unreadable', `it cannot be read (${whyUnreadable(cause)})`, { cause });
  }
  return parseResults(text);
}
