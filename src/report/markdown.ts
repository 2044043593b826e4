import type { Comparison } from '../outcome/acceptance/compare.js';
import { clip } from '../base/kernel/visible.js';
import type { Outcome } from '../judge/verdict.js';
import { shownText, type CapacityRun } from '../outcome/words/capacity.js';
import { valuesOf } from '../outcome/words/findings.js';
import { markdownCode, markdownText } from '../outcome/words/safe-text.js';
import { AMOUNTS } from './amounts.js';
import { capacityDocument } from './capacity-document.js';
import { comparisonDocument } from './comparison.js';
import type { RowView } from './rows/row-view.js';
import type { Block, Cell, Pair, Table } from './document.js';

const LONGEST = AMOUNTS.markdown.characters;

export const text = (value: string): string => markdownText(clip(value, LONGEST));
export const code = (value: string): string => markdownCode(clip(value, LONGEST));

export const MARKS: Readonly<Partial<Record<Outcome, string>>> = {
  passed: '✅ ',
  failed: '❌ ',
  inconclusive: '⚠️ ',
  error: '⚠️ ',
};

/** The cells are Markdown. */
export const markdownTable = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [rowOf(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(rowOf)].join('\n');

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Escapes what targets sent; empty for a chart. */
function blockOf(block: Block): string {
  switch (block.kind) {
    case 'text':
      return text(block.text);
    case 'table':
      return tableOf(block);
    case 'series':
      return '';
    case 'violations':
      return block.violations
        .map((kind) => `- ${markdownCode(kind.requirement)} ${text(kind.message)} (${shownText(kind)})`)
        .join('\n');
    case 'pairs':
      return block.isFolded
        ? block.pairs.map(({ name }) => text(name)).join(', ')
        : markdownTable([block.first, ...block.labels.map(text)], block.pairs.map(pairOf));
  }
}

const tableOf = ({ columns, rows }: Table): string =>
  rows.length === 0
    ? ''
    : markdownTable(
        columns,
        rows.flatMap(({ cells, isPart }) => (isPart ? [] : [cells.map(cellOf)])),
      );

/** Figures stay readable in the source. */
const FIGURE = /^[-+−]?[\d.,]+(?: (?:ms|s|min|h|%))?$/;

const cellOf = ({ text: value, glyph }: Cell): string =>
  `${(glyph && MARKS[glyph]) ?? ''}${FIGURE.test(value) ? value : text(value)}`;

const pairOf = ({ name, subject, before, now, sides, members }: Pair): readonly string[] =>
  subject === undefined
    ? [
        text(members ? `${name}: ${members.join(', ')}` : name),
        text(before) + firstOf(sides?.before),
        text(now) + firstOf(sides?.after),
      ]
    : [text(subject === '' ? name : `${name}, ${subject}`), code(before), code(now)];

function firstOf(row: RowView | null | undefined): string {
  const values = row?.findings[0] ? valuesOf(row.findings[0]) : [];
  return values.map(([label, value]) => `; ${label} ${code(value)}`).join('');
}

export function comparisonMarkdown(comparison: Comparison): string {
  const { sentence, runs, remarks, sections } = comparisonDocument(comparison);
  return (
    [
      `## ${markdownText(sentence)}`,
      tableOf(runs),
      remarks.map((remark) => `- ${markdownText(remark)}`).join('\n'),
      ...sections.flatMap(({ title, blocks }) => [
        title === '' ? '' : `### ${markdownText(title)}`,
        ...blocks.map(blockOf),
      ]),
    ]
      .filter(Boolean)
      .join('\n\n') + '\n'
  );
}

/** Doubts come first. */
export function capacityMarkdown(results: CapacityRun): readonly string[] {
  const { remarks, sections } = capacityDocument(results);
  return [
    remarks.map((remark) => `> ${text(remark)}`).join('\n>\n'),
    ...sections.flatMap(({ id, blocks }) => (SUMMARY.has(id) ? blocks.map(blockOf) : [])),
  ];
}

const SUMMARY: ReadonlySet<string> = new Set(['find', 'drift', 'thresholds', 'phases', 'violations']);
