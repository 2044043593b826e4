import type { Exchange } from '../../wire/exchange/types.js';
import type { Story } from '../../judge/findings/finding.js';
import { storyWords } from '../../outcome/words/explored.js';
import type { RequirementResult } from '../../outcome/results/results.js';
import type { Outcome } from '../../judge/verdict.js';
import { shownOutcome } from '../../outcome/words/required-count.js';
import { causeAlone, type LikelyCause } from '../causes/likely.js';
import type { Fault } from '../../outcome/words/faults.js';
import { curlOf, type CurlSource } from '../../wire/exchange/curl.js';
import {
  alikeFindings,
  distinctFindings,
  likewiseWords,
  timesWords,
  type DistinctFinding,
} from '../../outcome/words/findings.js';
import { inPart, partlyText } from '../../outcome/words/outcomes.js';
import { byReason, isOfTheRun, reasonText, reasonWords } from '../../outcome/words/reasons.js';
import { count, counted, listed, grouped } from '../../base/kernel/format.js';
import { copyable, hang, mark, span, TONES, type Line, type Tone } from './lines.js';

/** What rows may reference: exchanges by id, and their source of keys; and whether to show everything. */
export interface Evidence {
  readonly exchanges: ReadonlyMap<string, Exchange>;
  readonly source: CurlSource;
  readonly verbose: boolean;
}

const FULL_FINDINGS = 2;
/** Most further findings, a line each: other faults of a shape should be visible now. */
const BRIEF_FINDINGS = 4;
const VALUE_LINES = 3;
/** Longest curl line: a longer one is not useful here, and the report has it. */
const LONGEST_CURL = 2_000;
const MOST_NAMED = 6;
/** Width of the ids, which have at most 30 characters and mostly fewer than 22. */
const ID_WIDTH = 22;

const titled = (outcome: Outcome, id: string, text: string, tone?: Tone, most?: number): Line =>
  hang([span('   '), mark(outcome), span(`${id.padEnd(ID_WIDTH)}  `, 'strong')], text, tone, most);

const fact = (label: string, text: string, tone: Tone = 'plain', most = VALUE_LINES): Line =>
  hang([span(`       ${label.padEnd(10)} `, 'quiet')], text, tone, most);

/**
 * Formats a fault: its lead, the rows in which it shows too with a finding each, and the rows that it blocks.
 * @param heldUp rows that it blocks
 */
export const faultLines = (
  { lead, likewise, shows }: Fault<RequirementResult>,
  evidence: Evidence,
  heldUp: readonly string[],
): Line[] => [
  ...violationLines(lead, evidence),
  ...(likewise.length > 0 ? [fact('likewise', idsOf(likewise), 'plain', Infinity)] : []),
  ...shows.map((row, at) => fact(at === 0 ? 'shows in' : '', `${row.id}: ${firstFound(row)}`)),
  ...(heldUp.length > 0 ? [fact('blocks', listed(heldUp), 'plain', Infinity)] : []),
];

const idsOf = (rows: readonly RequirementResult[]): string => listed(rows.map(({ id }) => id));

const firstFound = (row: RequirementResult): string => {
  const [finding] = distinctFindings(row.findings);
  return finding ? shortest(finding) : row.statement;
};

/** Formats a row that failed, was warned about or met a kit fault: the statement, the finding, and how to see it. */
export function violationLines(row: RequirementResult, evidence: Evidence): Line[] {
  const { exchanges, verbose } = evidence;
  const findings = verbose ? distinctFindings(row.findings) : alikeFindings(row, exchanges);
  const full = verbose ? findings : findings.slice(0, FULL_FINDINGS);
  const brief = findings.slice(full.length, full.length + BRIEF_FINDINGS);
  const more = findings.length - full.length - brief.length;
  return [
    titled(shownOutcome(row), row.id, agreedWords(row) + row.statement),
    ...full.flatMap((finding) => findingLines(shownOutcome(row), finding, evidence)),
    ...brief.map((finding) => fact('found', foundWords(finding))),
    ...(more > 0 ? [fact('and', `${counted(more, 'other finding')} in the report`)] : []),
  ];
}

const agreedWords = ({ acceptedUntil }: RequirementResult): string =>
  acceptedUntil === undefined ? '' : `accepted until ${acceptedUntil}: `;

/** Formats rows whose deviation a baseline accepts: its end and the finding, without help for a fix. */
export const acceptedLines = (rows: readonly RequirementResult[]): Line[] =>
  rows.map((row) => {
    const [finding] = row.findings;
    const what = finding?.message ?? (row.reason ? reasonText(row) : row.statement);
    return titled(shownOutcome(row), row.id, agreedWords(row) + what, 'plain', VALUE_LINES);
  });

/**
 * Formats a fault for the end of a run: its finding, its likely cause, and the further rows in which it shows. Only a screen
 * cuts the finding: a log file is read later, by somebody without the screen above. The cause is never cut.
 */
