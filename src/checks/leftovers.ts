import type { Exchange } from '../exchange/types.js';
import { blocked, kept, violated, type Judgement } from '../findings/finding.js';
import { describe } from './layers.js';
import { petsOf, type Page } from './listing.js';
import type { PetView } from './pets.js';

/** Two listings that show all, and the creations in between: all of them such as must not be worked on. */
export interface Span {
  readonly before: Page;
  readonly after: Page;
  readonly between: readonly Exchange[];
}

/**
 * The animals that are new from one listing to the other, an id that stands there more often than before included.
 * @param isExplained whether an animal came by a creation that was answered otherwise than with a refusal
 */
export function newcomers({ before, after }: Span, isExplained: (pet: PetView) => boolean): readonly PetView[] {
  const left = new Map<string | null, number>();
  for (const { id } of petsOf(before)) left.set(id, (left.get(id) ?? 0) + 1);
  return petsOf(after).filter((pet) => {
    const count = left.get(pet.id) ?? 0;
    left.set(pet.id, count - 1);
    return count <= 0 && !isExplained(pet);
  });
}

/** New animals that count: of a store that others use as well, a single one may be theirs. */
export const isTelling = (count: number, isExclusive: boolean): boolean => count > (isExclusive ? 0 : 1);

/** Part 4 and 5: creations that must not be worked on have added something, under whatever name. */
export const leftSomething = ({ before, after, between }: Span, found: readonly PetView[]): Judgement =>
  violated(
    [after.exchange, before.exchange, ...between],
    `${found.length === 1 ? 'an animal was' : `${found.length} animals were`} added while nothing was sent but creations that must not be worked on`,
    {
      expected: 'the same animals before and after',
      actual: found
        .slice(0, QUOTED)
        .map(({ rawId, name }) => `animal ${describe(rawId)}, ${describe(name)}`)
        .join('; '),
    },
  );

/**
 * Whether an animal bears a name that the run gave it, in a creation's body.
 * @param prefix what such names start with; no two of them are alike
 */
export const isNamedIn = ({ name }: Pick<PetView, 'name'>, creations: readonly Exchange[], prefix: string): boolean =>
  typeof name === 'string' &&
  name.startsWith(prefix) &&
  creations.some(({ request }) => request.body?.includes(JSON.stringify(name)));

/** What this kit names an animal, whichever run it is of; see `namePrefix`. */
const RUN_NAME = /^conformance-[0-9a-f]{8}(?![0-9a-f])/;

/**
 * Whether another run of this kit has added an animal meanwhile, such as another part of the same run. No two of its names
 * are alike, so that one that stood there before is a copy, and anybody's.
 * @param prefix what the names of this run start with
 */
export const isOfAnotherRun = (
  { name }: Pick<PetView, 'name'>,
  { before }: Pick<Span, 'before'>,
  prefix: string,
): boolean =>
  typeof name === 'string' &&
  RUN_NAME.test(name) &&
  !name.startsWith(prefix) &&
  !petsOf(before).some((pet) => pet.name === name);

/** Maximum number of new animals that a finding names. */
const QUOTED = 3;

/**
 * No listing shows an animal of creations that must not have been worked on. An animal belongs to the creation whose body
 * holds its name.
 */
export function addsNone(
  pages: readonly Page[],
  creations: readonly Exchange[],
  prefix: string,
): Extract<Judgement, { kind: 'kept' | 'violated' }> {
  for (const page of pages)
    for (const pet of petsOf(page)) {
      const culprit = creations.find((creation) => isNamedIn(pet, [creation], prefix));
      if (culprit)
        return {
          kind: 'violated',
          exchanges: [culprit.id, page.exchange.id],
          message: `“${culprit.probe}” has added an animal`,
          expected: 'nothing added',
          actual: `animal ${describe(pet.rawId)}, ${describe(pet.name)}`,
        };
    }
  return { kind: 'kept', exchanges: [...creations, ...pages.map(({ exchange }) => exchange)].map(({ id }) => id) };
}

/** Ids that cannot be read tell no animal from another. */
export const unreadable = ({ before, after }: Span): Judgement | null => {
  const page = [before, after].find((one) => petsOf(one).some(({ id }) => id === null));
  return page
    ? blocked('pet-shape', `in “${page.exchange.probe}” an animal has no integer for its id`, [page.exchange])
    : null;
};

/** Nothing was added between two listings. */
export const leftNothing = ({ before, after, between }: Span): Judgement =>
  kept([before.exchange, after.exchange, ...between]);
