import type { CapacityResults } from '../../capacity/results.js';
import type { Exchange } from '../../exchange/types.js';
import { markdownCode, markdownText } from '../../words/markdown.js';
import { clip } from '../../format/visible.js';
import { capacityRemarks, shownText, violationKinds } from '../../words/capacity.js';
import { phaseTable, thresholdTable, type Cell, type Table } from '../../words/capacity-tables.js';

/** A sentence of a remark is cut where a target's own words would make it endless. */
const LONGEST_REMARK = 300;

const MARKS = { met: '✅', missed: '❌', inconclusive: '⚠️' } as const;

/** What summary.md says of a load run: doubts first, then thresholds, phases and what was broken. */
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

/** Figures are the kit's own words; a name or a reason may be anybody's. */
const cellText = ({ text, tone }: Cell, isName: boolean): string => {
  const mark = tone !== undefined && tone in MARKS ? `${MARKS[tone as keyof typeof MARKS]} ` : '';
  return `${mark}${isName || tone === 'note' ? markdownText(clip(text, LONGEST_REMARK)) : text}`;
};
