import { counted, grouped, listed, listedUpTo } from '../../base/kernel/format.js';
import type { Story } from '../../judge/findings/finding.js';
import type { Outcome } from '../../judge/verdict.js';
import { storyWords } from '../../outcome/words/explored.js';
import {
  findingLine,
  likewiseWords,
  newsWords,
  timesWords,
  type ShownFinding,
} from '../../outcome/words/findings.js';
import { partlyText } from '../../outcome/words/outcomes.js';
import { byReason, isOfTheRun, reasonWords, type ReasonGroup } from '../../outcome/words/reasons.js';
import { curlOf, type CurlSource } from '../../wire/exchange/curl.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { AMOUNTS } from '../amounts.js';
import { isOfClient } from '../../outcome/words/client-rows.js';
import { rowsOf } from '../rows/faults.js';
import type { Fault } from '../rows/row-group.js';
import type { RowView } from '../rows/row-view.js';
import { copyable, hang, mark, span, TONES, type Line, type Tone } from './lines.js';

/** What rows may reference: exchanges by id, and their source of keys; and whether to show everything. */
export interface Evidence {
  readonly exchanges: ReadonlyMap<string, Exchange>;
  readonly source: CurlSource;
  readonly verbose: boolean;
}

const MOST = AMOUNTS.terminal;
/** Width of the ids, which have at most 30 characters and mostly fewer than 22. */
const ID_WIDTH = 22;

const titled = (outcome: Outcome, id: string, text: string, tone?: Tone, most?: number): Line =>
  hang([span('   '), mark(outcome), span(`${id.padEnd(ID_WIDTH)}  `, 'strong')], text, tone, most);

const fact = (label: string, text: string, tone: Tone = 'plain', most: number = MOST.lines): Line =>
  hang([span(`       ${label.padEnd(10)} `, 'quiet')], text, tone, most);

/**
 * Formats a fault: its lead, the rows in which it shows too with a finding each, and the rows that it blocks.
 *
 * @param blocks those of the rows that it blocks that appear only here
 */
export const faultLines = (
  { lead, likewise, shows }: Fault,
  evidence: Evidence,
  blocks: readonly RowView[],
): Line[] => [
  ...violationLines(lead, evidence),
  ...(likewise.length > 0 ? [fact('likewise', idsOf(likewise), 'plain', Infinity)] : []),
  ...shows.map((row, at) => fact(at === 0 ? 'shows in' : '', `${row.id}: ${firstFound(row)}`)),
  ...(blocks.length > 0 ? [fact('blocks', idsOf(blocks), 'plain', Infinity)] : []),
];

const idsOf = (rows: readonly RowView[]): string => listed(rows.map(({ id }) => id));

const firstFound = ({ groups: [group], statement }: RowView): string =>
  group ? findingLine(group.first) : statement;

/**
 * Formats a row that failed, was warned about or met a kit fault: the statement, the finding, and how to see
 * it.
 */
export function violationLines(row: RowView, evidence: Evidence): Line[] {
  const findings = evidence.verbose ? row.everyFinding : row.findings;
  const full = evidence.verbose ? findings : findings.slice(0, MOST.findings);
  const brief = findings.slice(full.length, full.length + MOST.briefFindings);
  const more = findings.length - full.length - brief.length;
  return [
    titled(row.shown, row.id, acceptedWords(row) + row.statement),
    ...full.flatMap((finding) => findingLines(row, finding, evidence)),
    ...brief.map((finding) => fact('found', foundWords(finding))),
    ...(more > 0 ? [fact('and', `${counted(more, 'other finding')} in the report`)] : []),
    ...row.advice.map((text, at) => fact(at === 0 ? 'to fix' : '', text, 'plain', Infinity)),
  ];
}

const acceptedWords = ({ acceptedUntil }: RowView): string =>
  acceptedUntil === undefined ? '' : `accepted until ${acceptedUntil}: `;

