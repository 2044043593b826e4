import {
  sideLine,
  CHANGE_KINDS,
  CHANGES,
  type Change,
  type ChangeKind,
  type Environments,
} from '../words/changes.js';
import { oneLine } from '../../base/kernel/visible.js';
import type { RequirementId } from '../../base/interface/types.js';
import type { RequirementResult, Results } from '../results/results.js';
import type { Outcome } from '../../judge/verdict.js';
import { kindsBeyond, kindsOf } from '../results/finding-kind.js';
import { compareCapacity, type CapacityComparison } from './compare-capacity.js';

/** Results of both runs for one requirement; null where a run does not know it. */
export type BothSides = ReturnType<typeof bothSides>;
export type Comparison = ReturnType<typeof compareResults>;

/** Returns whether the later run has a failure that the earlier one did not show. Pure. */
export const hasNewFailure = ({ changes }: Pick<Comparison, 'changes'>): boolean =>
  changes.some(({ kind }) => CHANGES[kind].isNewFailure);

/** Stands for the outcome where a run does not know the requirement. */
const ABSENT = 'absent';
type Side = Outcome | typeof ABSENT;
type Row = RequirementResult | undefined;

/**
 * Compares a run with an earlier one, requirement by requirement. Pure.
 *
 * @param baseline more earlier load runs, for the speed
 */
export function compareResults(before: Results, after: Results, baseline: readonly Results[] = []) {
  const earlier = byId(before);
  const later = byId(after);
  const ids = [...new Set([...later.keys(), ...earlier.keys()])];
  // In a run that never started every row is inconclusive. That is one remark, not many changes.
  const isComparable = !before.obstacle && !after.obstacle;
  const changes = isComparable ? ids.flatMap((id) => changeOf(id, earlier.get(id), later.get(id))) : [];
  const changed = new Set(changes.map(({ id }) => id));
  const notCompared = ids.filter(
    (id) => !changed.has(id) && isLeftOut(earlier.get(id), later.get(id)),
  ).length;
  const stillFailing = ids.filter(
    (id) => !changed.has(id) && earlier.get(id)?.outcome === 'failed' && later.get(id)?.outcome === 'failed',
  );
  const earlierLoads = baseline.flatMap(({ capacity }) => capacity ?? []);
  const capacity =
    before.capacity && after.capacity
      ? compareCapacity(before.capacity, after.capacity, earlierLoads)
      : undefined;
  const otherwise = new Set(changes.flatMap(({ id, kind }) => (CHANGES[kind].isOfFindings ? [id] : [])));
  const sidesOf = (id: RequirementId) => {
    const [before, after] = [earlier.get(id), later.get(id)];
    return otherwise.has(id)
      ? bothSides(id, withOwnFindings(before, after), withOwnFindings(after, before))
      : bothSides(id, before, after);
  };
  return {
    /** The earlier run, or the other environment. */
    against: before,
    run: after,
    /** More earlier runs, with which the speed is compared too. */
    baseline,
    /** Names of the two environments, where the runs have different addresses; null for two runs of one. */
    environments: environmentsOf(before, after),
    /** In the order of `CHANGE_KINDS`; within a kind, in the order of the interface. */
    changes: CHANGE_KINDS.flatMap((kind) => changes.filter((change) => change.kind === kind)),
    /** Both results of each requirement that changed, or fails in both in the same way. */
    sides: new Map([...changes.map(({ id }) => id), ...stillFailing].map((id) => [id, sidesOf(id)])),
    stillFailing,
    /** Number of requirements with the same outcome, and of those that a run had not selected. */
    unchanged: isComparable ? ids.length - changes.length - notCompared : 0,
    notCompared: isComparable ? notCompared : 0,
    /** Reasons other than the target why the runs may differ, as sentences. */
    remarks: remarksOn(before, after, capacity),
    own: isComparable ? ownChanges(before, after) : [],
    ...(capacity && { capacity }),
  };
}

/**
 * Returns the names of two environments; two targets may share a name, and then their addresses distinguish
 * them.
 */
function environmentsOf({ target: one }: Results, { target: other }: Results): Environments | null {
  if (one.baseUrl === other.baseUrl) return null;
  return one.name === other.name
    ? [oneLine(one.baseUrl), oneLine(other.baseUrl)]
    : [oneLine(one.name), oneLine(other.name)];
}

const byId = ({
  requirements,
}: Pick<Results, 'requirements'>): ReadonlyMap<RequirementId, RequirementResult> =>
  new Map(requirements.map((row) => [row.id, row]));

