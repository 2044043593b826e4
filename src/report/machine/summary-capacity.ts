import type { CapacityResults } from '../../capacity/results.js';
import type { Exchange } from '../../exchange/types.js';
import { markdownCode, markdownText } from '../../words/markdown.js';
import { clip } from '../../format/visible.js';
import { capacityRemarks, shownText, violationKinds } from '../../words/capacity.js';
import { phaseTable, thresholdTable, type Cell, type Table } from '../../words/capacity-tables.js';

/** Longest remark: it may contain a target's words. */
const LONGEST_REMARK = 300;

const MARKS = { met: '✅', missed: '❌', inconclusive: '⚠️' } as const;

/** Returns a load run's part of summary.md: doubts first, then thresholds, phases and violations. */
export const capacityBlocks = (capacity: CapacityResults, exchanges: readonly Exchange[]): readonly string[] => [
  capacityRemarks(capacity)
    .map((remark) => `> ${markdownText(clip(remark, LONGEST_REMARK))}`)
    .join('\n>\n'),
  table(thresholdTable(capacity)),
  table(phaseTable(capacity)),
  violationKinds(capacity, exchanges)
    .map(
      (kind) =>
        `- ${markdownCode(kind.requirement)} ${markdownText(clip(kind.message, LONGEST_REMARK))} (${shownText(kind)})`,
    )
    .join('\n'),
];

const table = ({ columns, rows }: Table): string =>
  rows.length === 0
    ? ''
    : [
        columns,
        columns.map(() => '---'),
        ...rows.flatMap(({ cells, isPart }) => (isPart ? [] : [cells.map((cell, at) => cellText(cell, at === 0))])),
      ]
        .map((texts) => `| ${texts.join(' | ')} |`)
        .join('\n');

/** Formats a cell. Figures are the kit's own; names and reasons may come from anybody. */
const cellText = ({ text, tone }: Cell, isName: boolean): string => {
  const mark = tone !== undefined && tone in MARKS ? `${MARKS[tone as keyof typeof MARKS]} ` : '';
  return `${mark}${isName || tone === 'note' ? markdownText(clip(text, LONGEST_REMARK)) : text}`;
};
