import pc from 'picocolors';
import { capital, counted, moment } from '../wording/format.js';
import { CHANGE_KINDS, CHANGE_LABELS } from '../wording/changes.js';
import type { Change, ChangeKind } from '../wording/changes.js';
import { harmless } from '../wording/harmless.js';
import { outcomeWords, VERDICT_LABELS } from '../wording/outcomes.js';
import { clip } from '../wording/visible.js';
import type { CapacityComparison } from './compare-capacity.js';
import type { ComparedRun, Comparison } from './compare.js';
import { comparisonSentence } from './compare-sentence.js';

type Colors = ReturnType<typeof pc.createColors>;

/** A terminal shows two or three lines of a value; the rest stands in results.json. */
const LONGEST_VALUE = 200;

const GLYPHS: Readonly<Record<ChangeKind, string>> = {
  'newly-failing': '✗',
  'newly-warned': '!',
  'newly-untested': '?',
  'newly-passing': '✓',
  'newly-tested': '+',
  'outcome-changed': '~',
  'observation-changed': '~',
};

/** A comparison as lines for a terminal or a log file; colour never says anything alone. */
export function comparisonLines(comparison: Comparison, { color }: { readonly color: boolean }): readonly string[] {
  const colors = pc.createColors(color);
  const { against, run, changes, unchanged, remarks, capacity } = comparison;
  return [
    `before  ${runLine(against)}`,
    `now     ${runLine(run)}`,
    ...remarks.map((remark) => colors.dim(`note    ${plain(remark)}`)),
    ...CHANGE_KINDS.flatMap((kind) => {
      const rows = changes.filter((change) => change.kind === kind);
      if (rows.length === 0) return [];
      return ['', colors.bold(capital(CHANGE_LABELS[kind])), ...rows.flatMap((change) => changeLines(change, colors))];
    }),
    ...(capacity ? capacityLines(capacity, colors) : []),
    '',
    colors.bold(plain(comparisonSentence(comparison))),
    ...(capacity ? [] : [`${counted(unchanged, 'requirement')} came out alike.`]),
  ];
}

/** Figures of two load runs side by side, and the thresholds that came out otherwise. */
function capacityLines({ figures, thresholds }: CapacityComparison, colors: Colors): readonly string[] {
  return [
    '',
    ...figures.map(({ phase, figure, before, after, change }, at) => {
      const name = at > 0 && figures[at - 1]?.phase === phase ? '' : plain(phase);
      return `  ${name.padEnd(14)} ${figure.padEnd(16)} ${before.padStart(10)} -> ${after.padStart(10)}  ${change}`.trimEnd();
    }),
    ...thresholds.flatMap(({ text, before, after, isNewlyMissed }) => [
      '',
      `  ${isNewlyMissed ? colors.red('✗') : colors.dim('~')} ${plain(text)}  ${before} -> ${after}`,
    ]),
  ];
}

const runLine = ({ name, startedAt, verdict, complete }: ComparedRun): string =>
  plain(`${name}  ${moment(startedAt)}  ${VERDICT_LABELS[verdict].toLowerCase()}${complete ? '' : ', cut short'}`);

function changeLines({ id, kind, before, after }: Change, colors: Colors): readonly string[] {
  const head = `  ${colors[HUES[kind]](GLYPHS[kind])} ${plain(id)}`;
  const [from, to] = [shown(outcomeWords(before)), shown(outcomeWords(after))];
  return kind === 'observation-changed'
    ? [head, `      before  ${from}`, `      now     ${to}`]
    : [`${head}  ${from} -> ${to}`];
}

const shown = (value: string): string => plain(clip(value, LONGEST_VALUE));

const HUES: Readonly<Record<ChangeKind, 'red' | 'yellow' | 'green' | 'dim'>> = {
  'newly-failing': 'red',
  'newly-warned': 'yellow',
  'newly-untested': 'yellow',
  'newly-passing': 'green',
  'newly-tested': 'green',
  'outcome-changed': 'dim',
  'observation-changed': 'dim',
};

/** Comparisons go where a run's Unicode goes; only what acts on a terminal is written out. */
const plain = (text: string): string => harmless(text, true);