export const failureLines = (
  { lead, likewise, shows }: Fault<RequirementResult>,
  causes: readonly LikelyCause[],
): Line[] => {
  const others = [...likewise, ...shows].map(({ id }) => id);
  const ids: readonly string[] = [lead.id, ...others];
  const cause = causes.find(({ rows }) => rows.some((row) => ids.includes(row)));
  const [first = ''] = cause?.rows ?? [];
  const below = (text: string): Line => hang([span(' '.repeat(ID_WIDTH + 4))], text, 'quiet');
  const found = hang.bind(
    null,
    [mark(lead.outcome), span(`${lead.id.padEnd(ID_WIDTH)}  `, 'strong')],
    firstFound(lead),
  );
  return [
    (look) => found('plain', look.isScreen ? 1 : Infinity)(look),
    ...(cause ? [below(ids.includes(first) ? `looks like: ${causeAlone(cause)}` : `same cause as ${first}`)] : []),
    ...(others.length > 0 ? [below(`the same fault shows in ${listed(others)}`)] : []),
  ];
};

/** Returns actual and expected if both are short, or else the message. */
function shortest({ message, expected, actual }: DistinctFinding): string {
  const pair = `received ${actual}, expected ${expected}`;
  return actual !== undefined && expected !== undefined && pair.length <= message.length ? pair : message;
}

function findingLines(outcome: Outcome, finding: DistinctFinding, evidence: Evidence): Line[] {
  const { expected, actual } = finding;
  const message = foundWords(finding);
  return [
    outcome === 'error' ? fact('kit fault', message, 'kit') : fact('found', message),
    ...(expected === undefined ? [] : [fact('expected', expected)]),
    ...(actual === undefined ? [] : [fact('received', actual, TONES[outcome])]),
    ...(finding.likewise ? [fact('likewise', likewiseWords(finding))] : []),
    ...(finding.story ? storyLines(finding.story) : []),
    ...seeLines(finding.exchanges, evidence),
  ];
}

const MOST_STEPS = 6;

const storyLines = (story: Story): Line[] => [
  ...story.steps.slice(0, MOST_STEPS).map((step) => fact('story', step)),
  fact('', storyWords(story), 'quiet'),
];

const foundWords = (finding: DistinctFinding): string => `${finding.message}${timesWords(finding)}`;

/** Formats the first exchange of a finding as a command to paste: never broken, never cut. */
function seeLines(ids: readonly string[], { exchanges, source }: Evidence): Line[] {
  const exchange = ids.map((id) => exchanges.get(id)).find((found) => found !== undefined);
  if (!exchange) return [];
  const curl = curlOf(exchange, source);
  if (curl.length > LONGEST_CURL)
    return [fact('see', `exchange ${exchange.id} in the report; its request is too long to show here`)];
  return [copyable(span(`       ${'see'.padEnd(10)} `, 'quiet'), span(curl))];
}

/** Formats inconclusive rows, grouped by reason. */
export const doubtLines = (rows: readonly RequirementResult[]): Line[] => {
  const blocked = rows.filter(({ heldUpBy }) => heldUpBy);
  return [
    ...byReason(rows.filter(({ heldUpBy }) => !heldUpBy)).flatMap(({ code, text, remedy, requirements }) =>
      // Said in full at the end, as the cause of the run.
      isOfTheRun(code)
        ? alikeLines(requirements, `could not be determined: ${reasonWords(code)}; see the cause at the end`)
        : [
            ...alikeLines(requirements, `could not be determined: ${text}`, VALUE_LINES),
            ...(remedy === null ? [] : [fact('to test', remedy)]),
          ],
    ),
    ...[...grouped(blocked, ({ heldUpBy = [] }) => listed(heldUpBy))].flatMap(([by, requirements]) =>
      alikeLines(requirements, `blocked by ${by}: fix that first`),
    ),
  ];
};

function alikeLines(rows: readonly RequirementResult[], text: string, most?: number): Line[] {
  const [first, ...others] = rows.map(({ id }) => id);
  if (first !== undefined && others.length === 0) return [titled('inconclusive', first, text, 'plain', most)];
  return [
    titled('inconclusive', counted(rows.length, 'requirement'), text, 'plain', most),
    fact('namely', named(rows), 'plain', Infinity),
  ];
}

function named(rows: readonly RequirementResult[]): string {
  const ids = rows.map(({ id }) => id);
  if (ids.length <= MOST_NAMED) return listed(ids);
  return `${ids.slice(0, MOST_NAMED - 1).join(', ')} and ${count(ids.length - MOST_NAMED + 1)} more`;
}

/** Formats a row in full with any outcome, for --verbose. */
export function fullLines(row: RequirementResult, evidence: Evidence): Line[] {
  return [
    ...ownLines(row, evidence),
    ...(row.observed ?? []).map(({ subject, value }) =>
      fact('observed', subject === undefined ? value : `${subject}: ${value}`),
    ),
  ];
}

function ownLines(row: RequirementResult, evidence: Evidence): Line[] {
  if (row.acceptedUntil !== undefined && row.findings.length === 0) return acceptedLines([row]);
  switch (row.outcome) {
    case 'passed':
      return [
        titled('passed', row.id, `${row.statement} (${counted(row.evidence, 'response')})`, 'quiet'),
        ...(inPart([row]).length > 0 ? [fact('not tested', partlyText(row), 'plain', Infinity)] : []),
      ];
    case 'failed':
    case 'warned':
    case 'error':
      return violationLines(row, evidence);
    case 'inconclusive':
      return doubtLines([row]);
    case 'observed':
      return [titled('observed', row.id, row.statement, 'quiet')];
    case 'not-applicable':
      return [titled('not-applicable', row.id, `not tested: ${reasonText(row)}`, 'quiet')];
  }
}
