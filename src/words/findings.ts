import type { Exchange } from '../exchange/types.js';
import type { ResultFinding } from '../verdict/results.js';
import { count, counted, listed, grouped } from '../format/format.js';

/** Findings that say the same, as one: with what the first of them received, and the exchanges of all. */
export interface DistinctFinding extends ResultFinding {
  readonly times: number;
  /** Whether what was received differs among them. */
  readonly varied: boolean;
  /** The same fault on other plans: which, and what was received there. */
  readonly likewise?: readonly { readonly plan: string; readonly actual: string | undefined }[];
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

/** The plan that a message speaks of. */
const PLAN = /\b(free|pro|business|enterprise)(?= (?:plan|key)\b)/i;
const planOf = ({ message }: ResultFinding): string | undefined => PLAN.exec(message)?.[1]?.toLowerCase();

/** A message without the request that it quotes, the plan that it speaks of, and figures. */
const essence = (message: string): string =>
  message
    .replace(/“[^”]*”/g, '“”')
    .replace(new RegExp(PLAN, 'gi'), '')
    .replace(/\d[\d.,]*/g, '#');

/**
 * One fault is told once: findings that differ only in the request that they quote, in the plan, or in numbers, are the
 * first of them with the exchanges of all. A request that should have been refused for the row's own sake is a case by itself: which of
 * them were not is what has to be known.
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
  const kindOf = (finding: DistinctFinding) => (isCase(finding) ? finding.message : essence(finding.message));
  return [...grouped(distinctFindings(findings), kindOf).values()].flatMap((alike) => {
    const [first] = alike;
    if (!first) return [];
    const all = [...new Set(alike.flatMap((finding) => finding.exchanges))];
    const likewise = onOtherPlans(first, alike);
    const told = likewise.length > 0 ? alike.filter((one) => planOf(one) === planOf(first)) : alike;
    return [
      {
        ...first,
        exchanges: all,
        times: told.reduce((sum, { times }) => sum + times, 0),
        ...(likewise.length > 0 && { likewise }),
      },
    ];
  });
}

/** The first of each other plan. */
function onOtherPlans(first: ResultFinding, alike: readonly ResultFinding[]): NonNullable<DistinctFinding['likewise']> {
  const plans = grouped(alike, (one) => planOf(one) ?? '');
  return [...plans].flatMap(([plan, [one]]) =>
    plan === '' || plan === planOf(first) || !one ? [] : [{ plan, actual: one.actual }],
  );
}

/** The other plans that a fault shows on, with what each received: “pro: 301 requests served; business: …”; empty for none. */
export function likewiseWords({ likewise = [], actual }: DistinctFinding): string {
  const isAlike = likewise.every((one) => one.actual === actual);
  return isAlike
    ? listed(likewise.map(({ plan }) => plan))
    : likewise.map((one) => `${one.plan}: ${one.actual ?? 'the same'}`).join('; ');
}

/** Rows that are broken in one and the same way: each group led by the first row, which shows all that the others show. */
export function sameFault<Row extends { readonly findings: readonly ResultFinding[] }>(
  rows: readonly Row[],
): readonly (readonly Row[])[] {
  const groups: { readonly ways: ReadonlySet<string>; readonly members: Row[] }[] = [];
  for (const row of rows) {
    const ways = row.findings.map((one) => JSON.stringify([essence(one.message), one.expected, one.actual]));
    const known = groups.find((group) => ways.length > 0 && ways.every((way) => group.ways.has(way)));
    if (known) known.members.push(row);
    else groups.push({ ways: new Set(ways), members: [row] });
  }
  return groups.map(({ members }) => members);
}

/** In how many more answers, as words after the first; empty for none. */
const othersWords = (others: number): string => (others === 0 ? '' : ` (and in ${counted(others, 'more answer')})`);

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

/** How often, as words after a finding's message; empty for once. What was found under load names no answers. */
export const timesWords = ({ times, exchanges }: DistinctFinding): string =>
  exchanges.length > 0 ? othersWords(times - 1) : times === 1 ? '' : ` (${count(times)} times)`;

/** What stands before the received value: of several that differ only the first is shown. */
export const receivedWords = ({ varied }: Pick<DistinctFinding, 'varied'>): string =>
  varied ? 'received first' : 'received';
