import { outOfScope, unestablished } from '../checks/finding.js';
import type { Judgement } from '../checks/finding.js';
import type { Page } from '../checks/listing.js';
import { petsOf } from '../checks/listing.js';
import type { PetView } from '../checks/pets.js';
import { hasStatus } from '../checks/pets.js';
import type { PetStatus } from '../contract/contract.js';
import { statusOf } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';
import type { ProbeContext } from './context.js';
import { animalsIn, isWhole, pageCap, showsAll } from './store.js';
import type { KnownPage } from './store.js';

/** A listing that the interface foresees. */
const isWithin = ({ intent }: Exchange): boolean =>
  intent.kind === 'declared' || (intent.kind === 'expects' && intent.chargedTo.startsWith('list-'));

/** What listings have shown so far. Sends nothing. */
export function createShown({ courier, judging, page, store, additions }: ProbeContext) {
  const { pageSize, statuses } = judging.contract;

  const isStatus = (value: string): value is PetStatus => (statuses as readonly string[]).includes(value);

  /** The ids of the animals that this run added, of all or of those with a status. */
  const addedIds = (status?: PetStatus): ReadonlySet<string> =>
    new Set(
      additions()
        .flatMap(animalsIn)
        .filter((pet) => status === undefined || hasStatus(pet, status))
        .flatMap(({ id }) => (id === null ? [] : [id])),
    );

  /** Listings so far within the interface, with the run's own key as the interface wants it. */
  const listingsSoFar = (): readonly Exchange[] =>
    courier
      .exchanges()
      .filter(
        (exchange) =>
          exchange.operation === 'listPets' &&
          exchange.credential.kind === 'valid' &&
          !wasSentAgain(exchange) &&
          isWithin(exchange),
      );

  /** Refused for the moment, waited out and sent again: what it asked for came then. */
  const wasSentAgain = (exchange: Exchange): boolean =>
    statusOf(exchange) === 429 && courier.recall(exchange.probe) !== exchange;

  /** Every page so far, with what it was asked for. */
  const pagesSoFar = (): readonly KnownPage[] =>
    listingsSoFar().map((exchange) => {
      const query = new URL(exchange.request.path, 'http://target').searchParams;
      const limit = query.get('limit');
      const status = query.get('status');
      return {
        page: page(exchange),
        limit: Number(limit ?? pageSize.default),
        isDefault: limit === null,
        ...(status !== null && isStatus(status) && { status }),
      };
    });

  /** How many animals match a page that were there when it was asked for, and that listings showed by then if the run added them. */
  function matchingThen({ page: { exchange }, status }: KnownPage): number {
    const shown = listingsSoFar()
      .filter(({ sentAt }) => sentAt <= exchange.sentAt)
      .flatMap(animalsIn)
      .concat(foreign());
    const matching = shown.filter((pet) => status === undefined || hasStatus(pet, status));
    return new Set(matching.flatMap(({ id }) => (id === null ? [] : [id]))).size;
  }

  /** Why a page that does not show all proves nothing about what it lacks. */
  const notWhole = (candidate: Page): Judgement =>
    petsOf(candidate).length >= pageSize.max
      ? outOfScope('store-too-large', `the store holds more animals than one listing of ${pageSize.max} can show`)
      : unestablished(
          'prerequisite',
          `“${candidate.exchange.probe}” leaves out animals that other answers showed, so that what it lacks proves nothing`,
          [candidate.exchange],
        );

  /** An animal as listings show it, the newest last; null where none does. */
  const listedAs = (id: string): PetView | null =>
    listingsSoFar()
      .flatMap(animalsIn)
      .findLast((pet) => pet.id === id) ?? null;

  /** What listings show that the run did not add, and that therefore was there all the time. */
  function foreign(): readonly PetView[] {
    const own = addedIds();
    const shown = listingsSoFar().flatMap(animalsIn);
    return [...new Map(shown.map((pet) => [pet.id, pet])).values()].filter(({ id }) => id !== null && !own.has(id));
  }

  const whole = (known: KnownPage): boolean => isWhole(known, pageCap(pagesSoFar(), foreign()));

  /** Whether a page of the largest size shows every animal that is known, so that what it lacks is not there. */
  const showsEverything = (candidate: Page): boolean => {
    const known = { page: candidate, limit: pageSize.max };
    return whole(known) && showsAll(known, store().animals.values());
  };

  return {
    addedIds,
    listingsSoFar,
    pagesSoFar,
    matchingThen,
    listedAs,
    foreign,
    whole,
    showsEverything,
    notWhole,
  };
}
