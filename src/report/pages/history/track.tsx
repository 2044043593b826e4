import type { VNode } from 'preact';
import { WORST_FIRST } from '../../../verdict/verdict.js';
import { counted, moment } from '../../../format/format.js';
import { OUTCOME_LABELS } from '../../../words/outcomes.js';
import { oneLine } from '../../../format/visible.js';
import type { Column } from './fold-weeks.js';
import { dayOf } from '../../runs/history.js';
import type { Cell, HistoryRun } from '../../../acceptance/history.js';

/** A cell's class: what asks for attention stands out by its height, not by colour alone. */
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

/** Worst first; that a run never started says less than anything that was judged. */
const ORDER: readonly NonNullable<Cell>[] = [...WORST_FIRST, 'not-started'];

/** The page of a run, from the folder of the history; `id` is the card to open there. */
export const runLink = ({ folder, base = '.' }: Pick<HistoryRun, 'folder' | 'base'>, id = ''): string =>
  `${base}/${encodeURIComponent(folder)}/index.html${id === '' ? '' : `#${encodeURIComponent(id)}`}`;

interface TrackProps {
  readonly columns: readonly Column[];
  readonly runs: readonly HistoryRun[];
  readonly cells: readonly Cell[];
  /** The card that a cell leads to; the run's first screen without. */
  readonly id?: string;
  /** What a cell says of a run, where an outcome's name is not the word. */
  readonly words?: (cell: NonNullable<Cell>, run: HistoryRun) => string;
}

/** The runs of a row, oldest first: each a link to what that run says, with its day, outcome and build as a tip. */
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
            // A hundred links a row would bar the way by keyboard; those that ask for attention stand on it.
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
