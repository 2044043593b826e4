import { closest } from 'fastest-levenshtein';
import { nearestName } from '../contract/nearest-name.js';
import type { Requirement, RequirementId } from '../contract/types.js';
import type { Selection } from '../log/record.js';
import { carriesLoad, shardOf } from '../verdict/shard.js';
import type { Slice } from '../scenario/slice.js';
import { isShownByTraffic } from '../suite/judge-traffic.js';
import type { RunRequest } from './request.js';
import { runProfiles, type ProfileName, type RunProfile } from '../contract/names.js';
import { badOption, UsageError } from '../contract/errors.js';

/** The load profiles that were named; undefined where the selection is not by profile. */
export const loadProfilesOf = (selection: Selection | null): readonly ProfileName[] | undefined =>
  selection?.profiles?.filter((profile) => profile !== 'explore');

/** Whether a selection leaves the suites in: exploring stands on what they settle, and brings them along. */
export const leavesSuites = (selection: Selection | null): boolean =>
  selection?.only !== 'load' && selection?.replay === undefined && (selection?.profiles?.includes('explore') ?? true);

/**
 * The ids that a selection leaves, in the ledger's order; null when nothing was selected away.
 * @param failedBefore ids that the run before did not pass, for `lastFailed`
 * @throws UsageError when a pattern matches nothing, or nothing is left
 */
export function selectRequirements(
  rows: readonly Requirement[],
  selection: Selection | null,
  failedBefore: readonly RequirementId[] = [],
): readonly RequirementId[] | null {
  if (!selection) return null;
  const patterns = selection.requirements ?? [];
  for (const pattern of patterns) if (!rows.some(({ id }) => matches(pattern, id))) throw unmatched(pattern, rows);
  const left = rows.filter(
    (row) =>
      (patterns.length === 0 || patterns.some((pattern) => matches(pattern, row.id))) &&
      (!selection.lastFailed || failedBefore.includes(row.id)) &&
      (selection.only === undefined ||
        half(row) === selection.only ||
        (half(row) === 'both' && (patterns.length === 0 || row.judgedBy.kind === 'load'))) &&
      (!selection.profiles ||
        (row.judgedBy.kind === 'load'
          ? row.judgedBy.profiles.some((profile) => selection.profiles?.includes(profile))
          : row.judgedBy.kind !== 'nobody' && row.judgedBy.kind !== 'compare' && leavesSuites(selection))),
  );
  if (left.length === 0)
    throw new UsageError(
      'nothing-selected',
      'The selection leaves no requirement.',
      'Leave out one of --only, --requirement, --profile and --last-failed.',
    );
  return left.map(({ id }) => id);
}

/** Which half of the kit judges a row; passive rows are judged by both, and so are those that the suites' traffic shows. */
function half({ judgedBy }: Requirement): 'suites' | 'load' | 'both' | 'neither' {
  switch (judgedBy.kind) {
    case 'suite':
      return 'suites';
    case 'load':
      return judgedBy.traffic ? 'both' : 'load';
    case 'passive':
      return 'both';
    case 'compare':
    case 'nobody':
      return 'neither';
  }
}

/** `*` stands for any characters, as in a shell. */
function matches(pattern: string, id: string): boolean {
  const expression = pattern
    .split('*')
    .map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${expression}$`).test(id);
}

function unmatched(pattern: string, rows: readonly Requirement[]): UsageError {
  return new UsageError(
    'unmatched-requirement',
    `No requirement matches “${pattern}”.`,
    `The nearest id is ${nearestId(pattern, rows)}. All ids: petstore-conformance requirements`,
  );
}

/** The id that looks most like a pattern: where that ends in a star, as far as it says. */
function nearestId(pattern: string, rows: readonly Requirement[]): RequirementId | undefined {
  const text = pattern.replaceAll('*', '');
  const said = (id: RequirementId): string => (pattern.endsWith('*') ? id.slice(0, text.length) : id);
  const likest = closest(
    text,
    rows.map(({ id }) => said(id)),
  );
  return rows.find(({ id }) => said(id) === likest)?.id;
}

/** The profile of a name. Throws UsageError with the nearest one. */
export function runProfileOf(profile: string): RunProfile {
  const known = runProfiles.find((name) => name === profile);
  if (known !== undefined) return known;
  const nearest = nearestName(profile, runProfiles);
  throw new UsageError(
    'unmatched-profile',
    `There is no profile “${profile}”.`,
    nearest ? `Did you mean ${nearest}?` : `Profiles: ${runProfiles.join(', ')}`,
  );
}

/** What decides which halves of the kit are run. */
type Asked = Pick<RunRequest, 'selected' | 'selection' | 'retries'>;

/**
 * The requirements whose tests are run: those that were selected, and those that ran where a failure was shown before. A row
 * that every answer is judged by takes all tests, because its failure may show in any answer.
 */
export function testedRows(
  rows: readonly Requirement[],
  { selected, selection, retries }: Asked,
): readonly RequirementId[] {
  if (!leavesSuites(selection)) return [];
  const isSelected = ({ id }: Requirement): boolean => selected?.includes(id) ?? true;
  const isPart = shardOf(selection) !== null;
  const takesAll = (row: Requirement): boolean =>
    isSelected(row) &&
    !isPart &&
    (row.judgedBy.kind === 'passive' || (selection?.only === 'suites' && isShownByTraffic(row)));
  const all = rows.some(takesAll) || retries?.tests === null;
  return rows
    .filter((row) => row.judgedBy.kind === 'suite' && (all || isSelected(row) || retries?.tests?.includes(row.id)))
    .map(({ id }) => id);
}

/** Whether suites are part of what was selected. */
export const needsSuites = (rows: readonly Requirement[], asked: Asked): boolean => testedRows(rows, asked).length > 0;

/** Whether own suites are part of what was selected; they go where the suites go. */
export const needsOwn = ({ own, selected, selection }: Pick<RunRequest, 'own' | 'selected' | 'selection'>): boolean =>
  leavesSuites(selection) && own !== undefined && own.rows.some(({ id }) => !selected || selected.includes(id));

/** Whether load is part of what was selected. */
export const needsLoad = (rows: readonly Requirement[], { selected, selection, retries }: Asked): boolean =>
  selection?.only !== 'suites' &&
  selection?.replay === undefined &&
  carriesLoad(selection) &&
  (rows.some((row) => row.judgedBy.kind === 'load' && (!selected || selected.includes(row.id))) ||
    retries?.rows.some(({ profiles }) => profiles.length > 0) === true);

/**
 * The rows of one part of a run, of those that are left of the whole: its share of what the suites state, neighbours
 * together because they ask for the same; and with it all that is judged by the way.
 * @throws UsageError when there are fewer to share out than parts
 */
export function rowsOfShard(
  rows: readonly Requirement[],
  left: readonly RequirementId[] | null,
  shard: Slice,
): readonly RequirementId[] {
  const chosen = rows.filter(({ id }) => left?.includes(id) ?? true);
  const stated = chosen.filter(({ judgedBy }) => judgedBy.kind === 'suite').map(({ id }) => id);
  if (stated.length < shard.count)
    throw badOption(
      `--shard shares the suites' requirements out, and there are ${stated.length} for ${shard.count} parts.`,
      'Ask for fewer parts, or leave out what narrows the selection.',
    );
  const bound = (part: number): number => Math.floor((part * stated.length) / shard.count);
  const own = new Set(stated.slice(bound(shard.index), bound(shard.index + 1)));
  return chosen.filter(({ id, judgedBy }) => judgedBy.kind !== 'suite' || own.has(id)).map(({ id }) => id);
}
