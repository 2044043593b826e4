import type { Exchange } from '../../wire/exchange/types.js';
import { faultHeadline } from '../../judge/findings/finding.js';
import type { OwnResults, RequirementResult, Results } from '../../outcome/results/results.js';
import { WORST_FIRST } from '../../judge/verdict.js';
import { acceptedWords, agreement, requiredCountOf } from '../../outcome/words/required-count.js';
import { standingOf, standingWords } from '../../outcome/words/standing.js';
import { verdictText } from '../../outcome/words/bounds.js';
import { alikeFindings, likewiseWords, receivedWords, timesWords } from '../../outcome/words/findings.js';
import { count, counted, duration, moment } from '../../base/kernel/format.js';
import { markdownCode, markdownText } from '../../outcome/words/safe-text.js';
import { OWN_TITLE, ownClause, ownEffect, problemText } from '../../outcome/words/own.js';
import {
  CAPACITY_LABELS,
  OUTCOME_LABELS,
  outcomeWords,
  VERDICT_GLYPHS,
  byPartly,
  inPart,
} from '../../outcome/words/outcomes.js';
import { reasonText } from '../../outcome/words/reasons.js';
import { capacityMarkdown, code, MARKS, markdownTable, text } from '../markdown.js';
import { isCapacityRun } from '../../outcome/words/capacity.js';
import { partTitles } from '../../base/interface/names.js';

type Exchanges = ReadonlyMap<string, Exchange>;

const MOST_FINDINGS = 3;

/** summary.md, for $GITHUB_STEP_SUMMARY and for reading. Escapes the target's text for Markdown and HTML. */
export function summaryMarkdown(results: Results): string {
  if (results.obstacle) return `## ⚠️ Not started\n\n${markdownText(verdictText(results))}\n`;
  const pick = (...outcomes: readonly RequirementResult['outcome'][]) =>
    results.requirements.filter((row) => outcomes.includes(row.outcome));
  const { accepted = [] } = results;
  const isAgreed = new Set(accepted.map(({ requirement }) => requirement));
  const isOpen = ({ id }: RequirementResult) => !isAgreed.has(id);
  const exchanges = new Map(results.exchanges.map((exchange) => [exchange.id, exchange]));
  return (
    [
      `## ${title(results)}`,
      markdownText(verdictText(results)),
      ...(isCapacityRun(results) ? capacityMarkdown(results) : []),
      facts(results),
      ...(results.fault === undefined ? [] : [`### Kit fault\n\n${markdownText(faultHeadline(results.fault))}`]),
      ...(
        [
          ['Faults of the kit', pick('error')],
          ['Failed', pick('failed').filter(isOpen)],
          ['Inconclusive', pick('inconclusive').filter(isOpen)],
          ['Warnings', pick('warned').filter(isOpen)],
        ] as const
      ).map(([heading, rows]) =>
        section(
          heading,
          rows.length,
          rows.flatMap((row) => item(row, exchanges)),
        ),
      ),
      section('Accepted', accepted.length, accepted.map(acceptedItem)),
      section(
        'Passed with reduced coverage',
        inPart(results.requirements).length,
        byPartly(results.requirements).map(
          ({ text: what, requirements }) => `- ${requirements.map(nameOf).join(', ')}: not tested: ${text(what)}`,
        ),
      ),
      folded(
        `Not tested (${pick('not-applicable').length})`,
        pick('not-applicable').map((row) => `- ${nameOf(row)}: ${text(reasonText(row))}`),
      ),
      observations(pick('observed')),
      ...(results.own ? ownBlocks(results.own, exchanges) : []),
    ]
      .filter((block) => block !== '')
      .join('\n\n') + '\n'
  );
}

/** Returns own suites: errors in their files, rows that did not pass, number that did. */
function ownBlocks(own: OwnResults, exchanges: Exchanges): readonly string[] {
  const loud = own.requirements.filter(({ outcome }) => LOUD.has(outcome));
  return [
    `### ${OWN_TITLE}`,
    `${markdownText(ownClause(own))}; ${ownEffect(own)}; ${counted(own.requests, 'request')} of these suites.`,
    [
      ...own.problems.map((problem) => `- ⚠️ ${text(problemText(problem))}`),
      ...loud.flatMap((row) => item(row, exchanges)),
      ...own.requirements.flatMap((row) =>
        LOUD.has(row.outcome) ? [] : [`- ${markdownText(row.id)}: ${outcomeWords(row.outcome)}`],
      ),
    ].join('\n'),
  ];
}