/** Formats rows whose deviation a baseline accepts: its end and the finding, without help for a fix. */
export const acceptedLines = (rows: readonly RowView[]): Line[] =>
  rows.map((row) => {
    const what = row.findings[0]?.message ?? row.reason?.text ?? row.statement;
    return titled(row.shown, row.id, acceptedWords(row) + what, 'plain', MOST.lines);
  });

/**
 * Formats a fault for the end of a run: its finding, its likely cause, and the further rows in which it
 * shows. Only a screen cuts the finding: a log file is read later, by somebody without the screen above. The
 * cause is never cut.
 */
export const failureLines = (fault: Fault): Line[] => {
  const { lead } = fault;
  const [, ...others] = rowsOf(fault);
  const below = (text: string): Line => hang([span(' '.repeat(ID_WIDTH + 4))], text, 'quiet');
  const title = [mark(lead.outcome), span(`${lead.id.padEnd(ID_WIDTH)}  `, 'strong')];
  return [
    ...(lead.groups.length === 0 ? [lead.statement] : groupLines(lead)).map(
      (text, at): Line =>
        (look) =>
          at === 0
            ? hang(title, text, 'plain', look.isScreen ? 2 : Infinity)(look)
            : hang(
                [span(' '.repeat(ID_WIDTH + 4))],
                `also: ${text}`,
                'plain',
                look.isScreen ? 2 : Infinity,
              )(look),
    ),
    ...(lead.cause === null ? [] : [below(causeWords(lead.cause, lead.id))]),
    ...(others.length > 0 ? [below(`the same fault shows in ${idsOf(others)}`)] : []),
  ];
};

/** Returns a line for the first finding of each group. */
const groupLines = ({ groups }: RowView): readonly string[] =>
  groups.slice(0, MOST.groups).map(({ first }) => findingLine(first));

const causeWords = ({ words, saidAt }: NonNullable<RowView['cause']>, id: string): string =>
  saidAt === id ? `looks like: ${words}` : `same cause as ${saidAt}`;

function findingLines({ id, shown: outcome }: RowView, finding: ShownFinding, evidence: Evidence): Line[] {
  const { expected, actual } = finding;
  const message = foundWords(finding);
  return [
    outcome === 'error' ? fact('kit fault', message, 'kit') : fact('found', message),
    ...(expected === undefined ? [] : [fact('expected', expected)]),
    ...(actual === undefined ? [] : [fact('received', actual, TONES[outcome])]),
    ...(finding.likewise ? [fact('likewise', likewiseWords(finding))] : []),
    ...(finding.story ? storyLines(finding.story) : []),
    ...(isOfClient(id) ? placeLines(finding.exchanges) : seeLines(finding.exchanges, evidence)),
  ];
}

const storyLines = (story: Story): Line[] => [
  ...story.steps.slice(0, MOST.storySteps).map((step) => fact('story', step)),
  fact('', storyWords(story), 'quiet'),
];

const foundWords = (finding: ShownFinding): string =>
  `${newsWords(finding)}${finding.message}${timesWords(finding)}`;

/** A client's fault is in what it sends, and when: no other program shows it. */
const placeLines = (ids: readonly string[]): Line[] =>
  ids[0] === undefined ? [] : [fact('see', `exchange ${ids[0]} in the report`)];

/** Formats the first exchange of a finding as a command to paste: never broken, never cut. */
function seeLines(ids: readonly string[], { exchanges, source }: Evidence): Line[] {
  const exchange = ids.map((id) => exchanges.get(id)).find((found) => found !== undefined);
  if (!exchange) return [];
  const curl = curlOf(exchange, source);
  if (curl.length > MOST.command)
    return [fact('see', `exchange ${exchange.id} in the report; its request is too long to show here`)];
  return [copyable(span(`       ${'see'.padEnd(10)} `, 'quiet'), span(curl))];
}

/** Formats inconclusive rows of one reason. */
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

/** Formats rows that a failed row blocks, by that row. */
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

/** Formats a row in full with any outcome, for --verbose. */
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
