import { answeredAt, statusOf } from '../../wire/exchange/headers.js';
import { isOfGateway } from '../../wire/exchange/gateway.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { isNamedIn, isOfAnotherRun, newcomers, type Span } from '../checks/leftovers.js';
import { petsOf, type Page } from '../checks/listing.js';
import { animalsIn, type PetView } from '../checks/pets.js';
import { mustBeRefused } from '../checks/status.js';
import { wholePages } from './whole-pages.js';
import type { World } from './world.js';

/**
 * Is true unless the target refused a creation. Behind a gateway without a response it may have been
 * accepted.
 */
const isAccepted = (exchange: Exchange): boolean => (statusOf(exchange) ?? 0) < 400 || isOfGateway(exchange);

export const acceptedIn = ({ between }: Span): readonly Exchange[] => between.filter(isAccepted);

/** Returns the creations without a valid key before a time, Unix ms. */
export const creationsOfStrangers = (before: number, { creations }: World): readonly Exchange[] =>
  creations.filter(({ credential, sentAt }) => credential.kind !== 'valid' && sentAt < before);

const createdBetween = (before: Page, after: Page, { creations }: World): readonly Exchange[] =>
  creations.filter(({ sentAt }) => sentAt > before.exchange.sentAt && sentAt < after.exchange.sentAt);

/**
 * Returns the pairs of listings with only creations to be refused between them. Of several in a row, the last
 * is used.
 */
export function spans(world: World): readonly Span[] {
  const pages = wholePages(world).filter((page, at, all) => {
    const next = all[at + 1];
    return next === undefined || createdBetween(page, next, world).length > 0;
  });
  return pages.slice(1).flatMap((after, at) => {
    const before = pages[at];
    const between = before ? createdBetween(before, after, world) : [];
    return before && between.length > 0 && between.every(mustBeRefused) ? [{ before, after, between }] : [];
  });
}

/**
 * Returns the longest delay until a whole listing showed one of the run's additions, ms (variant
 * listings-late).
 */
export function longestDelayMs(world: World): number {
  const pages = wholePages(world);
  const delays = world.additions.flatMap(({ exchange }) =>
    animalsIn(exchange).map(({ id }) => {
      const later = pages.filter((page) => page.exchange.sentAt > answeredAt(exchange));
      const at = later.findIndex((page) => petsOf(page).some((pet) => pet.id === id));
      const shown = later[at];
      return at > 0 && shown ? shown.exchange.sentAt - answeredAt(exchange) : 0;
    }),
  );
  return Math.max(0, ...delays);
}

const returns = (addition: Exchange, pet: PetView): boolean =>
  animalsIn(addition).some(({ id }) => id === pet.id);

/** Returns the new animals of a span that no accepted creation explains. Earlier additions may show late. */
function newIn(span: Span, { creations, additions, prefix }: World): readonly PetView[] {
  const added = additions.map(({ exchange }) => exchange);
  // A success other than 201 is no declared addition, but it may add an animal.
  const accepted = creations.filter(
    (exchange) =>
      (mustBeRefused(exchange) || statusOf(exchange) !== 201) &&
      isAccepted(exchange) &&
      exchange.sentAt < span.after.exchange.sentAt,
  );
  const shown = petsOf(span.after);
  // Several creations may send one name. Then an animal with its name and id belongs to one of them.
  const isOfAnother = (pet: PetView, addition: Exchange): boolean =>
    added.some((each) => each !== addition && returns(each, pet) && isNamedIn(pet, [each], prefix));
  // A creation's id explains nothing if its animal has another id (flaw created-id-of-the-one-before).
  const hasIdOf = (pet: PetView, addition: Exchange): boolean =>
    returns(addition, pet) &&
    !shown.some(
      (other) => other.id !== pet.id && isNamedIn(other, [addition], prefix) && !isOfAnother(other, addition),
    );
  // Names may be mixed up. A late animal is recognized by a name that no other animal has or had.
  const isNamedAlone = (pet: PetView): boolean =>
    isNamedIn(pet, added, prefix) &&
    ![...shown, ...petsOf(span.before)].some((other) => other !== pet && other.name === pet.name);
  const isExplained = (pet: PetView): boolean =>
    isNamedIn(pet, accepted, prefix) ||
    isOfAnotherRun(pet, span, prefix) ||
    isNamedAlone(pet) ||
    (pet.id !== null && added.some((addition) => hasIdOf(pet, addition)));
  return newcomers(span, isExplained);
}

/**
 * Returns the new animals of a span that remain if each accepted creation without an id or a shown name
 * explains one.
 */
export function leftIn(span: Span, world: World): readonly PetView[] {
  const added = newcomers(span, () => false);
  const isShown = (exchange: Exchange): boolean =>
    added.some((pet) => isNamedIn(pet, [exchange], world.prefix));
  const unidentified = acceptedIn(span).filter(
    (exchange) => animalsIn(exchange).length === 0 && !isShown(exchange),
  ).length;
  return newIn(span, world).slice(unidentified);
}

/**
 * Time in which a creation to be refused may still add an animal, ms: twice the usual delay of a worker or a
 * queue.
 */
const LATE_MS = 1_000;

/**
 * Is true if other clients add animals to the store: two whole listings with no creation to be refused
 * between or shortly before them show new ones that no creation of the run explains. `exclusive` in the
 * target file is about keys, so others may use the store.
 */
export function othersAdd(world: World): boolean {
  const refusable = world.creations.filter(mustBeRefused);
  const pages = wholePages(world);
  return pages.slice(1).some((after, at) => {
    const before = pages[at];
    if (before === undefined) return false;
    const { sentAt } = before.exchange;
    const isNear = refusable.some(
      (creation) => creation.sentAt < after.exchange.sentAt && answeredAt(creation) > sentAt - LATE_MS,
    );
    return !isNear && leftIn({ before, after, between: [] }, world).length > 0;
  });
}

/** Returns the run's additions before a span's end that its listing lacks, by id and by name. */
export const unshownIn = ({ after }: Span, { additions, prefix }: World): readonly Exchange[] =>
  additions
    .map(({ exchange }) => exchange)
    .filter(
      (addition) =>
        answeredAt(addition) < after.exchange.sentAt &&
        !petsOf(after).some(
          (pet) => isNamedIn(pet, [addition], prefix) || animalsIn(addition).some(({ id }) => id === pet.id),
        ),
    );
