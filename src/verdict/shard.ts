import { parseSlice, type Slice } from '../scenario/slice.js';
import type { Selection } from '../log/record.js';

/** Returns the part of a sharded run; null for a whole run, and for a part of a load run, which reports it itself. */
export const shardOf = (selection: Selection | null): Slice | null =>
  selection?.part === undefined || selection.scenario !== undefined ? null : parseSlice(selection.part);

/** Returns the selection of the whole run, from that of a part. */
export function selectionOfWhole(selection: Selection | null): Selection | null {
  const { part: _, ...whole } = selection ?? {};
  return Object.keys(whole).length === 0 ? null : whole;
}

/** Returns whether a run includes load and exploring. Parts share the key's minute, so only the last one does. */
export function carriesLoad(selection: Selection | null): boolean {
  const shard = shardOf(selection);
  return shard === null || shard.index === shard.count - 1;
}
