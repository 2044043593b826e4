import type { Results } from '../verdict/results.js';
import { WORST_FIRST } from '../verdict/verdict.js';
import { NAME_A_RUN, UserError } from '../contract/errors.js';
import { readRegularFile, whyUnreadable } from '../contract/yaml-source.js';

/** An unusable results.json; the fault is in the file. */
export class ResultsError extends UserError<ResultsErrorCode> {
  override readonly name = 'ResultsError';
  constructor(code: ResultsErrorCode, message: string, options?: ErrorOptions) {
    super('usage', code, message, NAME_A_RUN, options);
  }
}

type ResultsErrorCode = 'results-unreadable' | 'results-version' | 'results-damaged';

type Members = Readonly<Record<string, unknown>>;
type Test = (value: unknown) => boolean;

const text: Test = (value) => typeof value === 'string';
const number: Test = (value) => typeof value === 'number' && Number.isFinite(value);
const truth: Test = (value) => typeof value === 'boolean';
const moment: Test = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const oneOf = (...known: readonly unknown[]): Test => {
  const all = new Set(known);
  return (value) => all.has(value);
};
const members = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const shape =
  (tests: Readonly<Record<string, Test>>): Test =>
  (value) =>
    members(value) && Object.entries(tests).every(([name, test]) => test(value[name]));
const listOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);
const orAbsent =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);
const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);

const verdict = oneOf('conformant', 'non-conformant', 'inconclusive', 'error');

const requirement = shape({
  id: text,
  level: oneOf('must', 'should', 'may', 'open'),
  part: oneOf(1, 2, 3, 4, 5, 6, 7, 8, 9),
  statement: text,
  outcome: oneOf(...WORST_FIRST),
  reason: orAbsent(shape({ code: text, text })),
  partly: orAbsent(listOf(text)),
  observed: orAbsent(listOf(shape({ subject: orAbsent(text), value: text }))),
});

/**
 * Members of results.json that comparisons and histories read. The published schema is stricter; files of newer kits with
 * more members must stay readable here.
 */
const MEMBERS: Readonly<Record<string, Test>> = {
  verdict,
  complete: truth,
  label: orAbsent(text),
  obstacle: orAbsent(shape({ message: text })),
  startedAt: moment,
  finishedAt: moment,
  durationMs: number,
  kit: shape({ name: text, version: text }),
  interface: shape({ version: text }),
  target: shape({ name: text, baseUrl: text }),
  scope: shape({ plans: listOf(text), asOf: text }),
  requests: shape({ total: number }),
  counts: shape(Object.fromEntries(WORST_FIRST.map((outcome) => [outcome, number]))),
  requirements: listOf(requirement),
  capacity: orAbsent(
    shape({
      scenario: text,
      phases: listOf(shape({ name: text, latencyMs: shape({ p50: number, p99: number, max: number }) })),
      thresholds: listOf(shape({ text, value: orNull(number), outcome: oneOf('met', 'missed', 'inconclusive') })),
    }),
  ),
  own: orAbsent(
    shape({ decide: truth, verdict, requirements: listOf(requirement), problems: listOf(shape({ message: text })) }),
  ),
  load: listOf(shape({ latency: orNull(shape({ count: number, p50: number, p99: number })) })),
};

/**
 * Parses the text of a results.json. Pure.
 * @throws ResultsError results-damaged (no JSON, or a missing or wrong member) or results-version
 */
export function parseResults(json: string): Results {
  const value = parse(json);
  if (!members(value)) throw new ResultsError('results-damaged', 'the file has no results');
  if (value['schemaVersion'] !== 1)
    throw new ResultsError('results-version', 'the file has another version of the format; this kit reads version 1');
  const wrong = Object.entries(MEMBERS).find(([name, test]) => !test(value[name]));
  if (wrong) throw new ResultsError('results-damaged', `"${wrong[0]}" is missing or wrong`);
  return value as unknown as Results;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new ResultsError('results-damaged', 'the file is not complete JSON', { cause });
  }
}

/** Largest file: no run comes near it, and reading one whole takes several times its size. */
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