const LOUD: ReadonlySet<string> = new Set(['error', 'failed', 'warned', 'inconclusive']);

const title = (results: Results): string => {
  const { complete, verdict } = results;
  if (!complete && verdict !== 'error') return `${MARKS[VERDICT_GLYPHS[verdict]] ?? ''}Interrupted`;
  const standing = standingOf(results);
  const isMet = results.baseline?.met ?? true;
  const mark = MARKS[isMet ? (standing.accepted > 0 ? 'inconclusive' : VERDICT_GLYPHS[verdict]) : 'failed'] ?? '';
  if (results.capacity) return `${mark}${CAPACITY_LABELS[verdict]}`;
  const others = standing.accepted === 0 ? acceptedWords(results) : '';
  return `${mark}${isMet ? '' : 'Baseline not met; '}${standingWords(standing)}${others === '' ? '' : `; ${others}`}`;
};

function facts(results: Results): string {
  const { inScope, passed } = requiredCountOf(results);
  const rows: readonly (readonly [string, string])[] = [
    ['Target', `${markdownText(results.target.name)} ${markdownCode(results.target.baseUrl)}`],
    ['Required behaviours', `${passed} of ${inScope} passed`],
    ...(results.label === undefined ? [] : ([['Build', markdownText(results.label)]] as const)),
    ['Requirements', WORST_FIRST.map((outcome) => `${results.counts[outcome]} ${OUTCOME_LABELS[outcome]}`).join(', ')],
    ['Requests', count(results.requests.total)],
    ['Duration', `${duration(results.durationMs)}, from ${markdownText(moment(results.startedAt))}`],
    ['Plans', markdownText(results.scope.plans.join(', ') || 'none')],
    ['Judged as of', markdownText(results.scope.asOf)],
    ['Kit', markdownText(`${results.kit.name} ${results.kit.version}`)],
  ];
  return markdownTable(['', ''], rows);
}

const section = (heading: string, amount: number, lines: readonly string[]): string =>
  amount === 0 ? '' : [`### ${heading} (${amount})`, '', ...lines].join('\n');

const folded = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [`<details><summary>${title}</summary>`, '', ...lines, '', '</details>'].join('\n');

const nameOf = ({ id }: { readonly id: string }): string => `**${markdownText(id)}**`;

function item(row: RequirementResult, exchanges: Exchanges): string[] {
  const findings = alikeFindings(row, exchanges);
  const left = findings.length - MOST_FINDINGS;
  return [
    `- ${nameOf(row)} (${partTitles[row.part]}, ${row.level}): ${markdownText(row.statement)}`,
    ...(row.reason ? [`  - ${text(reasonText(row))}`] : []),
    ...findings
      .slice(0, MOST_FINDINGS)
      .flatMap((finding) => [
        `  - ${text(finding.message)}${timesWords(finding)}`,
        ...(finding.expected === undefined ? [] : [`    - expected ${code(finding.expected)}`]),
        ...(finding.actual === undefined ? [] : [`    - ${receivedWords(finding)} ${code(finding.actual)}`]),
        ...(finding.likewise ? [`    - likewise on ${text(likewiseWords(finding))}`] : []),
      ]),
    ...(left > 0 ? [`  - ${counted(left, 'more finding')} in the report`] : []),
  ];
}

/** An accepted deviation with its agreement; the verdict counts it as found. */
const acceptedItem = (entry: NonNullable<Results['accepted']>[number]): string =>
  `- **${markdownText(entry.requirement)}** (${outcomeWords(entry.outcome)}): ${text(agreement(entry))}`;

function observations(rows: readonly RequirementResult[]): string {
  const seen = rows.flatMap((row) => (row.observed ?? []).map((one) => ({ id: row.id, ...one })));
  const cells = seen.map(({ id, subject, value }) => [markdownText(id), text(subject ?? ''), code(value)]);
  return folded(
    `What the interface leaves open (${counted(seen.length, 'observation')} of ${counted(rows.length, 'requirement')})`,
    seen.length === 0 ? [] : [markdownTable(['Requirement', 'Asked', 'Seen'], cells)],
  );
}