/** Returns changed outcomes in own suites. They say nothing about the interface or a trend. */
function ownChanges(before: Results, after: Results) {
  const [earlier, later] = [byId(before.own ?? NONE), byId(after.own ?? NONE)];
  return [...new Set([...later.keys(), ...earlier.keys()])].flatMap((id) => {
    const [from, to] = [earlier.get(id) ?? null, later.get(id) ?? null];
    return from?.outcome === to?.outcome ? [] : [{ id, before: sideLine(from), after: sideLine(to) }];
  });
}

const NONE = { requirements: [] };

const bothSides = (
  id: RequirementId,
  before: RequirementResult | undefined,
  after: RequirementResult | undefined,
) => ({
  id,
  statement: after?.statement ?? before?.statement ?? '',
  before: before ?? null,
  after: after ?? null,
  observed: observationChanges(before, after),
});

function changeOf(id: RequirementId, before: Row, after: Row): readonly Change[] {
  const [from, to]: readonly [Side, Side] = [before?.outcome ?? ABSENT, after?.outcome ?? ABSENT];
  const kind = kindOf(from, to);
  // A narrow run shows nothing of the rows that it left out.
  if (kind !== 'first-failing' && isLeftOut(before, after)) return [];
  // A part of the row was not tested, perhaps the part that failed.
  if (kind === 'newly-passing' && after?.partly)
    return [{ id, kind: 'not-confirmed', before: from, after: to }];
  if (GUESSED.has(id) && [from, to].includes('inconclusive') && [from, to].includes('observed')) return [];
  if (kind) return [{ id, kind, before: from, after: to }];
  const otherwise = findingChange(before, after);
  if (otherwise) return [{ id, ...otherwise }];
  const seen = observationChanges(before, after);
  if (seen.length === 0) return [];
  const [one, other] = [observedText(seen, 'before'), observedText(seen, 'after')];
  return [{ id, kind: 'observation-changed', before: one, after: other }];
}

/** Returns whether a run had not selected the row, so that nothing is compared. */
const isLeftOut = (...sides: readonly Row[]): boolean =>
  sides.some((row) => row?.reason?.code === 'not-selected');

/**
 * Returns the change of a row that is violated in both runs, by the kinds of its findings; null where they
 * are the same, or unknown in one of the runs.
 */
function findingChange(before: Row, after: Row): Pick<Change, 'kind' | 'before' | 'after'> | null {
  const isFailure = after?.outcome === 'failed';
  if (!before || !after || !(isFailure || after.outcome === 'warned')) return null;
  const [earlier, later] = [kindsOf(before), kindsOf(after)];
  if (earlier === null || later === null) return null;
  const [gone, fresh] = [kindsBeyond(earlier, later), kindsBeyond(later, earlier)];
  if (fresh.length === 0 && (gone.length === 0 || !isFailure)) return null;
  const kind = fresh.length === 0 ? 'failing-less' : isFailure ? 'failing-otherwise' : 'warned-otherwise';
  return { kind, before: gone.join('; '), after: fresh.join('; ') };
}

/** Returns a result with only the findings that the other run does not have; with all where there are none. */
function withOwnFindings(row: Row, other: Row): Row {
  const kinds = other ? kindsOf(other) : null;
  const own =
    row?.findings.filter(
      ({ kind }) => kind !== undefined && kinds && kindsBeyond([kind], kinds).length > 0,
    ) ?? [];
  return row && own.length > 0 ? { ...row, findings: own } : row;
}

/** Returns the kind of a change of outcome; undefined without a change. */
export function kindOf(before: Side, after: Side): ChangeKind | undefined {
  if (before === after) return undefined;
  switch (after) {
    case 'failed':
      return untested(before) ? 'first-failing' : 'newly-failing';
    case 'warned':
      if (untested(before)) return 'newly-tested';
      return before === 'failed' ? 'outcome-changed' : 'newly-warned';
    case 'inconclusive':
    case 'error':
      // Inconclusive and error both mean unknown.
      return before === 'inconclusive' || before === 'error' ? 'outcome-changed' : 'newly-open';
    case 'not-applicable':
    case ABSENT:
      return untested(before) ? 'outcome-changed' : 'newly-untested';
    case 'passed':
      if (before === 'failed' || before === 'warned') return 'newly-passing';
      return untested(before) ? 'newly-tested' : 'outcome-changed';
    case 'observed':
      return untested(before) ? 'newly-tested' : 'outcome-changed';
  }
}

