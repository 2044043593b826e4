import { counted, listed, moment } from '../wording/format.js';
import { CHANGE_KINDS, CHANGE_LABELS } from '../wording/changes.js';
import type { Comparison } from './compare.js';

/** What changed, in one sentence; the targets' names are not escaped. */
export function comparisonSentence({ against, run, changes, capacity }: Comparison): string {
  const counts = CHANGE_KINDS.flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [`${count} ${CHANGE_LABELS[kind]}`];
  });
  const missed = capacity?.thresholds.filter(({ isNewlyMissed }) => isNewlyMissed).length ?? 0;
  const held =
    capacity === undefined
      ? []
      : [
          capacity.thresholds.length === 0
            ? 'every threshold came out as before'
            : `${counted(capacity.thresholds.length, 'threshold')} came out otherwise${missed > 0 ? `, ${missed} newly missed` : ''}`,
        ];
  const rows =
    counts.length === 0 ? 'nothing changed' : `${counted(changes.length, 'requirement')} changed: ${listed(counts)}`;
  const what = [...held, ...(capacity && counts.length === 0 ? [] : [rows])].join('; ');
  return run.name === against.name
    ? `${run.name} since ${moment(against.startedAt)}: ${what}.`
    : `${run.name} against ${against.name}: ${what}.`;
}
