import { essence } from '../../judge/findings/finding.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { ResultFinding } from '../results/results.js';
import { count, counted, listed, grouped } from '../../base/kernel/format.js';

/** Equal findings as one: actual value of the first, exchanges of all. */
export interface DistinctFinding extends ResultFinding {
  readonly times: number;
  readonly varied: boolean;
  /** Further plans with this fault, each with its actual value. */
  readonly likewise?: readonly { readonly plan: string; readonly actual: string | undefined }[];
}

/** Merges equal findings, in order of the first of each. A passive check finds the same in every response. */
export const distinctFindings = (findings: readonly ResultFinding[]): readonly DistinctFinding[] =>
  [...grouped(findings, ({ message, expected }) => JSON.stringify([message, expected])).values()].map((alike) => {
    const [first] = alike;
    const exchanges = [...new Set(alike.flatMap((finding) => finding.exchanges))];
    const varied = alike.some(({ actual }) => actual !== first.actual);
    return { ...first, exchanges, times: alike.length, varied };
  });

/**
 * Merges findings of one fault: those that differ only in the quoted request, the plan or numbers. The first stands for all
 * and has their exchanges. Requests that should have been refused stay separate: it matters which were not.
 * @param exchanges those that findings may name, by id
 */
export function alikeFindings(
  { id, findings }: { readonly id: string; readonly findings: readonly ResultFinding[] },
  exchanges: ReadonlyMap<string, Pick<Exchange, 'intent'>>,
): readonly DistinctFinding[] {
  const isCase = (finding: ResultFinding): boolean =>
    finding.story !== undefined ||
    finding.exchanges.some((name) => {
      const intent = exchanges.get(name)?.intent;
      return intent?.kind === 'expects' && intent.chargedTo === id && intent.statuses.every((status) => status >= 400);
    });
  // Two faults may have one message, such as two malformed headers: what was expected tells them apart. Of the same fault on
  // several plans only the figures and their units differ.
  const kindOf = (finding: DistinctFinding): string => {
    if (isCase(finding)) return finding.message;
    const expected = finding.plan === undefined ? (finding.expected ?? '') : '';
    return `${essence(finding)} ${essence({ message: expected })}`;
  };
  return [...grouped(distinctFindings(findings), kindOf).values()].map((alike) => {
    const [first] = alike;
    const all = [...new Set(alike.flatMap((finding) => finding.exchanges))];
    const likewise = onOtherPlans(first, alike);
    const told = likewise.length > 0 ? alike.filter(({ plan }) => plan === first.plan) : alike;
    return {
      ...first,
      exchanges: all,
      times: told.reduce((sum, { times }) => sum + times, 0),
      ...(likewise.length > 0 && { likewise }),
    };
  });
}

function onOtherPlans(first: ResultFinding, alike: readonly ResultFinding[]): NonNullable<DistinctFinding['likewise']> {
  return [...grouped(alike, ({ plan }) => plan)].flatMap(([plan, [one]]) =>
    plan === undefined || plan === first.plan ? [] : [{ plan, actual: one.actual }],
  );
}

/** Names the other plans with the fault: “pro: 301 requests served; business: …”; empty for none. */
export function likewiseWords({ likewise = [], actual }: DistinctFinding): string {
  const isAlike = likewise.every((one) => one.actual === actual);
  return isAlike
    ? listed(likewise.map(({ plan }) => plan))
    : likewise.map((one) => `${one.plan}: ${one.actual ?? 'the same'}`).join('; ');
}

/** Groups rows with the same fault. The first row of each group shows all that the others show. */
export function sameFault<Row extends { readonly findings: readonly ResultFinding[] }>(
  rows: readonly Row[],
): readonly (readonly Row[])[] {
  const groups: { readonly ways: ReadonlySet<string>; readonly members: Row[] }[] = [];
  for (const row of rows) {
    const ways = row.findings.map((one) => JSON.stringify([essence(one), one.expected, one.actual]));
    const known = groups.find((group) => ways.length > 0 && ways.every((way) => group.ways.has(way)));
    if (known) known.members.push(row);
    else groups.push({ ways: new Set(ways), members: [row] });
  }
  return groups.map(({ members }) => members);
}

const BRIEF = 56;

/**
 * Returns expected and actual in a few words, for a line that has the message. Omits what the message says, and long values;
 * may be empty.
 */
export function briefly({ message, expected, actual, varied }: DistinctFinding): string {
  const unsaid = (value: string | undefined): value is string =>
    value !== undefined && value.length <= BRIEF && !value.includes('\n') && !says(message, value);
  return [
    ...(unsaid(expected) ? [`expected ${expected}`] : []),
    ...(unsaid(actual) ? [`${receivedWords({ varied })} ${actual}`] : []),
  ].join(', ');
}

/** Returns a message for use before a colon. */
export const leadOf = ({ message }: Pick<DistinctFinding, 'message'>): string => message.replace(/\.$/, '');

/** Returns whether a text contains a value as a whole word: 20 is not in 200. */
const says = (text: string, value: string): boolean =>
  ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ')} `.includes(` ${value.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `);

/** Returns the count, worded to follow a finding's message; empty for one. Findings under load name no responses. */
export const timesWords = ({ times, exchanges }: DistinctFinding): string =>
  times === 1
    ? ''
    : exchanges.length > 0
      ? ` (and in ${counted(times - 1, 'more response')})`
      : ` (${count(times)} times)`;

/** Label of the actual value: of several that differ, only the first is shown. */
export const receivedWords = ({ varied }: Pick<DistinctFinding, 'varied'>): string =>
  varied ? 'received first' : 'received';
