import type { PetStatus } from '../contract/contract.js';
import type { Exchange } from '../exchange/types.js';
import { blocked, kept, violated, type Judgement, type Finding } from '../findings/finding.js';
import { describe, type Judging } from './layers.js';
import { hasStatus, isStatusSound, prerequisite, readPets, type PetView, type Reading } from './pets.js';
import type { RequirementId } from '../contract/types.js';
import { statusOf } from '../exchange/headers.js';
import { areUnstable, softened } from './passive.js';

/** A listing's answer and the animals in it. */
export interface Page {
  readonly exchange: Exchange;
  readonly reading: Reading<readonly PetView[]>;
}

/** The animals of a page; none where it could not be read. */
export const petsOf = ({ reading }: Page): readonly PetView[] => (reading.ok ? reading.value : []);

/** Judges the animals of a page, or says which layer below broke. */
export const onPage = ({ exchange, reading }: Page, judge: (pets: readonly PetView[]) => Judgement): Judgement =>
  reading.ok ? judge(reading.value) : prerequisite(reading.broken, exchange);

const animals = (count: number): string => (count === 1 ? '1 animal' : `${count} animals`);

/** Part 4: `limit` is the maximum number of animals returned. */
export const noMoreThan = (limit: number, page: Page): Judgement => {
  const tooLong = page.reading.ok ? undefined : page.reading.broken.animals;
  const beyond = (length: number): Judgement =>
    violated([page.exchange], `“${page.exchange.probe}” returned more animals than its limit`, {
      expected: `at most ${animals(limit)}`,
      actual: animals(length),
    });
  if (tooLong !== undefined) return beyond(tooLong);
  return onPage(page, ({ length }) => (length <= limit ? kept([page.exchange]) : beyond(length)));
};

/** Two listings that mean the same return as many animals. */
export const asManyAs = (page: Page, control: Page): Judgement =>
  onPage(control, ({ length: expected }) =>
    onPage(page, ({ length }) =>
      length === expected
        ? kept([page.exchange, control.exchange])
        : violated(
            [page.exchange, control.exchange],
            `“${page.exchange.probe}” returned another number of animals than “${control.exchange.probe}”`,
            {
              expected: animals(expected),
              actual: animals(length),
            },
          ),
    ),
  );

/**
 * The same of two listings that more animals match than either may hold: a control that is not full itself shows a
 * fault of its own, and nothing of the other.
 */
export const asManyAsFull = (limit: number, page: Page, control: Page): Judgement =>
  onPage(control, ({ length }) => {
    if (length === limit || petsOf(page).length === length) return asManyAs(page, control);
    const [many, row] =
      length > limit ? (['more', 'list-limit-max-items'] as const) : (['fewer', 'list-page-full'] as const);
    return blocked(row, `“${control.exchange.probe}” returned ${many} than ${animals(limit)}`, [control.exchange]);
  });

/** A page is full when more animals match than it may hold. `matching`: how many are known to match, at least. */
export const filled = (limit: number, matching: number, page: Page): Judgement =>
  onPage(page, ({ length }) =>
    length >= limit
      ? kept([page.exchange])
      : violated(
          [page.exchange],
          `“${page.exchange.probe}” was not filled although at least ${matching} animals match`,
          { expected: animals(limit), actual: animals(length) },
        ),
  );

/** Part 4: the filter returns only animals with that status. An animal whose status is none at all is `pet-shape`'s affair. */
export const onlyWithStatus = (status: PetStatus, page: Page): Judgement =>
  onPage(page, (pets) => {
    const misshapen = pets.find((pet) => !isStatusSound(pet));
    const others = pets.filter((pet) => isStatusSound(pet) && !hasStatus(pet, status));
    const [first] = others;
    if (!first)
      return misshapen ? rests(page, `animal ${misshapen.id ?? '?'} has no known status`) : kept([page.exchange]);
    return violated([page.exchange], `“${page.exchange.probe}” returned ${animals(others.length)} of another status`, {
      expected: `status ${status} in all ${pets.length}`,
      actual: `animal ${first.id ?? '?'} with status ${describe(first.status)}`,
    });
  });

/** Another client may have changed one animal between two listings, but hardly two. */
const TELLING = 2;

/**
 * The same across listings: an animal has one status, so that no two filters return it, whatever each says of it. One
 * animal that the run added itself is enough for that; of others it takes two. What bears the same id and another name
 * is another animal.
 */
