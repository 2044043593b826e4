import { requirementIds } from '../base/interface/requirement-ids.js';
import { FAMILIES, familyOf, type FamilyName } from '../base/interface/families.js';
import type { PlanName, RequirementId } from '../base/interface/types.js';
import type { Change } from '../reference/behaviour.js';
import { PLANS } from '../reference/options.js';
import type { Alteration } from '../reference/service.js';
import { UsageError } from '../base/kernel/errors.js';
import { suggestion } from '../base/kernel/nearest-name.js';

/** Part of the kit that shows a flaw or a variant. */
export type Half = 'suites' | 'load' | 'explore';

/** A difference of the reference server, and what a run needs to show it. */
interface NamedAlteration extends Alteration {
  /** kebab-case, unique within its kind. */
  readonly name: string;
  /** Describes the difference in a sentence. */
  readonly title: string;
  readonly needs: Half;
  /** Set if the suites show it too, with requests to a key with a limit per minute. */
  readonly inSuites?: true;
  /** Date, YYYY-MM-DD, that a run must take as today. */
  readonly asOf?: string;
  /** Plans that show it if the two smallest do not. */
  readonly plans?: readonly PlanName[];
  /** Profile that shows it, if that is off by default. */
  readonly include?: 'ban' | 'day-quota';
}

/**
 * One realistic mistake, and the requirements that it must turn red. Rows of limits stand in families: a
 * mistake turns as many rows of its families red as its record contradicts, and at least one.
 */
export interface Flaw extends NamedAlteration {
  /**
   * Requirements that it violates: a must fails, a should warns. Of a family, the row that must be among the
   * red ones.
   */
  readonly turns: readonly RequirementId[];
  /** Other families that it is in by its nature, or its family if no row of it must be among the red ones. */
  readonly families: readonly FamilyName[];
  /** Requirements outside its families that may turn red too, depending on timing or the order of plans. */
  readonly also: readonly RequirementId[];
}

const rowsOf = (family: FamilyName): readonly RequirementId[] => FAMILIES[family];

export function mayTurn({
  turns,
  families,
  also,
}: Pick<Flaw, 'turns' | 'families' | 'also'>): ReadonlySet<RequirementId> {
  const ofTurned = turns.flatMap((row) => familyOf(row) ?? []);
  return new Set([...turns, ...also, ...[...ofTurned, ...families].flatMap(rowsOf)]);
}

/** Returns, for each fault of a flaw, the rows of which at least one must turn red. */
export const faultsOf = ({
  turns,
  families,
}: Pick<Flaw, 'turns' | 'families'>): readonly (readonly RequirementId[])[] =>
  turns.length === 0 ? families.map(rowsOf) : turns.map(withItsFamily);

function withItsFamily(row: RequirementId): readonly RequirementId[] {
  const family = familyOf(row);
  return family === null ? [row] : rowsOf(family);
}

export interface Variant extends NamedAlteration {
  /** `inconclusive`: it breaks nothing, but something about it stays unknown. */
  readonly expect: 'conformant' | 'inconclusive';
  /** Should rows that it violates. */
  readonly warns: readonly RequirementId[];
  /** Requirements that may be inconclusive or not applicable. */
  readonly clouds: readonly RequirementId[];
}

type Heading = `${string}: ${string}.`;

/** Entries by heading: each has what makes its change, and more about it if needed. */
type Table<Declared, More> = Readonly<Record<Heading, Declared | readonly [declared: Declared, more: More]>>;

type FlawMembers = Partial<Omit<Flaw, 'name' | 'title' | 'needs' | 'turns' | 'change'>>;

/** Further members of a flaw, or a list of other requirements that may turn red. */
type FlawMore = readonly RequirementId[] | FlawMembers;

/** Requirements that all flaws of a table turn red, also with further members that they share. */
type Turns = RequirementId | readonly RequirementId[] | (FlawMembers & Pick<Flaw, 'turns'>);

type VariantMore = Partial<Omit<Variant, 'name' | 'title' | 'change'>>;

function entriesOf<Declared, More>(table: Table<Declared, More>) {
  return Object.entries<Declared | readonly [Declared, More]>(table).map(([heading, entry]) => {
    const [name = '', title = ''] = heading.split(/: (.*)/s);
    const [declared, more] = isPair(entry) ? entry : [entry];
    return { name, title, declared, more };
  });
}

