import type { Requirement, RequirementId } from '../contract/types.js';
import type { RunLog } from '../log/run-log.js';
import type { ProfileName } from '../contract/names.js';

/** A part of a run that ended at a moment, Unix ms, and the row that it is put down to. */
interface Piece {
  readonly end: number;
  readonly row: RequirementId;
}

/**
 * How long the run took for each row, whole ms: from the answer before to the answer of each exchange that the row asked
 * for first, with what was waited for it, and of load to the end of each profile of which it is the first row. What came
 * after the last of them goes with it. So the sum is the run's duration, wherever anything was asked for at all.
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
    // Exchanges have a clock of their own, which may differ from the calendar's by a little.
    const until = at === pieces.length - 1 ? finish : Math.min(Math.round(end), finish);
    spent.set(row, (spent.get(row) ?? 0) + Math.max(0, until - last));
    last = Math.max(last, until);
  }
  return new Map([...spent].filter(([, ms]) => ms > 0).map(([row, durationMs]) => [row, { durationMs }]));
}

const pieceOf = (end: number, row: RequirementId | undefined): readonly Piece[] =>
  row === undefined ? [] : [{ end, row }];
