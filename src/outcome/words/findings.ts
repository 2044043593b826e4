import type { RequirementId } from '../../base/interface/types.js';
import { isOfClient } from './client-rows.js';
import type { ResultFinding } from '../results/results.js';
import { count, counted, listed } from '../../base/kernel/format.js';

/** Findings of one fault as reports show them: message and values of the first, exchanges of all. */
export interface ShownFinding extends ResultFinding {
  /** Number of findings that it stands for. */
  readonly times: number;
  /** True if their actual values differ. */
  readonly varied: boolean;
  /** Further plans with this fault, and where under load it was seen, each with its actual value. */
  readonly likewise?: readonly { readonly where: string; readonly actual: string | undefined }[];
  /**
   * What makes it news: the baseline's entry does not accept it, or the run that this one is compared with
   * did not have it. Absent for the others.
   */
  readonly news?: 'not-accepted' | 'new';
}

/** Findings of a row with equal expected and received values. */
export interface FindingGroup {
  readonly first: ShownFinding;
  readonly others: readonly ShownFinding[];
}

export const newsWords = ({ news }: Pick<ShownFinding, 'news'>): string =>
  news === undefined ? '' : NEWS[news];

const NEWS = { 'not-accepted': 'not accepted: ', new: 'new: ' } as const;

/** Names where else the fault is: “pro: 301 requests served; business: …”; empty for nowhere. */
export function likewiseWords({ likewise = [], actual }: ShownFinding): string {
  const isAlike = likewise.every((one) => one.actual === actual);
  return isAlike
    ? listed(likewise.map(({ where }) => where))
    : likewise.map((one) => `${one.where}: ${one.actual ?? 'the same'}`).join('; ');
}

/** Longest value in a line: a header with its value and what it means fits. */
const BRIEF = 80;

/**
 * Returns expected and actual in a few words, for a line that has the message. Omits what the message says,
 * and long values; may be empty.
 */
export function briefly({ message, expected, actual, varied }: ShownFinding): string {
  const unsaid = (value: string | undefined): value is string =>
    value !== undefined && value.length <= BRIEF && !value.includes('\n') && !says(message, value);
  return [
    ...(unsaid(expected) ? [`expected ${expected}`] : []),
    ...(unsaid(actual) ? [`${receivedWords({ varied })} ${actual}`] : []),
  ].join(', ');
}

/** For use before a colon. */
export const leadOf = ({ message }: Pick<ShownFinding, 'message'>): string => message.replace(/\.$/, '');

/** Returns whether a text contains a value as a whole word: 20 is not in 200. */
const says = (text: string, value: string): boolean =>
  ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ')} `.includes(` ${value.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `);

/**
 * Returns the count, worded to follow a finding's message; empty for one. Findings under load name no
 * responses. A client's finding is of its requests.
 *
 * @param id row of the finding
 */
export const timesWords = ({ times, exchanges }: ShownFinding, id: RequirementId): string =>
  times === 1
    ? ''
    : exchanges.length > 0
      ? ` (and in ${counted(times - 1, isOfClient(id) ? 'more request' : 'more response')})`
      : ` (${count(times)} times)`;

/** Of several values that differ, only the first is shown. */
export const valuesOf = ({ expected, actual, varied }: ShownFinding) =>
  [['expected', expected] as const, [receivedWords({ varied }), actual] as const].flatMap(([label, value]) =>
    value === undefined ? [] : [[label, value] as const],
  );

const receivedWords = ({ varied }: Pick<ShownFinding, 'varied'>): 'received' | 'received first' =>
  varied ? 'received first' : 'received';
