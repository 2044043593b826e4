import { capital, counted, moment } from '../wording/format.js';
import { CHANGE_KINDS, CHANGE_LABELS } from '../wording/changes.js';
import { markdownCode, markdownText } from '../wording/markdown.js';
import { outcomeWords, VERDICT_LABELS } from '../wording/outcomes.js';
import { clip } from '../wording/visible.js';
import type { CapacityComparison } from './compare-capacity.js';
import type { ComparedRun, Comparison } from './compare.js';
import { comparisonSentence } from './compare-sentence.js';

const LONGEST_VALUE = 300;

/** A comparison as Markdown, for a step summary or a comment; observed values are escaped. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { against, run, changes, unchanged, remarks, capacity } = comparison;
  const tables = CHANGE_KINDS.flatMap((kind) => {
    const rows = changes.filter((change) => change.kind === kind);
    if (rows.length === 0) return [];
    return [
      [
        `### ${capital(CHANGE_LABELS[kind])} (${rows.length})`,
        '',
        '| Requirement | Before | Now |',
        '|---|---|---|',
        ...rows.map(({ id, before, after }) => `| ${markdownText(id)} | ${value(before)} | ${value(after)} |`),
      ].join('\n'),
    ];
  });
  return (
    [
      `## ${markdownText(comparisonSentence(comparison))}`,
      ['| | Target | Started | Verdict |', '|---|---|---|---|', row('Before', against), row('Now', run)].join('\n'),
      ...(remarks.length > 0 ? [remarks.map((remark) => `- ${markdownText(remark)}`).join('\n')] : []),
      ...tables,
      ...(capacity ? capacityTables(capacity) : [`${counted(unchanged, 'requirement')} came out alike.`]),
    ].join('\n\n') + '\n'
  );
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

const row = (label: string, { name, startedAt, verdict, complete }: ComparedRun): string =>
  `| ${label} | ${markdownText(name)} | ${markdownText(moment(startedAt))} | ${VERDICT_LABELS[verdict].toLowerCase()}${complete ? '' : ', cut short'} |`;

const value = (text: string): string => markdownCode(clip(outcomeWords(text), LONGEST_VALUE));
