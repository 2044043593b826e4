import { closest } from 'fastest-levenshtein';
import type { PlanName, RequirementId } from '../contract/types.js';
import type { Change } from './behaviour.js';
import type { Settings } from './options.js';
import { UserError } from '../contract/user-error.js';

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

/** One mistake of a real implementer, and what it must turn red. */
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

/** What a flaw is written with, below its name: all that is usual may be left out. */
export type FlawEntry = Pick<Flaw, 'title' | 'turns' | 'change'> & Partial<Omit<Flaw, 'name'>>;

/** What a variant is written with, below its name. */
export type VariantEntry = Pick<Variant, 'title'> & Partial<Omit<Variant, 'name'>>;

/** A flaw, what is usual filled in. */
export const flawOf = (needs: Half, name: string, entry: FlawEntry): Flaw => ({
  name,
  also: [],
  options: {},
  needs,
  ...entry,
});

/** Flaws of one half by name. */
export const flawsOf = (needs: Half, entries: Readonly<Record<string, FlawEntry>>): readonly Flaw[] =>
  Object.entries(entries).map(([name, entry]) => flawOf(needs, name, entry));

/** Flaws of one half by name that turn the same requirements red. */
export const flawsTurning = (
  turns: readonly RequirementId[],
  needs: Half,
  entries: Readonly<Record<string, Omit<FlawEntry, 'turns'>>>,
): readonly Flaw[] => Object.entries(entries).map(([name, entry]) => flawOf(needs, name, { turns, ...entry }));

/** Variants of one half by name, what is usual filled in. One without a change differs by its options. */
export const variantsOf = (needs: Half, entries: Readonly<Record<string, VariantEntry>>): readonly Variant[] =>
  Object.entries(entries).map(([name, entry]) => ({
    name,
    expect: 'conformant',
    warns: [],
    clouds: [],
    options: {},
    needs,
    change: (behaviour) => behaviour,
    ...entry,
  }));

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
