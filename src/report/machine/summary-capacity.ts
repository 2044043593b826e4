import type { CapacityResults } from '../../capacity/results.js';
import { count, counted, latencyText } from '../../format/format.js';
import { markdownCode, markdownText } from '../words/markdown.js';
import { clip } from '../../format/visible.js';
import { capacityRemarks, valueText } from '../words/capacity.js';

/** A sentence of a remark is cut where a target's own words would make it endless. */
const LONGEST_REMARK = 300;

const MARKS = { met: '✅', missed: '❌', inconclusive: '⚠️' } as const;
const WORDS = { met: 'met', missed: 'missed', inconclusive: 'not established' } as const;

/** What summary.md says of a load run: doubts first, then thresholds, phases and what was broken. */
export const capacityBlocks = (capacity: CapacityResults): readonly string[] => [
  capacityRemarks(capacity)
    .map((remark) => `> ${markdownText(clip(remark, LONGEST_REMARK))}`)
    .join('\n>\n'),
  table(
    ['Threshold', 'Measured', 'Outcome'],
    capacity.thresholds.map((threshold) => [
      markdownText(threshold.text),
      valueText(threshold),
      `${MARKS[threshold.outcome]} ${WORDS[threshold.outcome]}${threshold.reason === undefined ? '' : `: ${markdownText(threshold.reason)}`}`,
    ]),
  ),
  table(
    ['Phase', 'Sent', 'Served', 'Errors', 'Violations', 'Dropped', 'p50', 'p99', 'Longest'],
    capacity.phases.map((phase) => [
      markdownText(phase.name),
      ...[phase.sent, phase.served, phase.errors, phase.violations, phase.dropped].map(count),
      ...[phase.latencyMs.p50, phase.latencyMs.p99, phase.latencyMs.max].map(latencyText),
    ]),
  ),
  capacity.violations
    .map(
      ({ requirement, message, count: times }) =>
        `- ${markdownCode(requirement)} ${markdownText(clip(message, LONGEST_REMARK))} (${counted(times, 'answer')})`,
    )
    .join('\n'),
];

const table = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
