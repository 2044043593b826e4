import { count, counted, grouped, listed, listedUpTo, sum } from '../../base/kernel/format.js';
import { partlyText } from '../../outcome/words/outcomes.js';
import {
  byKindOfReason,
  byReason,
  isOfTheRun,
  reasonWords,
  type ReasonGroup,
} from '../../outcome/words/reasons.js';
import type { CurlSource } from '../../wire/exchange/curl.js';
import { AMOUNTS } from '../amounts.js';
import {
  acceptedLead,
  faultBlocks,
  firstFound,
  gistBlocks,
  rowBlocks,
  type FaultBlock,
} from '../rows/blocks.js';
import type { Fault } from '../rows/row-group.js';
import type { RowView } from '../rows/row-view.js';
import { blockLines, fact, gistLines, titled } from './block-lines.js';
import type { Line } from './lines.js';

/** Where commands to paste get their keys, and whether to show everything. */
export interface Evidence {
  readonly source: CurlSource;
  readonly verbose: boolean;
}

const MOST = AMOUNTS.terminal;

export const faultLines = (fault: Fault, evidence: Evidence): Line[] =>
  below(fault.lead, faultBlocks(fault, MOST), evidence);

export const violationLines = (row: RowView, evidence: Evidence): Line[] =>
  below(
    row,
    evidence.verbose ? rowBlocks({ ...row, findings: row.everyFinding }, EVERYTHING) : rowBlocks(row, MOST),
    evidence,
  );

const EVERYTHING = { findings: Infinity };

const below = (row: RowView, blocks: readonly FaultBlock[], { source }: Evidence): Line[] => [
  titled(row.shown, row.id, acceptedLead(row) + row.statement),
  ...blockLines(row, blocks, source),
];

/** Shows the last day and the finding, without help for a fix. */
export const acceptedLines = (rows: readonly RowView[]): Line[] =>
  rows.map((row) => titled(row.shown, row.id, acceptedLead(row) + firstFound(row).text, 'plain', MOST.lines));

export const failureLines = (fault: Fault): Line[] =>
  gistLines(fault.lead, gistBlocks(fault, MOST.groups, false));

export function openLines({ code, text, remedy, requirements }: ReasonGroup<RowView>): Line[] {
  // Said in full at the end, as the cause of the run.
  if (isOfTheRun(code))
    return alikeLines(
      requirements,
      `could not be determined: ${reasonWords(code)}; see the cause at the end`,
    );
  return [
    ...alikeLines(requirements, `could not be determined: ${text}`, MOST.lines),
    ...(remedy === null ? [] : [fact('to test', remedy)]),
  ];
}

/** For a run whose lines are counted. */
export const titleLine = (row: RowView): Line =>
  titled(row.shown, row.id, acceptedLead(row) + row.statement, 'plain', 1);

export function openLinesInBrief(rows: readonly RowView[], most: number): Line[] {
  const kinds = byKindOfReason(rows);
  const left = sum(kinds.slice(most), ({ requirements }) => requirements.length);
  return [
    ...kinds.slice(0, most).map(reasonLine),
    ...(left === 0
      ? []
      : [titled('inconclusive', `and ${count(left)} more`, 'could not be determined: see the report')]),
  ];
}

/** Formats a reason in full where it fits into the line, or else in a few words: half a reason says nothing. */
function reasonLine({ code, text, requirements }: ReasonGroup<RowView>): Line {
  const saying = (reason: string): Line =>
    titled('inconclusive', namesOf(requirements), `could not be determined: ${reason}`);
  return (look) => {
    const whole = saying(text)(look);
    return whole.length === 1 ? whole : saying(reasonWords(code))(look);
  };
}

const namesOf = (rows: readonly RowView[]): string => {
  const [first] = rows;
  return first !== undefined && rows.length === 1 ? first.id : counted(rows.length, 'requirement');
};

export const blockedLines = (rows: readonly RowView[]): Line[] =>
  [...grouped(rows, ({ blockedBy }) => listed(blockedBy))].flatMap(([by, blocked]) =>
    alikeLines(blocked, `blocked by ${by}: fix that first`),
  );

function alikeLines(rows: readonly RowView[], text: string, most?: number): Line[] {
  const [first, ...others] = rows.map(({ id }) => id);
  if (first !== undefined && others.length === 0) return [titled('inconclusive', first, text, 'plain', most)];
  return [
    titled('inconclusive', counted(rows.length, 'requirement'), text, 'plain', most),
    fact(
      'namely',
      listedUpTo(
        rows.map(({ id }) => id),
        MOST.alikeRows,
      ),
      'plain',
      Infinity,
    ),
  ];
}

/** For --verbose. */
export function fullLines(row: RowView, evidence: Evidence): Line[] {
  return [
    ...ownLines(row, evidence),
    ...(row.observed ?? []).map(({ subject, value }) =>
      fact('observed', subject === undefined ? value : `${subject}: ${value}`),
    ),
  ];
}

function ownLines(row: RowView, evidence: Evidence): Line[] {
  if (row.acceptedUntil !== undefined && row.findings.length === 0) return acceptedLines([row]);
  switch (row.outcome) {
    case 'passed':
      return [
        titled('passed', row.id, `${row.statement} (${row.evidenceWords || 'held'})`, 'quiet'),
        ...(row.partly ? [fact('not tested', partlyText(row), 'plain', Infinity)] : []),
      ];
    case 'failed':
    case 'warned':
    case 'error':
      return violationLines(row, evidence);
    case 'inconclusive':
      return row.blockedBy.length > 0 ? blockedLines([row]) : byReason([row]).flatMap(openLines);
    case 'observed':
      return [titled('observed', row.id, row.statement, 'quiet')];
    case 'not-applicable':
      return [titled('not-applicable', row.id, `not tested: ${row.reason?.text ?? ''}`, 'quiet')];
  }
}
