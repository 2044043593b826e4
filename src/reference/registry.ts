import { closest } from 'fastest-levenshtein';
import { requirementIds } from '../contract/requirement-ids.js';
import type { PlanName, RequirementId } from '../contract/types.js';
import type { Change } from './behaviour.js';
import type { Settings } from './options.js';
import { UserError } from '../contract/errors.js';

/** Which half of the kit shows a flaw or a variant. */
export type Half = 'suites' | 'load' | 'explore';

/** A way in which the reference server can be made to differ, and what a run needs to meet it. */
interface Alteration {
  /** kebab-case, unique among those of its kind. */
  readonly name: string;
  /** The difference as a sentence. */
  readonly title: string;
  readonly needs: Half;
  /** The suites alone show it as well, in what they send to a key whose minute is one. */
  readonly inSuites?: true;
  readonly change: Change;
  /** Options without which it does not show, e.g. a store large enough; what a caller asks for goes before them. */
  readonly options: Partial<Settings>;
  /** The date, YYYY-MM-DD, that a run has to take for today. */
  readonly asOf?: string;
  /** The plans that show it, where the two smallest do not. */
  readonly plans?: readonly PlanName[];
  /** The profile that shows it, where it runs only when asked for. */
  readonly include?: 'ban' | 'day-quota';
}

/** One real implementer's mistake, and the requirements that it must turn red. */
export interface Flaw extends Alteration {
  /** The requirements that it violates: a must fails, a should warns. */
  readonly turns: readonly RequirementId[];
  /** The requirements that may turn red as well: whether a run meets them hangs on timing or on the order of plans. */
  readonly also: readonly RequirementId[];
}

/** One conformant way to be different. */
export interface Variant extends Alteration {
  /** `inconclusive`: it breaks nothing, yet something about it cannot be established. */
  readonly expect: 'conformant' | 'inconclusive';
  /** The should rows that it does not keep. */
  readonly warns: readonly RequirementId[];
  /** The requirements that may be inconclusive or not applicable there. */
  readonly clouds: readonly RequirementId[];
}

/** What a row of a table says besides: other requirements that may turn red, or all that is not usual. */
type FlawMore = readonly RequirementId[] | Partial<Omit<Flaw, 'name' | 'title' | 'needs' | 'turns' | 'change'>>;
type Turns = RequirementId | readonly RequirementId[];

/** Flaws by name, each with what it turns red. */
export type FlawTable = Readonly<
  Record<string, readonly [turns: Turns, title: string, change: Change, more?: FlawMore]>
>;

/** Flaws by name that turn the same requirements red; `told` is what a change is made of. */
type TableOf<Told> = Readonly<Record<string, readonly [title: string, told: Told, more?: FlawMore]>>;

/** Variants by name. */
type VariantTable = Readonly<
  Record<string, readonly [title: string, change: Change, more?: Partial<Omit<Variant, 'name' | 'title' | 'change'>>]>
>;

const isList = (more: FlawMore | undefined): more is readonly RequirementId[] => Array.isArray(more);

/** Flaws of one half. */
export const flawsOf = (needs: Half, table: FlawTable): readonly Flaw[] =>
  Object.entries(table).map(([name, [turns, title, change, more]]) => {
    const others = isList(more) ? { also: more } : more;
    return { name, title, needs, turns: [turns].flat(), also: [], options: {}, change, ...others };
  });

/** Flaws of one half that turn the same requirements red. */
export const flawsTurning = (turns: Turns, needs: Half, table: TableOf<Change>): readonly Flaw[] =>
  flawsBy(turns, needs, (change) => change, table);

/** The same of flaws that differ only in what `changeOf` makes a change of. */
export const flawsBy = <Told>(
  turns: Turns,
  needs: Half,
  changeOf: (told: Told) => Change,
  table: TableOf<Told>,
): readonly Flaw[] => {
  const rows = Object.entries(table).map(([name, [title, told, more]]) => [name, [turns, title, changeOf(told), more]]);
  return flawsOf(needs, Object.fromEntries(rows) as FlawTable);
};

/** Changes nothing: the difference is in the options. */
export const unchanged: Change = (behaviour) => behaviour;

/** Variants of one half. */
export const variantsOf = (needs: Half, table: VariantTable): readonly Variant[] =>
  Object.entries(table).map(([name, [title, change, more]]) => {
    return { name, title, needs, expect: 'conformant', warns: [], clouds: [], options: {}, change, ...more };
  });

/** A name that is in no registry. */
export class UnknownNameError extends UserError<'unknown-name'> {
  override readonly name = 'UnknownNameError';

  constructor(
    /** `flaw` or `variant`. */
    readonly kind: string,
    readonly given: string,
    /** The known name that looks most like it. */
    readonly nearest: string,
  ) {
    super(
      'usage',
      'unknown-name',
      `there is no ${kind} named "${given}"; the nearest is "${nearest}"`,
      'petstore-conformance serve --list names them all.',
    );
  }
}

/** The entries of those names, in that order. Throws `UnknownNameError`. */
export function named<T extends { readonly name: string }>(
  kind: string,
  registry: readonly T[],
  names: readonly string[],
): readonly T[] {
  return names.map((name) => {
    const entry = registry.find((candidate) => candidate.name === name);
    if (entry !== undefined) return entry;
    throw new UnknownNameError(
      kind,
      name,
      closest(
        name,
        registry.map((candidate) => candidate.name),
      ),
    );
  });
}

/*
 * Rows that hang together: when one of their common grounds breaks, the others may not be established. Rows of the level
 * `open` may be among them: they are never held against a server.
 */

const rows = (name: RegExp): readonly RequirementId[] => requirementIds.filter((id) => name.test(id));

/** Requirements judged by listings. */
export const LISTING = rows(/^list-|^(pet-id-unique|get-replacement|create-rejected-leaves-nothing|auth-before-work)$/);

/** Requirements judged by fetches. */
export const FETCHING = rows(/^get-|^(list-matches-get|deprecation-signals)$/);

/** Requirements judged without a valid key. */
export const AUTHENTICATION = rows(/^auth-/);

/** All that the suites judge: when the listing or the creation itself is broken, much of it cannot be told. */
export const SUITES = rows(/^(list|get|auth|created?|pets?|error|json|declared|deprecation)-/);