const isPair = <Declared, More>(
  entry: Declared | readonly [Declared, More],
): entry is readonly [Declared, More] => Array.isArray(entry);

const isList = (more: unknown): more is readonly RequirementId[] => Array.isArray(more);

export const flawsTurning = (turns: Turns, needs: Half, table: Table<Change, FlawMore>): readonly Flaw[] =>
  flawsBy<Change>(turns, needs, (change) => change, table);

export const flawsBy = <Declared>(
  turns: Turns,
  needs: Half,
  changeOf: (declared: Declared) => Change,
  table: Table<NoInfer<Declared>, FlawMore>,
): readonly Flaw[] => {
  const shared = typeof turns === 'string' ? { turns: [turns] } : isList(turns) ? { turns } : turns;
  return entriesOf<Declared, FlawMore>(table).map(({ name, title, declared, more = {} }) => {
    const own = isList(more) ? { also: more } : more;
    return {
      name,
      title,
      needs,
      families: [],
      also: [],
      options: {},
      ...shared,
      change: changeOf(declared),
      ...own,
    };
  });
};

/** Plans with an Enterprise day that is used up within some windows. */
export const SHORT_DAY: typeof PLANS = { ...PLANS, enterprise: { perMinute: 60, perDay: 500 } };

/** Members of flaws and variants that show only when the day window is used up. */
export const OF_THE_DAY = {
  include: 'day-quota',
  plans: ['enterprise'],
  options: { plans: SHORT_DAY },
} as const;

const AFTER_REMOVAL = '2031-01-01';
/** Base for shifting the server's clock, which continues to run. */
const STARTED_AT = Date.now();

/** Members of flaws and variants that show only after the removal of the deprecated operation. */
export const IN_2031 = {
  asOf: AFTER_REMOVAL,
  options: { now: () => Date.now() + (Date.parse(AFTER_REMOVAL) - STARTED_AT) },
} as const;

/** Changes nothing: the difference is in the options. */
export const unchanged: Change = (behaviour) => behaviour;

export const variantsOf = (needs: Half, table: Table<Change, VariantMore>): readonly Variant[] =>
  variantsBy<Change>(needs, (change) => change, table);

export const variantsBy = <Declared>(
  needs: Half,
  changeOf: (declared: Declared) => Change,
  table: Table<NoInfer<Declared>, VariantMore>,
  shared: VariantMore = {},
): readonly Variant[] =>
  entriesOf<Declared, VariantMore>(table).map(({ name, title, declared, more }) => {
    const common = { expect: 'conformant', warns: [], clouds: [], options: {}, ...shared } as const;
    return { name, title, needs, ...common, change: changeOf(declared), ...more };
  });

/** Returns the entries with these names, in that order. Throws `UsageError`. */
export function named<T extends { readonly name: string }>(
  kind: string,
  registry: readonly T[],
  names: readonly string[],
): readonly T[] {
  return names.map((name) => {
    const entry = registry.find((candidate) => candidate.name === name);
    if (entry !== undefined) return entry;
    const known = registry.map((candidate) => candidate.name);
    throw new UsageError(
      'unknown-name',
      `There is no ${kind} "${name}".`,
      `${suggestion(name, known)}petstore-conformance serve --list names them all.`,
    );
  });
}

/*
 * Related rows: if one breaks, others may be inconclusive. They include rows of level `open`, which never count against a
 * server.
 */

const rows = (name: RegExp): readonly RequirementId[] => requirementIds.filter((id) => name.test(id));

/** Requirements judged by listings. */
export const LISTING = rows(
  /^list-|^(pet-id-unique|get-replacement|create-rejected-leaves-nothing|auth-before-work)$/,
);

/** Requirements judged by fetches. */
export const FETCHING = rows(/^get-|^(list-matches-get|deprecation-signals)$/);

/** Requirements judged without a valid key. */
export const AUTHENTICATION = rows(/^auth-/);

/** All rows of the suites: a broken listing or creation makes many of them inconclusive. */
export const SUITES = rows(/^(list|get|auth|created?|pets?|error|json|declared|deprecation)-/);
