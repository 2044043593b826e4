import type { VNode } from 'preact';
import { WORST_FIRST } from '../../../verdict/verdict.js';
import { counted, moment } from '../../../format/format.js';
import { OUTCOME_LABELS } from '../../../words/outcomes.js';
import { oneLine } from '../../../format/visible.js';
import type { Column } from './fold-weeks.js';
import { dayOf } from '../../runs/history.js';
import type { Cell, HistoryRun } from '../../../acceptance/history.js';

/** Class of a cell. What needs attention differs in height, not only in colour. */
export const CELL_CLASSES: Readonly<Record<NonNullable<Cell>, string>> = {
  error: 'c-e',
  failed: 'c-f',
  inconclusive: 'c-i',
  warned: 'c-w',
  passed: 'c-p',
  observed: 'c-o',
  'not-applicable': 'c-n',
  'not-started': 'c-s',
};

/** A cell in words. */
export const cellWords = (cell: NonNullable<Cell>): string =>
  cell === 'not-started' ? 'never started' : OUTCOME_LABELS[cell];

/** Worst first; a run that never started comes last. */
const ORDER: readonly NonNullable<Cell>[] = [...WORST_FIRST, 'not-started'];

/** Returns the link to a run's page, from the history's folder; `id` is the card to open. */
export const runLink = ({ folder, base = '.' }: Pick<HistoryRun, 'folder' | 'base'>, id = ''): string =>
  `${base}/${encodeURIComponent(folder)}/index.html${id === '' ? '' : `#${encodeURIComponent(id)}`}`;

interface TrackProps {
  readonly columns: readonly Column[];
  readonly runs: readonly HistoryRun[];
  readonly cells: readonly Cell[];
  /** Card that a cell links to; default: the first screen. */
  readonly id?: string;
  /** Text of a cell, where it is not the outcome's name. */
  readonly words?: (cell: NonNullable<Cell>, run: HistoryRun) => string;
}

/** Runs of a row, oldest first: each a link to its result, with day, outcome and build as a tooltip. */
export function Track({ columns, runs, cells, id = '', words = cellWords }: TrackProps): VNode {
  return (
    <div class="cells">
      {columns.map(({ week, places }) => {
        const worst = ORDER.find((outcome) => places.some((place) => cells[place] === outcome));
        const place = places.findLast((one) => cells[one] === worst);
        const run = place === undefined ? undefined : runs[place];
        const aside = week === null ? '' : 'week';
        if (!worst || !run) return <span class={aside} />;
        const tip =
          week === null
            ? `${moment(run.startedAt)}: ${words(worst, run)}${run.label === null ? '' : `, build ${run.label}`}`
            : `week of ${week}: ${weekWords(places, cells, runs, words)}; opens ${dayOf(run)}`;
        return (
          <a
            class={`${aside} ${CELL_CLASSES[worst]}`.trim()}
            href={runLink(run, id)}
            title={oneLine(tip)}
            // A hundred links per row would block keyboard users; only cells that need attention are tab stops.
            {...(LOUD.has(worst) ? {} : { tabindex: -1 })}
          />
        );
      })}
    </div>
  );
}

const LOUD: ReadonlySet<Cell> = new Set<Cell>(['error', 'failed', 'inconclusive', 'warned']);

/** “5 passed, 2 failed”, worst first. */
function weekWords(
  places: readonly number[],
  cells: readonly Cell[],
  runs: readonly HistoryRun[],
  words: NonNullable<TrackProps['words']>,
): string {
  const said = new Map<string, number>();
  for (const outcome of ORDER)
    for (const place of places) {
      const run = runs[place];
      if (cells[place] !== outcome || !run) continue;
      const word = words(outcome, run);
      said.set(word, (said.get(word) ?? 0) + 1);
    }
  return [...said].map(([word, times]) => `${times} ${word}`).join(', ') || counted(places.length, 'run');
}
