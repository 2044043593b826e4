import { softenedFor } from './passive.js';
import { statusOf } from '../../wire/exchange/headers.js';
import { about, type Finding, type Judgement } from '../findings/finding.js';
import { describe } from '../findings/describe.js';
import type { ByParameter } from '../../base/interface/listing-query.js';
import type { Judging } from './layers.js';
import type { RequirementId } from '../../base/interface/requirement-ids.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { type KnownPage, type ListingAsked, knownPage } from './listing-asked.js';
import { isBeyondDouble, lookRounded, collided } from './rounded-ids.js';
import { type Page, petsOf, idsAreUnique, noMoreThan, onlyWithStatus, shownElsewhere } from './listing.js';
import { type PetView, idsOfSeveral, animalsIn, rowOfLimit } from './pets.js';

/** Ids of animals. Several animals with one id, by their names, count each. */
const idsOf = (pets: readonly PetView[]): readonly string[] => {
  const animals = pets.flatMap(({ id, name }) =>
    id === null ? [] : [[`${id} ${describe(name)}`, id] as const],
  );
  return [...new Map(animals).values()];
};

/**
 * Returns an id that several animals of a page have, if ids look rounded to doubles: then close ids became
 * one (flaw close-ids-as-doubles). Null if not.
 *
 * @param pets animals of all listings
 */
export function collidedId(page: Page, pets: () => readonly PetView[]): string | null {
  const several = idsOfSeveral(petsOf(page));
  const [id] = several;
  return id !== undefined && several.every(isBeyondDouble) && lookRounded(idsOf(pets())) ? id : null;
}

function uniqueIds(page: KnownPage, before: readonly Exchange[]): readonly [RequirementId, Judgement] {
  const id = collidedId(page, () => [
    ...before.filter(({ operation }) => operation === 'listPets').flatMap(animalsIn),
    ...petsOf(page),
  ]);
  return id === null ? ['pet-id-unique', idsAreUnique(page)] : ['pet-int64', collided(page.exchange, id)];
}

export const rowOfFilter = ({ limit, isDefault }: ListingAsked, { contract }: Judging): RequirementId =>
  isDefault || limit >= contract.pageSize.default ? 'list-status-filter' : 'list-filter-with-limit';

type Charged = readonly [RequirementId, Judgement];

/** What each parameter of its query asks of a listing, with the row about such a request; null for nothing. */
const ASKED_OF: ByParameter<
  (page: KnownPage, judging: Judging, before: readonly Exchange[]) => Charged | null
> = {
  limit: (page) => [rowOfLimit(page.isDefault, page.status !== undefined), noMoreThan(page.limit, page)],
  status: (page, judging, before) =>
    page.status === undefined
      ? null
      : [rowOfFilter(page, judging), onlyWithStatus(page.status, page, shownElsewhere(before))],
};

/**
 * Judges every listing by itself: its query, and the uniqueness of ids. Returns violations only, each for the
 * row about such a request. That row judges the rest.
 *
 * @param before exchanges that may show its animals as well
 */
export function judgeListing(
  exchange: Exchange,
  judging: Judging,
  before: readonly Exchange[] = [],
): readonly Finding[] {
  if (exchange.credential.kind !== 'valid' || statusOf(exchange) !== 200) return [];
  const page = knownPage(exchange, judging);
  if (!page) return [];
  const judged = [
    ...Object.values(ASKED_OF).flatMap((asks) => {
      const charged = asks(page, judging, before);
      return charged ? [charged] : [];
    }),
    uniqueIds(page, before),
  ];
  const findings = judged.flatMap(([requirement, judgement]): Finding[] =>
    judgement.kind === 'violated' ? [about(requirement, judgement)] : [],
  );
  return findings.map(softenedFor(['listPets'], judging.contract));
}
