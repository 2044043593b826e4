import type { Outcome } from '../../verdict/verdict.js';
import { OUTCOME_LABELS } from '../wording/outcomes.js';
import { WORST_FIRST } from '../../verdict/verdict.js';

/** A cell's height in tenths of the strip: what asks for attention stands out by shape, not by colour alone. */
const HEIGHTS: Readonly<Record<Outcome, number>> = {
  error: 10,
  failed: 10,
  inconclusive: 7,
  warned: 5,
  passed: 3,
  observed: 2,
  'not-applicable': 1,
};

/** A few runs get a gap between their cells; many would be all gap. */
const GAPS_UP_TO = 60;
const GAP = 0.15;

/** In rem: three runs are three marks, not three thirds of the page. */
const WIDEST_CELL = 1.4;

/** The outcomes of one requirement, a cell a run, oldest first; runs alike are drawn as one shape, so that 400 stay small. */
export function OutcomeStrip({ cells }: { readonly cells: readonly (Outcome | null)[] }) {
  const gap = cells.length <= GAPS_UP_TO ? GAP : 0;
  return (
    <svg
      class="cells"
      viewBox={`0 0 ${Math.max(1, cells.length)} 10`}
      preserveAspectRatio="none"
      style={{ maxWidth: `${cells.length * WIDEST_CELL}rem` }}
      role="img"
      aria-label={outcomeCounts(cells)}
    >
      {WORST_FIRST.map((outcome) => {
        const path = shapes(cells, outcome, gap);
        return path === '' ? null : <path key={outcome} class={outcome} d={path} />;
      })}
    </svg>
  );
}

/** "398 passed, 2 failed": what a strip says, in words. */
export function outcomeCounts(cells: readonly (Outcome | null)[]): string {
  const counts = WORST_FIRST.map((outcome) => ({ outcome, count: cells.filter((cell) => cell === outcome).length }));
  return counts
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${count} ${OUTCOME_LABELS[outcome]}`)
    .join(', ');
}

function shapes(cells: readonly (Outcome | null)[], outcome: Outcome, gap: number): string {
  const height = HEIGHTS[outcome];
  const path: string[] = [];
  for (let from = 0; from < cells.length; from += 1) {
    if (cells[from] !== outcome) continue;
    const end = gap > 0 ? from + 1 : endOfStretch(cells, from);
    path.push(`M${from} ${10 - height}H${end - gap}V10H${from}z`);
    from = end - 1;
  }
  return path.join('');
}

function endOfStretch(cells: readonly (Outcome | null)[], from: number): number {
  let end = from + 1;
  while (end < cells.length && cells[end] === cells[from]) end += 1;
  return end;
}
