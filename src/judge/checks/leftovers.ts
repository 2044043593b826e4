import { statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { blocked, kept, violated, type Judgement } from '../findings/finding.js';
import { describe } from '../findings/describe.js';
import { count } from '../../base/kernel/format.js';
import { petsOf, type Page } from './listing.js';
import type { World } from '../world/world.js';
import type { PetView } from './pets.js';

/** Two whole listings, and the creations between them, all of which the target must refuse. */
export interface Span {
  readonly before: Page;
  readonly after: Page;
  readonly between: readonly Exchange[];
}

/**
 * Returns the animals that are new in the second listing, and those whose id occurs more often.
 *
 * @param isExplained is true if an accepted creation explains the animal
 */
export function newcomers(
  { before, after }: Span,
  isExplained: (pet: PetView) => boolean,
): readonly PetView[] {
  const left = new Map<string | null, number>();
  for (const { id } of petsOf(before)) left.set(id, (left.get(id) ?? 0) + 1);
  return petsOf(after).filter((pet) => {
    const known = left.get(pet.id) ?? 0;
    left.set(pet.id, known - 1);
    return known <= 0 && !isExplained(pet);
  });
}

/** Is true if so many new animals prove something: in a shared store, another client may have added one. */
export const isSignificant = (animals: number, isExclusive: boolean): boolean =>
  animals > (isExclusive ? 0 : 1);

const wereAdded = (animals: number): string =>
  animals === 1 ? 'an animal was added' : `${count(animals)} animals were added`;

/** Part 4 and 5: charges creations to be refused with an addition under any name. */
export const leftSomething = ({ before, after, between }: Span, found: readonly PetView[]): Judgement =>
  violated(
    [after.exchange, before.exchange, ...between],
    `${wereAdded(found.length)} although every creation sent had to be rejected`,
    {
      measured: { what: ['animals added'] },
      expected: 'the same animals before and after',
      actual: found
        .slice(0, QUOTED)
        .map(({ rawId, name }) => `animal ${describe(rawId)}, ${describe(name)}`)
        .join('; '),
    },
  );

/** @param prefix start of such names, which are distinct for creations to be refused */
export const isNamedIn = (
  { name }: Pick<PetView, 'name'>,
  creations: readonly Exchange[],
  prefix: string,
): boolean =>
  typeof name === 'string' &&
  name.startsWith(prefix) &&
  creations.some(({ request }) => request.body?.includes(JSON.stringify(name)));

/** Name from any run of this kit; see `namePrefix`. */
const RUN_NAME = /^conformance-[0-9a-f]{8}(?![0-9a-f])/;

/**
 * Is true if another run of this kit added an animal, such as another part of this run. Its names are
 * distinct, so a name from before is a copy of unknown origin.
 *
 * @param prefix start of this run's names
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

/** Least status code of a refusal (RFC 9110, 15.5). */
const LEAST_REFUSAL = 400;

/**
 * Judges if no listing shows an animal with the name in the body of a refused creation. A name that an
 * accepted creation sent as well shows nothing.
 */
export function addsNone(
  pages: readonly Page[],
  creations: readonly Exchange[],
  { prefix, creations: all }: Pick<World, 'prefix' | 'creations'>,
): Judgement {
  // Of a creation without a response it is unknown.
  const accepted = all.filter(
    (exchange) => exchange.credential.kind === 'valid' && (statusOf(exchange) ?? 0) < LEAST_REFUSAL,
  );
  for (const page of pages)
    for (const pet of petsOf(page)) {
      if (isNamedIn(pet, accepted, prefix)) continue;
      const culprit = creations.find((creation) => isNamedIn(pet, [creation], prefix));
      if (culprit)
        return violated([culprit, page.exchange], `“${culprit.probe}” added an animal`, {
          measured: { what: ['animal added'] },
          expected: 'nothing added',
          actual: `animal ${describe(pet.rawId)}, ${describe(pet.name)}`,
        });
    }
  return kept([...creations, ...pages.map(({ exchange }) => exchange)]);
}

/** Explains that unreadable ids distinguish no animals; null if all are readable. */
export const unreadable = ({ before, after }: Span): Judgement | null => {
  const page = [before, after].find((one) => petsOf(one).some(({ id }) => id === null));
  return page
    ? blocked('pet-shape', `an animal in “${page.exchange.probe}” has no integer id`, [page.exchange])
    : null;
};

export const leftNothing = ({ before, after, between }: Span): Judgement =>
  kept([before.exchange, after.exchange, ...between]);
