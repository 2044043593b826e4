import { faultHeadline } from '../../judge/findings/finding.js';
import type { OwnResults, Results } from '../../outcome/results/results.js';
import { WORST_FIRST } from '../../judge/verdict.js';
import { acceptedWords, agreement, hasOutcome, requiredCountOf } from '../../outcome/words/required-count.js';
import { verdictGlyph, scopedVerdictOf, standingWords } from '../../outcome/words/scoped-verdict.js';
import { capital, count, counted, duration, moment, sum } from '../../base/kernel/format.js';
import { markdownCode, markdownText } from '../../outcome/words/safe-text.js';
import { plansTested } from '../../outcome/words/bounds.js';
import { OWN_TITLE, ownClause, ownEffect, problemText } from '../../outcome/words/own.js';
import {
  CAPACITY_LABELS,
  OUTCOME_LABELS,
  outcomeWords,
  VERDICT_GLYPHS,
  byPartly,
  inPart,
  LOUD,
} from '../../outcome/words/outcomes.js';
import { capacityMarkdown, code, MARKS, markdownTable, text } from '../markdown.js';
import { isCapacityRun } from '../../outcome/words/capacity.js';
import { AMOUNTS } from '../amounts.js';
import { markdownItems } from './block-markdown.js';
import { timesOfRun } from '../../outcome/words/traffic.js';
import { faultBlocks, rowBlocks, type FaultBlock } from '../rows/blocks.js';
import { rowsOf } from '../rows/faults.js';
import type { Fault, RowGroup } from '../rows/row-group.js';
import type { RowView } from '../rows/row-view.js';
import type { RunDocument } from '../run-document.js';
import { partTitles } from '../../base/interface/names.js';

const MOST = AMOUNTS.markdown;

/** summary.md, for $GITHUB_STEP_SUMMARY and for reading. Escapes the target's text for Markdown and HTML. */
export function summaryMarkdown(document: RunDocument): string {
  const { results, sentence, rows, kitFaults, faults, warnings, untested } = document;
  if (results.obstacle) return `## ⚠️ Not started\n\n${markdownText(sentence)}\n`;
  const agreed = results.accepted ?? [];
  const inconclusive = rows.filter((row) => hasOutcome(row, 'inconclusive'));
  return (
    [
      `## ${title(results)}`,
      markdownText(sentence),
      ...(document.since === null ? [] : [markdownText(`${capital(document.since)}.`)]),
      ...(isCapacityRun(results) ? capacityMarkdown(results) : []),
      facts(results),
      ...(results.fault === undefined
        ? []
        : [`### Kit fault\n\n${markdownText(faultHeadline(results.fault))}`]),
      section('Faults of the kit', kitFaults.length, kitFaults.flatMap(item)),
      section('Failed', rowCount(faults), faults.flatMap(faultItem)),
      section('Inconclusive', inconclusive.length, openItems(document)),
      section('Warnings', rowCount(warnings), warnings.flatMap(faultItem)),
      section('Accepted', agreed.length, agreed.map(acceptedItem)),
      section(
        'Passed with reduced coverage',
        inPart(rows).length,
        byPartly(rows).map(
          ({ text: what, requirements }) =>
            `- ${requirements.map(nameOf).join(', ')}: not tested: ${text(what)}`,
        ),
      ),
      folded(
        `Not tested (${untested.length})`,
        untested.map((row) => `- ${nameOf(row)}: ${text(row.reason?.text ?? '')}`),
      ),
      observations(rows.filter(({ outcome }) => outcome === 'observed')),
      ...(document.own && results.own ? ownBlocks(document.own, results.own) : []),
    ]
      .filter((block) => block !== '')
      .join('\n\n') + '\n'
  );
}

function ownBlocks({ rows }: RowGroup, own: OwnResults): readonly string[] {
  const loud = rows.filter(({ outcome }) => LOUD.has(outcome));
  return [
    `### ${OWN_TITLE}`,
    `${markdownText(ownClause(own))}; ${ownEffect(own)}; ${counted(own.requests, 'request')} of these suites.`,
    [
      ...own.problems.map((problem) => `- ⚠️ ${text(problemText(problem))}`),
      ...loud.flatMap(item),
      ...rows.flatMap((row) =>
        LOUD.has(row.outcome) ? [] : [`- ${markdownText(row.id)}: ${outcomeWords(row.outcome)}`],
      ),
    ].join('\n'),
  ];
}

