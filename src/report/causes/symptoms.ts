import { createHash } from 'node:crypto';
import type { Exchange } from '../../exchange/types.js';
import type { RequirementResult, Results } from '../../verdict/results.js';

/**
 * What a run shows of a mistake, to be held against what another run shows: the requirement that is broken, and behind it
 * a digest of the words in which (`=`), of what was received or by how much it was too much, or of a request with its
 * answer. Names, ids, times and counts differ from run to run and are left out.
 */
export type Symptom = string;

/** Longer texts tell no more of the mistake. */
const LONGEST = 90;

/** The symptoms of a run, each once and in an order of their own; none where nothing is broken. */
export function symptomsOf(results: Pick<Results, 'requirements' | 'exchanges'>): readonly Symptom[] {
  const exchanges = new Map(results.exchanges.map((exchange) => [exchange.id, exchange]));
  const all = results.requirements
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'warned')
    .flatMap((row) => symptomsOfRow(row, exchanges));
  return [...new Set(all)].toSorted();
}

const symptomsOfRow = ({ id, findings }: RequirementResult, exchanges: ReadonlyMap<string, Exchange>) => [
  id,
  ...findings.flatMap(({ message, expected, actual, exchanges: ids }) => {
    const said = essence(message);
    // The first was the control, where there was one, and the last is the one that broke the statement.
    const shown = [ids.at(-1), ids[0]].flatMap((name) => exchanges.get(name ?? '') ?? []);
    const received = actual === undefined ? [] : [`${said}|${essence(actual)}`];
    return [
      `${id}|=${digest(said)}`,
      ...[...received, ...excessOf(expected, actual), ...shown.flatMap(requestsOf)].map(
        (text) => `${id}|${digest(text)}`,
      ),
    ];
  }),
];

/** Whether a symptom is the words in which a requirement is broken: without them in common two mistakes are not alike. */
export const isInWords = (symptom: Symptom): boolean => symptom.includes('|=');

/** By how much something is more than it may be: one too many tells of another mistake than twice as many. */
function excessOf(expected = '', actual = ''): readonly string[] {
  const [most, got] = [/^at most ([\d,]+)/.exec(expected)?.[1], /^([\d,]+) /.exec(actual)?.[1]];
  if (most === undefined || got === undefined) return [];
  const [limit, number] = [most, got].map((text) => Number(text.replaceAll(',', ''))) as [number, number];
  return [
    `excess|${number - limit <= 1 ? 'one' : number <= 1.2 * limit ? 'some' : number <= 2 * limit ? 'many' : 'more'}`,
  ];
}

function requestsOf({ operation, credential, probe, answer }: Exchange): readonly string[] {
  const came = answer.kind === 'response' ? String(answer.status) : answer.code;
  return [`${operation}|${credential.kind}|${came}`, `${withoutNumbers(probe)}|${came}`];
}

const withoutNumbers = (text: string): string => text.replace(/\d[\d.,]*/g, '#').slice(0, LONGEST);

/** Short enough for hundreds of mistakes, long enough that no two of a few thousand texts meet by chance. */
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 10);

/** A text without what it quotes and counts. */
const essence = (text: string): string => withoutNumbers(text.replace(/“[^”]*”|"[^"]*"/g, '“”'));
