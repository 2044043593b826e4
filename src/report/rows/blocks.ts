import type { RequirementId } from '../../base/interface/types.js';
import { counted, listedUpTo, sum } from '../../base/kernel/format.js';
import {
  briefly,
  leadOf,
  likewiseWords,
  newsWords,
  timesWords,
  valuesOf,
  type ShownFinding,
} from '../../outcome/words/findings.js';
import { storyWords } from '../../outcome/words/explored.js';
import { isOfClient } from '../../outcome/words/client-rows.js';
import type { Fault } from './row-group.js';
import type { RowView } from './row-view.js';

/**
 * One thing that is said of a fault. Terminal, page, Markdown and plain text show blocks in their order, and
 * decide only how many. All but the kit's own words may come from a target.
 */
export interface FaultBlock {
  readonly label: Label;
  /** Rows that it names, before the text. */
  readonly rows?: readonly RequirementId[];
  /** Words before a finding that is news; may be empty. */
  readonly news?: string;
  /** May be empty. */
  readonly text: string;
  /** What a line adds of expected and received; may be empty. */
  readonly values?: string;
  /** The finding whose exchanges it stands for. */
  readonly finding?: ShownFinding;
}

/** Labels, and as words of a sentence: a column of labels has no room for these. */
const WORDS = {
  found: 'found',
  'kit fault': 'the kit itself failed',
  expected: 'expected',
  received: 'received',
  'received first': 'received first',
  likewise: 'likewise on',
  story: 'story',
  how: 'how',
  see: 'see',
  also: 'also',
  and: 'and',
  'to fix': 'to fix',
  'looks like': 'looks like',
  explains: 'it also explains',
  'same cause as': 'same cause as',
  'same as': 'the same fault as in',
  'shows in': 'the same fault shows in',
  blocks: 'it blocks',
} as const;

export type Label = keyof typeof WORDS;

/**
 * Returns a block without its label.
 *
 * @param say formats what may come from a target
 * @param most rows that are named
 */
export function said(
  { rows = [], news = '', text, values = '' }: FaultBlock,
  say = (given: string): string => given,
  most = Infinity,
): string {
  const ids = rows.map((id) => say(id));
  const sentence = [text, values].filter(Boolean).join(': ');
  return [
    ...(ids.length > 0 ? [listedUpTo(ids, most)] : []),
    ...(sentence === '' ? [] : [news + say(sentence)]),
  ].join(': ');
}

/** As they stand before what is said. */
export const labelWords = ({ label, rows }: FaultBlock): string =>
  `${WORDS[label]}${rows || label === 'and' || label === 'likewise' ? '' : ':'} `;

export const sameFaultWords = (lead: string): string => `${WORDS['same as']} ${lead}`;

export const acceptedLead = ({ acceptedUntil }: Pick<RowView, 'acceptedUntil'>): string =>
  acceptedUntil === undefined ? '' : `accepted until ${acceptedUntil}: `;

/** Findings with both values and exchanges, and after them those with a line each. */
interface Amount {
  readonly findings: number;
  readonly briefFindings?: number;
  /** False for a report that shows no exchange, where each finding names its request. */
  readonly hasExchanges?: boolean;
}

export const faultBlocks = (fault: Fault, most: Amount): readonly FaultBlock[] => [
  ...rowBlocks(fault.lead, most),
  ...around(fault, true),
];

/** @param withFindings of the other rows too */
export const gistBlocks = (fault: Fault, groups: number, withFindings: boolean): readonly FaultBlock[] => [
  ...rowGist(fault.lead, groups),
  ...around(fault, withFindings),
];

const around = ({ lead, others, isFamily, blocks }: Fault, withFindings: boolean): readonly FaultBlock[] => [
  ...causeBlocks(lead),
  ...(isFamily && withFindings
    ? others.map((row): FaultBlock => ({ ...firstFound(row), label: 'shows in', rows: [row.id] }))
    : rowsBlock('shows in', idsOf(others))),
  ...rowsBlock('blocks', idsOf(blocks)),
];

const idsOf = (rows: readonly RowView[]): readonly RequirementId[] => rows.map(({ id }) => id);

