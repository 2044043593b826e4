import { counted } from '../../base/kernel/format.js';
import type { PetStatus } from '../../base/interface/contract.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { blocked, kept, unestablished, violated, type Judgement } from '../findings/finding.js';
import { describe } from '../findings/describe.js';
import { BEYOND_DOUBLE, isBeyondDouble } from './rounded-ids.js';
import { animalsIn, hasStatus, isStatusSound, onRead, type PetView, type Read } from './pets.js';

export type Page = Read<readonly PetView[]>;

/** Returns the animals of a page; empty if it is unreadable. */
export const petsOf = ({ reading }: Page): readonly PetView[] => (reading.ok ? reading.value : []);

export const lengthOf = (page: Page): number => petsOf(page).length;

/** Returns the ids on a page; null stands for an unreadable one. */
export const idsOn = (page: Page): ReadonlySet<string | null> => new Set(petsOf(page).map(({ id }) => id));

const animals = (amount: number): string => counted(amount, 'animal');

/** Part 4: judges if a page has at most `limit` animals. */
export const noMoreThan = (limit: number, page: Page): Judgement => {
  const tooLong = page.reading.ok ? undefined : page.reading.broken.animals;
  const beyond = (length: number): Judgement =>
    violated([page.exchange], `“${page.exchange.probe}” returned more animals than its limit`, {
      expected: `at most ${animals(limit)}`,
      actual: animals(length),
      measured: { what: ['too many'] },
    });
  if (tooLong !== undefined) return beyond(tooLong);
  return onRead(page, ({ length }) => (length <= limit ? kept([page.exchange]) : beyond(length)));
};

/** Judges if two equivalent listings return equally many animals. */
export const asManyAs = (page: Page, control: Page): Judgement =>
  onRead(control, ({ length: expected }) =>
    onRead(page, ({ length }) =>
      length === expected
        ? kept([page.exchange, control.exchange])
        : violated(
            [page.exchange, control.exchange],
            `“${page.exchange.probe}” returned another number of animals than “${control.exchange.probe}”`,
            {
              expected: animals(expected),
              actual: animals(length),
              // Fewer than with a limit: that many are the page's own, whatever the store holds.
              measured: { what: length < expected ? ['too few', String(length)] : ['too many'] },
            },
          ),
    ),
  );

/**
 * Judges it for two listings that more animals match than each can hold. A control that is not full proves
 * nothing.
 */
export const asManyAsFull = (limit: number, page: Page, control: Page): Judgement =>
  onRead(control, ({ length }) => {
    if (length === limit || petsOf(page).length === length) return asManyAs(page, control);
    const [many, row] =
      length > limit ? (['more', 'list-limit-max-items'] as const) : (['fewer', 'list-page-full'] as const);
    return blocked(row, `“${control.exchange.probe}” returned ${many} than ${animals(limit)}`, [
      control.exchange,
    ]);
  });

/** Judges if a page is full when more animals match. `matching`: known number of matches, at least. */
export const filled = (limit: number, matching: number, page: Page): Judgement =>
  onRead(page, ({ length }) =>
    length >= limit
      ? kept([page.exchange])
      : violated(
          [page.exchange],
          `“${page.exchange.probe}” returned too few animals although at least ${matching} match`,
          { expected: animals(limit), actual: animals(length), measured: { what: ['too few'] } },
        ),
  );

/** Returns an animal as responses other than listings show it; null if none does. */
export type ShownElsewhere = (id: string) => { readonly exchange: Exchange; readonly pet: PetView } | null;

/** Looks up animals in the creations and fetches among these exchanges, the newest first. */
export const shownElsewhere =
  (exchanges: readonly Exchange[]): ShownElsewhere =>
  (id) => {
    for (const exchange of exchanges.toReversed()) {
      if (exchange.operation === 'listPets') continue;
      const pet = animalsIn(exchange).find((each) => each.id === id);
      if (pet) return { exchange, pet };
    }
    return null;
  };

/**
 * Part 4: judges if the filter returns only animals with that status. `pet-shape` judges an unknown status. A
 * listing that leaves out the status breaks another row: an animal without one counts only if another
 * response shows it without that status too, or, where none shows it, if others on the page have theirs.
 */
export const onlyWithStatus = (
  status: PetStatus,
  page: Page,
  elsewhere: ShownElsewhere = () => null,
): Judgement =>
  onRead(page, (pets) => {
    const isTelling = pets.some((pet) => hasStatus(pet, status));
    const isOther = (pet: PetView): boolean => {
      if (pet.status !== undefined) return !hasStatus(pet, status);
      const known = pet.id === null ? null : elsewhere(pet.id);
      return known === null ? isTelling : !hasStatus(known.pet, status);
    };
    const sound = pets.filter(isStatusSound);
    const others = sound.filter(isOther);
    const [first] = others;
    if (first)
      return violated(
        [page.exchange],
        `“${page.exchange.probe}” returned ${animals(others.length)} of another status`,
        {
          expected: `status ${status} in all ${pets.length}`,
          actual: `${called(first)} ${statusWords(first)}`,
          measured: { what: ['another status'] },
        },
      );
    if (sound.length < pets.length) {
      const misshapen = pets.find((pet) => !isStatusSound(pet));
      return rests(page, `${misshapen ? called(misshapen) : 'an animal'} has no known status`);
    }
    const bare = pets.find((pet) => pet.status === undefined);
    return bare ? withoutStatus(bare, page, elsewhere) : kept([page.exchange]);
  });

