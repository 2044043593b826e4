import type { ResultFinding } from '../../verdict/results.js';
import { count } from './format.js';
import { grouped } from './grouped.js';

/** Findings that say the same, as one: with what the first of them received, and the exchanges of all. */
export interface DistinctFinding extends ResultFinding {
  readonly times: number;
  /** Whether what was received differs among them. */
  readonly varied: boolean;
}

/** A passive check finds the same on every answer; told once, it is told. In the order of the first of each kind. */
export const distinctFindings = (findings: readonly ResultFinding[]): readonly DistinctFinding[] =>
  [...grouped(findings, ({ message, expected }) => JSON.stringify([message, expected])).values()].flatMap((alike) => {
    const [first] = alike;
    if (!first) return [];
    const exchanges = [...new Set(alike.flatMap((finding) => finding.exchanges))];
    const varied = alike.some(({ actual }) => actual !== first.actual);
    return [{ ...first, exchanges, times: alike.length, varied }];
  });

/** A value longer than this does not fit into a line beside the message. */
const BRIEF = 56;

/**
 * What was expected and received in a few words, for a line that already has the message: only what the message does not
 * say itself, and nothing of what is long; empty then.
 */
export function briefly({ message, expected, actual, varied }: DistinctFinding): string {
  const unsaid = (value: string | undefined): value is string =>
    value !== undefined && value.length <= BRIEF && !value.includes('\n') && !says(message, value);
  return [
    ...(unsaid(expected) ? [`expected ${expected}`] : []),
    ...(unsaid(actual) ? [`${receivedWords({ varied })} ${actual}`] : []),
  ].join(', ');
}

/** A message as it stands before a colon. */
export const leadOf = ({ message }: Pick<DistinctFinding, 'message'>): string => message.replace(/\.$/, '');

/** Whether a text holds a value as a word of its own, so that 20 is not found in 200. */
const says = (text: string, value: string): boolean =>
  ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ')} `.includes(` ${value.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `);

/** How often, as words after a finding's message; empty for once. */
export const timesWords = ({ times }: DistinctFinding): string => (times === 1 ? '' : ` (${count(times)} times)`);

/** What stands before the received value: of several that differ only the first is shown. */
export const receivedWords = ({ varied }: Pick<DistinctFinding, 'varied'>): string =>
  varied ? 'received first' : 'received';