const title = (results: Results): string => {
  const { complete, verdict } = results;
  if (!complete && verdict !== 'error') return `${MARKS[VERDICT_GLYPHS[verdict]] ?? ''}Interrupted`;
  const scoped = scopedVerdictOf(results);
  const isMet = results.baseline?.met ?? true;
  const glyph = scoped.accepted > 0 ? 'inconclusive' : verdictGlyph(scoped);
  const mark = MARKS[isMet ? glyph : 'failed'] ?? '';
  if (results.capacity) return `${mark}${CAPACITY_LABELS[verdict]}`;
  const others = scoped.accepted === 0 ? acceptedWords(results) : '';
  return `${mark}${standingWords(results)}${others === '' ? '' : `; ${others}`}`;
};

function facts(results: Results): string {
  const { inScope, outOfScope, passed } = requiredCountOf(results);
  const { startedAt, durationMs } = timesOfRun(results);
  const rows: readonly (readonly [string, string])[] = [
    ['Target', `${markdownText(results.target.name)} ${markdownCode(results.target.baseUrl)}`],
    [
      'Required behaviours',
      results.clean === true
        ? `${count(passed)} of ${count(inScope + outOfScope)} shown, none violated`
        : inScope === 0
          ? 'none judged'
          : `${count(passed)} of ${count(inScope)} passed`,
    ],
    ...(results.label === undefined ? [] : ([['Build', markdownText(results.label)]] as const)),
    [
      'Requirements',
      WORST_FIRST.map((outcome) => `${count(results.counts[outcome])} ${OUTCOME_LABELS[outcome]}`).join(', '),
    ],
    ['Requests', count(results.requests.total)],
    ['Duration', `${duration(durationMs)}, from ${markdownText(moment(startedAt))}`],
    ['Plans tested', markdownText(plansTested(results).map(capital).join(', ') || 'none')],
    ['Judged as of', markdownText(results.scope.asOf)],
    ['Kit', markdownText(`${results.kit.name} ${results.kit.version}`)],
  ];
  return markdownTable(['', ''], rows);
}

const section = (heading: string, amount: number, lines: readonly string[]): string =>
  amount === 0 ? '' : [`### ${heading} (${amount})`, '', ...lines].join('\n');

/** Names the rows with the same reason together: a server that stopped leaves dozens. */
const openItems = ({ open, blocked }: RunDocument): readonly string[] => [
  ...open.flatMap(({ text: reason, requirements }) =>
    requirements.length === 1
      ? requirements.flatMap(item)
      : [`- ${requirements.map(nameOf).join(', ')}: ${text(reason)}`],
  ),
  ...blocked.flatMap(item),
];

const folded = (title: string, lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : [`<details><summary>${title}</summary>`, '', ...lines, '', '</details>'].join('\n');

const nameOf = ({ id }: { readonly id: string }): string => `**${markdownText(id)}**`;

const rowCount = (faults: readonly Fault[]): number => sum(faults, (fault) => rowsOf(fault).length);

const faultItem = (fault: Fault): readonly string[] => blockItems(fault.lead, faultBlocks(fault, MOST));

const item = (row: RowView): readonly string[] => blockItems(row, rowBlocks(row, MOST));

const blockItems = (row: RowView, blocks: readonly FaultBlock[]): readonly string[] => [
  `- ${nameOf(row)} (${partTitles[row.part]}, ${row.level}): ${markdownText(row.statement)}`,
  ...(row.reason ? [`  - ${text(row.reason.text)}`] : []),
  ...markdownItems(blocks, { indent: '  ', text, code }),
];

/** An accepted deviation with its agreement; the verdict counts it as found. */
const acceptedItem = (entry: NonNullable<Results['accepted']>[number]): string =>
  `- **${markdownText(entry.requirement)}** (${outcomeWords(entry.outcome)}): accepted ${text(agreement(entry))}`;

function observations(rows: readonly RowView[]): string {
  const seen = rows.flatMap((row) => (row.observed ?? []).map((one) => ({ id: row.id, ...one })));
  const cells = seen.map(({ id, subject, value }) => [markdownText(id), text(subject ?? ''), code(value)]);
  return folded(
    `What the interface leaves open (${counted(seen.length, 'observation')} of ${counted(rows.length, 'requirement')})`,
    seen.length === 0 ? [] : [markdownTable(['Requirement', 'Asked', 'Seen'], cells)],
  );
}
