import type { Results } from '../../outcome/results/results.js';
import { capital, ended } from '../../base/kernel/format.js';
import { cannotStart } from '../../outcome/words/verdict-sentence.js';
import { CAPACITY_LABELS } from '../../outcome/words/outcomes.js';
import { capacityDocument } from '../capacity-document.js';
import type { Block } from '../document.js';
import { shownText, type CapacityRun } from '../../outcome/words/capacity.js';
import { BLANK, hang, LABEL_WIDTH, labelled, tableLine, type Line } from './lines.js';

/** Sections of a load run that its end shows, labelled by their ids. */
const SHOWN: ReadonlySet<string> = new Set([
  'find',
  'drift',
  'journeys',
  'thresholds',
  'agents',
  'violations',
]);

/** Those of them whose tables need a heading. */
const HEADED: ReadonlySet<string> = new Set(['agents', 'parts', 'find', 'journeys']);

export function closingLines(results: CapacityRun, reason: string | null, report: string): readonly Line[] {
  const { sentence, remarks, sections } = capacityDocument(results);
  // Remarks report missing parts.
  const isCut = reason !== null && !results.complete && !results.capacity.problems;
  return [
    ...(isCut ? [...labelled('cut short', [ended(capital(reason))]), BLANK] : []),
    ...(remarks.length > 0 ? [...labelled('before you rely', remarks), BLANK] : []),
    ...sections.flatMap(({ id, title, blocks }) => {
      if (!SHOWN.has(id)) return [];
      const label = id === 'agents' ? title.toLowerCase() : id;
      return blocks.flatMap((block) => blockLines(label, block));
    }),
    BLANK,
    ...labelled(CAPACITY_LABELS[results.verdict].toUpperCase(), [sentence]),
    ...labelled('report', [report]),
  ];
}

function blockLines(label: string, block: Block): readonly Line[] {
  if (block.kind === 'table') return [tableLine(block, label.padEnd(LABEL_WIDTH), HEADED.has(label))];
  if (block.kind === 'text') return labelled(label, [block.text]);
  if (block.kind !== 'violations') return [];
  const texts = block.violations.map((kind) => `${kind.requirement}: ${kind.message} (${shownText(kind)})`);
  return labelled(label, texts.slice(0, MOST_SHOWN));
}

export const notStartedLines = (
  { obstacle }: Pick<Results, 'obstacle'>,
  reason: string | null,
  report: string,
): readonly Line[] =>
  [
    obstacle
      ? cannotStart(obstacle)
      : `The run ended before anything was sent${reason === null ? '' : `: ${reason}`}.`,
    ...(obstacle ? [obstacle.hint] : []),
    `No load was sent. Report: ${report}`,
  ].map((text) => hang([], text));

const MOST_SHOWN = 5;
