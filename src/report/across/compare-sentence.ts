import { counted, listed, moment } from '../wording/format.js';
import { CHANGE_KINDS, CHANGE_LABELS } from '../wording/changes.js';
import type { Comparison } from './compare.js';

/** What changed, in one sentence; the targets' names are not escaped. */
export function comparisonSentence({ against, run, changes }: Comparison): string {
  const counts = CHANGE_KINDS.flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [`${count} ${CHANGE_LABELS[kind]}`];
  });
  const what =
    counts.length === 0 ? 'nothing changed' : `${counted(changes.length, 'requirement')} changed: ${listed(counts)}`;
  return run.name === against.name
    ? `${run.name} since ${moment(against.startedAt)}: ${what}.`
    : `${run.name} against ${against.name}: ${what}.`;
}