export function rowBlocks(
  row: RowView,
  { findings, briefFindings = 0, hasExchanges = true }: Amount,
): readonly FaultBlock[] {
  const end = findings + briefFindings;
  return [
    ...row.findings.slice(0, findings).flatMap((finding) => {
      const [found, ...blocks] = findingBlocks(row, finding);
      return [hasExchanges ? found : withRequest(row, finding, found), ...blocks];
    }),
    ...row.findings.slice(findings, end).map((finding) => inBrief(row, 'also', finding)),
    ...more(row.findings.length - end, ' in the report'),
    ...row.advice.map((text): FaultBlock => ({ label: 'to fix', text })),
  ];
}

/** Returns the first finding of each group of a row, since expected and received differ. */
export function rowGist(row: RowView, most: number): readonly FaultBlock[] {
  const all = sum(row.groups, ({ others }) => 1 + others.length);
  const before = row.groups[0]?.first.message;
  return [
    firstFound(row),
    ...row.groups.slice(1, most).map(({ first }) => inBrief(row, 'also', first, before)),
    ...more(all - Math.min(most, row.groups.length), ''),
  ];
}

/** As a message or a probe names one: “GET /pets?limit=100”. */
const NAMES_REQUEST = /\b[A-Z]+ \//;

/**
 * Adds the request of a finding to a text that names none, for all that shows no exchange next to it: “GET
 * /pets/1”: a request without a key got 200.
 */
export function namingRequest({ id, exchanges }: RowView, finding: ShownFinding, text: string): string {
  const probe = exchanges.find((one) => one.id === finding.exchanges[0])?.probe ?? '';
  if (isOfClient(id) || NAMES_REQUEST.test(text) || !NAMES_REQUEST.test(probe)) return text;
  return `“${probe}”: ${text}`;
}

const withRequest = (row: RowView, finding: ShownFinding, block: FaultBlock): FaultBlock => ({
  ...block,
  text: namingRequest(row, finding, block.text),
});

/**
 * Falls back to why a row was not judged, or to its statement. It names the request: no exchange stands by
 * it.
 */
export function firstFound(row: RowView): FaultBlock {
  const [group] = row.groups;
  const label = foundLabel(row);
  if (!group) return { label, text: row.reason?.text ?? row.statement };
  return withRequest(row, group.first, inBrief(row, label, group.first));
}

const foundLabel = ({ outcome }: RowView): Label => (outcome === 'error' ? 'kit fault' : 'found');

export const behindRow = (row: RowView): readonly FaultBlock[] => [
  ...causeBlocks(row),
  ...rowsBlock('blocks', row.blocks),
];

function causeBlocks({ id, cause, sameFaultAs }: RowView): readonly FaultBlock[] {
  if (sameFaultAs !== null) return rowsBlock('same as', [sameFaultAs]);
  if (cause === null) return [];
  if (cause.saidAt !== id) return rowsBlock('same cause as', [cause.saidAt]);
  return [{ label: 'looks like', text: cause.words }, ...rowsBlock('explains', cause.others)];
}

const rowsBlock = (label: Label, rows: readonly RequirementId[]): readonly FaultBlock[] =>
  rows.length === 0 ? [] : [{ label, rows, text: '' }];

const more = (amount: number, where: string): readonly FaultBlock[] =>
  amount > 0 ? [{ label: 'and', text: counted(amount, 'more finding') + where }] : [];

export function findingBlocks(row: RowView, finding: ShownFinding): readonly [FaultBlock, ...FaultBlock[]] {
  const { message, likewise, story } = finding;
  return [
    { label: foundLabel(row), news: newsWords(finding), text: message + timesWords(finding, row.id) },
    ...valuesOf(finding).map(([label, text]) => ({ label, text })),
    ...(likewise ? [{ label: 'likewise', text: likewiseWords(finding) } as const] : []),
    ...(story ? story.steps.map((text) => ({ label: 'story', text }) as const) : []),
    ...(story ? [{ label: 'how', text: storyWords(story) } as const] : []),
    { label: 'see', text: '', finding },
  ];
}

/**
 * Returns a finding in a line: expected and received where the message lacks them.
 *
 * @param before a message that stands above; of an equal one only the values are new
 */
function inBrief({ id }: RowView, label: Label, finding: ShownFinding, before?: string): FaultBlock {
  const values = briefly(finding);
  if (values !== '' && finding.message === before)
    return { label, news: newsWords(finding), text: '', values: values + timesWords(finding, id) };
  const text = values === '' ? finding.message : leadOf(finding);
  return { label, news: newsWords(finding), text: text + timesWords(finding, id), values };
}
