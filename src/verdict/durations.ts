import type { Requirement, RequirementId } from '../contract/types.js';
import type { RunLog } from '../log/run-log.js';
import type { ProfileName } from '../contract/names.js';

/** Part of a run: its end, Unix ms, and its row. */
interface Piece {
  readonly end: number;
  readonly row: RequirementId;
}

/**
 * Returns each row's share of the run's duration, whole ms. An exchange counts from the previous response to its own, waits
 * included, for the row that requested it first. A load profile counts for its first row. Time after the last one belongs to
 * it, so the sum is the run's duration.
 */
export function durationsOf(
  { header, exchanges, askedBy, profiles }: RunLog,
  rows: readonly Requirement[],
  finishedAt: string,
): ReadonlyMap<RequirementId, { readonly durationMs: number }> {
  const selected = rows.filter(({ id }) => header.scope.selected?.includes(id) ?? true);
  const firstOf = (profile: ProfileName): RequirementId | undefined =>
    selected.find(({ judgedBy }) => judgedBy.kind === 'load' && judgedBy.profiles.includes(profile))?.id;
  const pieces: readonly Piece[] = [
    ...exchanges.flatMap(({ id, sentAt, latencyMs }) => pieceOf(sentAt + latencyMs, askedBy.get(id))),
    ...profiles.flatMap((profile) => pieceOf(profile.finishedAt, firstOf(profile.profile))),
  ].toSorted((one, other) => one.end - other.end);
  const finish = Date.parse(finishedAt);
  const spent = new Map<RequirementId, number>();
  let last = Date.parse(header.startedAt);
  for (const [at, { end, row }] of pieces.entries()) {
    // The exchanges' clock may differ slightly from the calendar's.
    const until = at === pieces.length - 1 ? finish : Math.min(Math.round(end), finish);
    spent.set(row, (spent.get(row) ?? 0) + Math.max(0, until - last));
    last = Math.max(last, until);
  }
  return new Map([...spent].filter(([, ms]) => ms > 0).map(([row, durationMs]) => [row, { durationMs }]));
}

const pieceOf = (end: number, row: RequirementId | undefined): readonly Piece[] =>
  row === undefined ? [] : [{ end, row }];
