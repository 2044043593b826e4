import { parseSlice, type Slice } from '../scenario/slice.js';
import type { Selection } from '../log/record.js';

/** Which part of a run whose suites were shared out; null for a whole run, and for a part of a load run, which says it itself. */
export const shardOf = (selection: Selection | null): Slice | null =>
  selection?.part === undefined || selection.scenario !== undefined ? null : parseSlice(selection.part);

/** What the whole was asked for, in the words of one of its parts. */
export function selectionOfWhole(selection: Selection | null): Selection | null {
  const { part: _, ...whole } = selection ?? {};
  return Object.keys(whole).length === 0 ? null : whole;
}

/**
 * Whether load, and exploring, belong to a run: of one that is shared out to the last part alone. A key has one minute, so
 * that parts with one key follow each other, and then load comes last as in a whole run.
 */
export function carriesLoad(selection: Selection | null): boolean {
  const shard = shardOf(selection);
  return shard === null || shard.index === shard.count - 1;
}