const UNTESTED: ReadonlySet<Side> = new Set<Side>(['inconclusive', 'error', 'not-applicable', ABSENT]);
const untested = (side: Side): boolean => UNTESTED.has(side);

function remarksOn(
  before: Results,
  after: Results,
  capacity: CapacityComparison | undefined,
): readonly string[] {
  const names = environmentsOf(before, after);
  const [one, other] = names ? names.map((name) => `run of ${name}`) : ['earlier run', 'later run'];
  const ofBoth = (said: (run: Results, which: string) => string) => [
    said(before, one ?? ''),
    said(after, other ?? ''),
  ];
  const differ = (what: string, first: string, second: string): string =>
    first === second
      ? ''
      : names
        ? `${what}: ${first} on ${names[0]}, ${second} on ${names[1]}.`
        : `${what}: ${first} before, ${second} now.`;
  return [
    ...ofBoth(({ complete, obstacle }, which) => (complete || obstacle ? '' : `The ${which} was cut short.`)),
    ...ofBoth(({ obstacle }, which) => (obstacle ? `The ${which} never started: ${obstacle.message}` : '')),
    ...ofBoth((run, which) =>
      run.scope.selection && !run.capacity ? `The ${which} judged only a selection of the requirements.` : '',
    ),
    (before.capacity === undefined) === (after.capacity === undefined)
      ? ''
      : 'One of the two is a load run, which judges only requirements on single responses.',
    ...(capacity?.differences ?? []),
    ...ofBoth((run, which) =>
      run.capacity?.generator.saturated ? `The generator of the ${which} was saturated.` : '',
    ),
    names ? '' : differ('Another target', before.target.name, after.target.name),
    names === null || names[0] === oneLine(before.target.baseUrl)
      ? ''
      : differ('Addresses', before.target.baseUrl, after.target.baseUrl),
    differ('Another version of the kit', before.kit.version, after.kit.version),
    differ('Another version of the interface', before.interface.version, after.interface.version),
    differ('Other plans tested', plans(before), plans(after)),
  ].filter((remark) => remark !== '');
}

const plans = ({ scope }: Results): string => scope.plans.join(', ') || 'none';

/**
 * Returns the values that differ, by subject (empty where the row has only one), regardless of order and
 * exchanges.
 */
export function observationChanges(before: Row, after: Row) {
  const id = after?.id ?? before?.id;
  const [from, to] = [valuesBySubject(before), valuesBySubject(after)];
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((subject) => differs(id, from.get(subject), to.get(subject)))
    .map((subject) => ({ subject, before: from.get(subject) ?? null, after: to.get(subject) ?? null }));
}

/**
 * Rows that guess at the target from what was seen: their first clause names what fits, the others are
 * figures of one run. Two guesses differ only where nothing fits both; a run that could not tell differs from
 * none.
 */
const GUESSED: ReadonlySet<string | undefined> = new Set(['rate-algorithm']);
/** A measured time, different in every run. */
const MEASURED = /\d[\d.,]* (?:ms|s|min|h)\b/g;

/**
 * Returns whether values differ in what depends on the target, not on the run. Otherwise every comparison
 * would differ.
 */
function differs(id: string | undefined, one: string | undefined, other: string | undefined): boolean {
  if (!GUESSED.has(id)) return one?.replaceAll(MEASURED, 'a time') !== other?.replaceAll(MEASURED, 'a time');
  const [first, second] = [guessesIn(one), guessesIn(other)];
  return first.length > 0 && second.length > 0 && !first.some((guess) => second.includes(guess));
}

/**
 * Returns what fits: “Fits a fixed window, or a sliding window log; …” are two guesses; none where nothing
 * was shown.
 */
const guessesIn = (value = ''): readonly string[] => {
  const [, guesses] = /^Fits (?!no known)(.*)$/.exec(value.split(';', 1)[0] ?? '') ?? [];
  return guesses?.split(', or ') ?? [];
};

function valuesBySubject(row: Row): ReadonlyMap<string, string> {
  const values = new Map<string, Set<string>>();
  for (const { subject = '', value } of row?.observed ?? [])
    values.set(subject, (values.get(subject) ?? new Set()).add(value));
  return new Map([...values].map(([subject, seen]) => [subject, [...seen].toSorted().join(', ')]));
}

/** Returns one run's side of differing values, as one text. */
export const observedText = (
  values: ReturnType<typeof observationChanges>,
  side: 'before' | 'after',
): string =>
  values
    .map(({ subject, [side]: value }) =>
      subject === '' ? (value ?? 'not seen') : `${subject}: ${value ?? 'not seen'}`,
    )
    .join('; ');
