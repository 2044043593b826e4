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

/** How often, as words after a finding's message; empty for once. */
export const timesWords = ({ times }: DistinctFinding): string => (times === 1 ? '' : ` (${count(times)} times)`);

/** What stands before the received value: of several that differ only the first is shown. */
export const receivedWords = ({ varied }: DistinctFinding): string => (varied ? 'received first' : 'received');
