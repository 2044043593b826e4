import { capital, count, counted, listed, moment } from '../../format/format.js';
import { CHANGE_KINDS, CHANGE_LABELS, type Change } from '../../words/changes.js';
import { markdownCode, markdownText } from '../../words/markdown.js';
import { OWN_TITLE } from '../../words/own.js';
import { clip } from '../../format/visible.js';
import type { CapacityComparison } from '../../acceptance/compare-capacity.js';
import { sideLine, sideWords } from '../../words/compare-details.js';
import type { BothSides, ComparedRun, Comparison } from '../../acceptance/compare.js';
import { comparisonSentence, verdictOf } from '../runs/compare-sentence.js';

const LONGEST_VALUE = 300;

/** Returns a comparison as Markdown, for a step summary or a comment. Escapes what targets sent. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { against, run, changes, unchanged, stillFailing, remarks, capacity, sides, own } = comparison;
  const tables = CHANGE_KINDS.flatMap((kind) => {
    const rows = changes.filter((change) => change.kind === kind);
    if (rows.length === 0) return [];
    return [
      [
        `### ${capital(CHANGE_LABELS[kind])} (${rows.length})`,
        '',
        '| Requirement | Before | Now |',
        '|---|---|---|',
        ...rows.flatMap((change) => tableRows(change, sides.get(change.id))),
      ].join('\n'),
    ];
  });
  return (
    [
      `## ${markdownText(comparisonSentence(comparison))}`,
      [
        '| | Target | Build | Started | Verdict |',
        '|---|---|---|---|---|',
        row('Before', against),
        row('Now', run),
      ].join('\n'),
      ...(remarks.length > 0 ? [remarks.map((remark) => `- ${markdownText(remark)}`).join('\n')] : []),
      ...tables,
      ...(stillFailing.length > 0
        ? [`Failing in both (${count(stillFailing.length)}): ${markdownText(listed(stillFailing))}`]
        : []),
      ...(own.length > 0
        ? [
            [
              `### ${OWN_TITLE} (${own.length})`,
              '',
              '| Requirement | Before | Now |',
              '|---|---|---|',
              ...own.map(
                ({ id, before, after }) =>
                  `| ${markdownText(id)} | ${markdownText(clip(before, LONGEST_VALUE))} | ${markdownText(clip(after, LONGEST_VALUE))} |`,
              ),
            ].join('\n'),
          ]
        : []),
      ...(capacity ? capacityTables(capacity) : []),
      ...(!capacity && unchanged > 0 ? [`${counted(unchanged, 'requirement')} with the same outcome.`] : []),
    ].join('\n\n') + '\n'
  );
}

function tableRows({ id, kind }: Change, sides: BothSides | undefined): readonly string[] {
  if (!sides) return [];
  if (kind === 'observation-changed')
    return sides.observed.map(
      ({ subject, before, after }) =>
        `| ${markdownText(subject === '' ? id : `${id}, ${subject}`)} | ${value(before ?? 'not seen')} | ${value(after ?? 'not seen')} |`,
    );
  return [`| ${markdownText(id)} | ${side(sides.before)} | ${side(sides.after)} |`];
}

/** Returns the outcome, with expected and actual of the first finding. */
function side(result: BothSides['before']): string {
  const [first] = sideWords(result).findings;
  return [
    markdownText(clip(sideLine(result), LONGEST_VALUE)),
    ...(first?.expected === undefined ? [] : [`expected ${value(first.expected)}`]),
    ...(first?.actual === undefined ? [] : [`received ${value(first.actual)}`]),
  ].join('; ');
}

const capacityTables = ({ figures, thresholds }: CapacityComparison): readonly string[] => [
  ...(thresholds.length === 0
    ? []
    : [
        [
          '| Threshold | Before | Now |',
          '|---|---|---|',
          ...thresholds.map(({ text, before, after }) => `| ${markdownText(text)} | ${before} | ${after} |`),
        ].join('\n'),
      ]),
  [
    '| Phase | Figure | Before | Now | Change |',
    '|---|---|--:|--:|--:|',
    ...figures.map(
      ({ phase, figure, before, after, change }) =>
        `| ${markdownText(phase)} | ${figure} | ${before} | ${after} | ${change} |`,
    ),
  ].join('\n'),
];

const row = (label: string, run: ComparedRun): string =>
  `| ${label} | ${markdownText(run.name)} | ${markdownText(run.label ?? '')} | ${markdownText(moment(run.startedAt))} | ${verdictOf(run)} |`;

const value = (text: string): string => markdownCode(clip(text, LONGEST_VALUE));
