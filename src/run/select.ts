import { closest } from 'fastest-levenshtein';
import { nearestName } from '../base/kernel/nearest-name.js';
import type { Requirement, RequirementId } from '../base/interface/types.js';
import { loadLedger } from '../base/interface/ledger.js';
import { isSelected } from '../log/header.js';
import type { Selection } from '../log/header-record.js';
import { isDecidedQuickly } from '../drive/limits/select.js';
import { isShownByTraffic } from '../drive/suite/traffic-rows.js';
import type { RunRequest } from './request.js';
import { runProfiles, type RunProfile } from '../base/interface/names.js';
import { UsageError } from '../base/kernel/errors.js';
import { literal } from '../base/kernel/literal.js';

/** Is true if a selection includes the suites: exploring builds on them, and includes them. */
export const leavesSuites = (selection: Selection | null): boolean =>
  selection?.only !== 'load' &&
  selection?.replay === undefined &&
  (selection?.profiles?.includes('explore') ?? true);

/** Returns the selected ids in the ledger's order; null without a selection. Throws UsageError for no match. */
export function selectRequirements(
  rows: readonly Requirement[],
  selection: Selection | null,
  failedBefore: readonly RequirementId[] = [],
): readonly RequirementId[] | null {
  if (!selection) return null;
  const patterns = selection.requirements ?? [];
  for (const pattern of patterns)
    if (!rows.some(({ id }) => matches(pattern, id)))
      throw new UsageError(
        'unmatched-requirement',
        `No requirement matches "${pattern}".`,
        `The nearest id is ${nearestId(pattern, rows)}. All ids: petstore-conformance requirements`,
      );
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
          : row.judgedBy.kind !== 'nobody' && row.judgedBy.kind !== 'compare' && leavesSuites(selection))) &&
      (!selection.quick || row.judgedBy.kind !== 'load' || isDecidedQuickly(row.id)),
  );
  if (left.length === 0)
    throw new UsageError(
      'nothing-selected',
      'The selection contains no requirement.',
      'Leave out one of --only, --requirement, --profile and --last-failed.',
    );
  return left.map(({ id }) => id);
}

/** Part of the kit that judges a row. Both judge passive rows, and rows that the suites' traffic shows. */
function half({ judgedBy }: Requirement): 'suites' | 'load' | 'both' | 'neither' {
  switch (judgedBy.kind) {
    case 'suite':
      return 'suites';
    case 'load':
      return judgedBy.traffic ? 'both' : 'load';
    case 'passive':
      return 'both';
    case 'compare':
    case 'client':
    case 'nobody':
      return 'neither';
  }
}

/** `*` matches any characters, as in a shell. */
function matches(pattern: string, id: string): boolean {
  return new RegExp(`^${pattern.split('*').map(literal).join('.*')}$`).test(id);
}

/** Returns the id most similar to a pattern; before a final star, to its beginning. */
function nearestId(pattern: string, rows: readonly Requirement[]): RequirementId | undefined {
  const text = pattern.replaceAll('*', '');
  const said = (id: RequirementId): string => (pattern.endsWith('*') ? id.slice(0, text.length) : id);
  const likest = closest(
    text,
    rows.map(({ id }) => said(id)),
  );
  return rows.find(({ id }) => said(id) === likest)?.id;
}

/** Throws UsageError with the nearest name. */
export function runProfileOf(profile: string): RunProfile {
  const known = runProfiles.find((name) => name === profile);
  if (known !== undefined) return known;
  const problem = `There is no profile "${profile}".`;
  if (profile === 'suites' || profile === 'load')
    throw new UsageError('unmatched-profile', problem, `Use --only ${profile}.`);
  const nearest = nearestName(profile, runProfiles);
  throw new UsageError(
    'unmatched-profile',
    problem,
    nearest ? `Did you mean ${nearest}?` : `Profiles: ${runProfiles.join(', ')}`,
  );
}

type Asked = Pick<RunRequest, 'selected' | 'selection' | 'retries'>;

/**
 * Returns the rows whose tests run: selected ones, and those that a failure needs. A passive row includes all
 * tests, unless the requests of its failure are known.
 */
export function testedRows(asked: Asked): readonly RequirementId[] {
  const { selection, retries } = asked;
  if (!leavesSuites(selection)) return [];
  const rows = loadLedger().requirements;
  const hasEvidence = (id: RequirementId): boolean =>
    retries?.rows.some(({ requirement, requests }) => requirement === id && requests.length > 0) ?? false;
  const takesAll = (row: Requirement): boolean =>
    isSelected(asked, row.id) &&
    ((row.judgedBy.kind === 'passive' && !hasEvidence(row.id)) ||
      (selection?.only === 'suites' && isShownByTraffic(row)));
  const all = rows.some(takesAll) || retries?.tests === null;
  return rows
    .filter(
      (row) =>
        row.judgedBy.kind === 'suite' &&
        (all || isSelected(asked, row.id) || retries?.tests?.includes(row.id)),
    )
    .map(({ id }) => id);
}

export const needsSuites = (asked: Asked): boolean => testedRows(asked).length > 0;

/** Is true if the selection includes own suites, which go with the suites. */
export const needsOwn = (asked: Pick<RunRequest, 'own' | 'selected' | 'selection'>): boolean =>
  leavesSuites(asked.selection) && asked.own?.rows.some(({ id }) => isSelected(asked, id)) === true;

export const needsLoad = (asked: Asked): boolean =>
  asked.selection?.only !== 'suites' &&
  asked.selection?.replay === undefined &&
  (loadLedger().requirements.some(({ id, judgedBy }) => judgedBy.kind === 'load' && isSelected(asked, id)) ||
    asked.retries?.rows.some(({ profiles }) => profiles.length > 0) === true);