const called = ({ id }: Pick<PetView, 'id'>): string => (id === null ? 'an animal' : `animal ${id}`);

/** A listing without the status of an animal does not show if the filter is right. */
function withoutStatus(pet: PetView, { exchange }: Page, elsewhere: ShownElsewhere): Judgement {
  const known = pet.id === null ? null : elsewhere(pet.id);
  const what = `in “${exchange.probe}” ${called(pet)} has no status`;
  if (known === null) return unestablished('too-little-data', what, [exchange]);
  const row = known.exchange.operation === 'createPet' ? 'list-matches-created' : 'list-matches-get';
  return blocked(row, `${what}, unlike in “${known.exchange.probe}”`, [exchange, known.exchange]);
}

const statusWords = ({ status }: PetView): string =>
  status === undefined ? 'without status' : `with status ${describe(status)}`;

/** Animals needed as proof, because another client may change one between two listings, but hardly two. */
const TELLING = 2;

/**
 * Judges if no animal is in the listings of two filters, because it has one status. One animal is enough if
 * the run added it. Otherwise it takes two, and other clients that are not seen to change statuses. Another
 * name with the same id means another animal.
 */
export function underOneFilter(
  pages: readonly (Page & { readonly status?: PetStatus })[],
  own: ReadonlySet<string>,
  othersChange: boolean,
): Judgement {
  const first = new Map<string, { readonly page: Page; readonly status: PetStatus }>();
  const twice = new Map<string, readonly [PetView, Page, Page]>();
  for (const page of pages) {
    const { status } = page;
    if (status === undefined) continue;
    for (const pet of petsOf(page)) {
      if (pet.id === null) continue;
      const animal = `${pet.id} ${describe(pet.name)}`;
      const known = first.get(animal);
      if (known === undefined) first.set(animal, { page, status });
      else if (known.status !== status) twice.set(animal, [pet, known.page, page]);
    }
  }
  const found = [...twice.values()];
  const ofRun = found.find(([{ id }]) => id !== null && own.has(id));
  const ofOthers = othersChange || found.length < TELLING ? undefined : found[0];
  const [pet, one, other] = ofRun ?? ofOthers ?? [];
  if (!pet || !one || !other) return kept(pages.map(({ exchange }) => exchange));
  const both = `“${one.exchange.probe}” and “${other.exchange.probe}” both returned`;
  return violated(
    [one.exchange, other.exchange],
    `${both} ${found.length === 1 ? 'an animal' : animals(found.length)}, although an animal has one status`,
    {
      expected: 'no animal under two filters',
      actual: `${called(pet)} under both`,
      measured: { what: ['two filters'] },
    },
  );
}

/**
 * Part 2: judges if ids are unique.
 *
 * @param areRounded true if listed ids have lost digits, which `pet-int64` judges
 */
export const idsAreUnique = (page: Page, areRounded = false): Judgement =>
  onRead(page, (pets) => {
    const ids = pets.flatMap(({ id }) => (id === null ? [] : [id]));
    const seen = new Set<string>();
    const repeated = ids.filter((id) => seen.has(id) || !seen.add(id));
    // A reader of JSON may have rounded large ids, and cannot have changed small ones.
    const twice = repeated.find((id) => !isBeyondDouble(id)) ?? repeated[0];
    if (twice !== undefined && areRounded && isBeyondDouble(twice))
      return blocked('pet-int64', `ids in “${page.exchange.probe}” have lost their last digits`, [
        page.exchange,
      ]);
    if (twice !== undefined)
      return violated([page.exchange], `id ${twice} appears more than once in “${page.exchange.probe}”`, {
        measured: { what: ['twice in a listing', ...(isBeyondDouble(twice) ? [BEYOND_DOUBLE] : [])] },
        expected: 'each id once',
        actual: `${animals(ids.filter((id) => id === twice).length)} with id ${twice}`,
      });
    return ids.length < pets.length ? rests(page, 'an animal has no integer id') : kept([page.exchange]);
  });

/**
 * Judges if a whole listing shows an animal that it must show.
 *
 * @param ownName a name that no other animal has; another row judges the id there
 */
export const shows = (id: string, page: Page, because: string, ownName?: string): Judgement =>
  onRead(page, (pets) => {
    if (pets.some((pet) => pet.id === id || (ownName !== undefined && pet.name === ownName)))
      return kept([page.exchange]);
    if (pets.some((pet) => pet.id === null)) return rests(page, 'an animal has no integer id');
    return violated([page.exchange], `animal ${id}, ${because}, is not in “${page.exchange.probe}”`, {
      expected: `animal ${id} in the list`,
      actual: `${animals(pets.length)} without it`,
    });
  });

export const isNamedOn = (page: Page, name: string): boolean => petsOf(page).some((pet) => pet.name === name);

const rests = ({ exchange }: Page, what: string): Judgement =>
  blocked('pet-shape', `in “${exchange.probe}” ${what}`, [exchange]);