export function underOneFilter(
  pages: readonly { readonly page: Page; readonly status?: PetStatus }[],
  own: ReadonlySet<string>,
): Judgement {
  const first = new Map<string, { readonly page: Page; readonly status: PetStatus }>();
  const twice = new Map<string, readonly [PetView, Page, Page]>();
  for (const { page, status } of pages) {
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
  const [pet, one, other] =
    found.find(([{ id }]) => id !== null && own.has(id)) ?? (found.length < TELLING ? [] : (found[0] ?? []));
  if (!pet || !one || !other) return kept(pages.map(({ page }) => page.exchange));
  return violated(
    [one.exchange, other.exchange],
    `“${one.exchange.probe}” and “${other.exchange.probe}” both returned ${found.length === 1 ? 'an animal' : `${found.length} animals`} that can have one status only`,
    { expected: 'no animal under two filters', actual: `animal ${pet.id ?? '?'} under both` },
  );
}

/** Part 2: ids are unique. */
export const idsAreUnique = (page: Page): Judgement =>
  onPage(page, (pets) => {
    const ids = pets.flatMap(({ id }) => (id === null ? [] : [id]));
    const seen = new Set<string>();
    const twice = ids.find((id) => seen.has(id) || !seen.add(id));
    if (twice !== undefined)
      return violated([page.exchange], `id ${twice} stands twice in “${page.exchange.probe}”`, {
        expected: 'every id once',
        actual: `${ids.filter((id) => id === twice).length} animals with id ${twice}`,
      });
    return ids.length < pets.length ? rests(page, 'an animal has no integer for its id') : kept([page.exchange]);
  });

/**
 * An animal that has to be in a complete listing is in it.
 * @param ownName a name that no other animal has; under which id it is there is another row's affair
 */
export const shows = (id: string, page: Page, because: string, ownName?: string): Judgement =>
  onPage(page, (pets) => {
    if (pets.some((pet) => pet.id === id || (ownName !== undefined && pet.name === ownName)))
      return kept([page.exchange]);
    if (pets.some((pet) => pet.id === null)) return rests(page, 'an animal has no integer for its id');
    return violated([page.exchange], `animal ${id}, ${because}, is not in “${page.exchange.probe}”`, {
      expected: `animal ${id} among all`,
      actual: `${animals(pets.length)} without it`,
    });
  });

/** Whether a listing shows an animal with that name. */
export const isNamedOn = ({ reading }: Page, name: string): boolean =>
  reading.ok && reading.value.some((pet) => pet.name === name);

const rests = ({ exchange }: Page, what: string): Judgement =>
  blocked('pet-shape', `in “${exchange.probe}” ${what}`, [exchange]);

/** Query of a valid listing request: a limit from 1 to 100 or none, one of the three statuses or none. */
export interface ListingAsked {
  readonly limit: number;
  /** Whether the request has no limit. */
  readonly isDefault: boolean;
  readonly status?: PetStatus;
}

/** Returns the query of a listing request; null for other requests, and if the interface is silent about it. */
export function listingAsked({ operation, request }: Exchange, { contract }: Judging): ListingAsked | null {
  if (operation !== 'listPets') return null;
  const query = new URL(request.path, 'http://target').searchParams;
  const { pageSize, statuses } = contract;
  const text = query.get('limit');
  const limit = text === null ? pageSize.default : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  const given = query.get('status');
  const status = statuses.find((known) => known === given);
  const isWithin =
    query.size === new Set(query.keys()).size &&
    [...query.keys()].every((name) => name === 'limit' || name === 'status') &&
    limit >= pageSize.min &&
    limit <= pageSize.max &&
    (given === null || status !== undefined);
  return isWithin ? { limit, isDefault: text === null, ...(status !== undefined && { status }) } : null;
}

/**
 * What any answer to a listing breaks by itself, whoever asked for it: its limit, its filter, the uniqueness of ids. Each is
 * charged to the row that speaks of such a request; that they hold is for those rows to say.
 */
export function judgeListing(exchange: Exchange, judging: Judging): readonly Finding[] {
  if (exchange.credential.kind !== 'valid' || statusOf(exchange) !== 200) return [];
  const asked = listingAsked(exchange, judging);
  if (!asked) return [];
  const { limit, isDefault, status } = asked;
  const page = { exchange, reading: readPets(exchange, judging) };
  const judged: readonly (readonly [RequirementId, Judgement])[] = [
    [rowOfLimit(asked), noMoreThan(limit, page)],
    ['pet-id-unique', idsAreUnique(page)],
    ...(status === undefined
      ? []
      : [
          [
            isDefault || limit >= judging.contract.pageSize.default ? 'list-status-filter' : TOGETHER,
            onlyWithStatus(status, page),
          ] as const,
        ]),
  ];
  const findings = judged.flatMap(([requirement, judgement]): Finding[] =>
    judgement.kind === 'violated' ? [{ ...judgement, requirement }] : [],
  );
  return areUnstable(['listPets'], judging.contract) ? findings.map(softened) : findings;
}

/** That a filter and a limit hold together. */
const TOGETHER: RequirementId = 'list-filter-with-limit';

const rowOfLimit = ({ isDefault, status }: ListingAsked): RequirementId =>
  isDefault ? 'list-limit-default' : status === undefined ? 'list-limit-max-items' : TOGETHER;
