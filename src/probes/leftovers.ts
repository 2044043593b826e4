import { isNamedIn, isOfAnotherRun, newcomers, type Span } from '../checks/leftovers.js';
import { petsOf, type Page } from '../checks/listing.js';
import type { PetView } from '../checks/pets.js';
import { waitUntil } from '../exchange/connection.js';
import { statusOf } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';
import { PATIENCE_MS, type ProbeContext } from './context.js';
import type { createListings } from './listings.js';
import type { createListingHistory } from './listing-history.js';
import { animalsIn, type KnownPage } from './store.js';

/** Whether a creation is one that must not be worked on: it lacks a valid key, or something that part 4 wants of it. */
const mustBeRefused = ({ intent }: Exchange): boolean =>
  intent.kind === 'expects' && !intent.statuses.some((status) => status < 300);

const isTaken = (exchange: Exchange): boolean => (statusOf(exchange) ?? 0) < 400;

/** Creations in a span that the target took although it must not. */
const takenIn = ({ between }: Span): readonly Exchange[] => between.filter(isTaken);

const endOf = ({ sentAt, latencyMs }: Exchange): number => sentAt + latencyMs;

/**
 * Requests with the key that the suites take at most after that listing: the refusals and one listing more, fetches of what
 * was added and of what does not exist, another method, and the pages of the listing.
 */
const STILL_TO_COME = 45;

/** What is added in the background, by a worker or a queue, is there by then as a rule; ms. All that is waited for it in a run. */
const IN_THE_BACKGROUND_MS = 400;

/** The probes of what creations leave behind that must not be worked on. */
export function createLeftovers(
  { courier, judging, prefix, acceptedCreations, affords }: ProbeContext,
  { settled, listedNow, listedAgain }: Pick<ReturnType<typeof createListings>, 'settled' | 'listedNow' | 'listedAgain'>,
  { pagesSoFar, whole }: Pick<ReturnType<typeof createListingHistory>, 'pagesSoFar' | 'whole'>,
) {
  const limit = judging.contract.pageSize.max;

  const creations = (): readonly Exchange[] => courier.exchanges().filter(({ operation }) => operation === 'createPet');

  /** Creations without a valid key that were sent before a moment, Unix ms. */
  const creationsOfStrangers = (before: number): readonly Exchange[] =>
    creations().filter(({ credential, sentAt }) => credential.kind !== 'valid' && sentAt < before);

  const fullestPages = (): readonly KnownPage[] =>
    pagesSoFar().filter((known) => known.status === undefined && known.limit === limit);

  /** The listings so far that show all, oldest first. */
  const wholePages = (): readonly Page[] =>
    fullestPages()
      .filter(whole)
      .map(({ page }) => page);

  const createdBetween = (before: Page, after: Page): readonly Exchange[] =>
    creations().filter(({ sentAt }) => sentAt > before.exchange.sentAt && sentAt < after.exchange.sentAt);

  /** Every two listings that have nothing but creations between them which must not be worked on; of several in a row the last. */
  function spans(): readonly Span[] {
    const pages = wholePages().filter((page, at, all) => {
      const next = all[at + 1];
      return next === undefined || createdBetween(page, next).length > 0;
    });
    return pages.slice(1).flatMap((after, at) => {
      const before = pages[at];
      const between = before ? createdBetween(before, after) : [];
      return before && between.length > 0 && between.every(mustBeRefused) ? [{ before, after, between }] : [];
    });
  }

  /**
   * Lists all, before the first creation that must not be worked on and after the last that may be, whether what that added
   * shows yet or not: unless the request would be one too many. Then a leftover is known by its name alone.
   */
  async function beforeRefusals(): Promise<void> {
    if (!affords(1 + STILL_TO_COME)) return;
    const lastWrite = creations().findLast((exchange) => !mustBeRefused(exchange));
    const all = fullestPages();
    const isKnown = all.some(({ page: { exchange } }) => lastWrite === undefined || exchange.sentAt > lastWrite.sentAt);
    // A store that one page does not show has not become smaller since.
    if (!isKnown && all.every(whole)) await listedNow({ limit });
  }

  /** Lists all after them, when what they add in the background is there, and no sooner than the run's own additions have taken to show. */
  async function afterRefusals(): Promise<Page> {
    const last = creations().findLast(mustBeRefused);
    const since = last ? endOf(last) : -Infinity;
    if (wholePages().length > 0) await waitUntil(since + IN_THE_BACKGROUND_MS);
    const page = await settled();
    const due = since + lagMs();
    const isWhole = wholePages().some(({ exchange }) => exchange.id === page.exchange.id);
    if (!isWhole || page.exchange.sentAt >= due) return page;
    await waitUntil(due);
    return listedAgain({ limit });
  }

  /** Lists all once more, when what was left behind late has had its time to show. */
  async function afterAWhile(): Promise<Page> {
    await courier.pause({ ms: PATIENCE_MS / 2, what: 'what a refused creation may have left to show' });
    return listedAgain({ limit });
  }

  /** How long the run's own additions took to show, at most, where a listing missed one; ms. */
  function lagMs(): number {
    const pages = wholePages();
    const lags = acceptedCreations().flatMap((addition) =>
      animalsIn(addition).map(({ id }) => {
        const since = pages.filter(({ exchange }) => exchange.sentAt > endOf(addition));
        const at = since.findIndex((page) => petsOf(page).some((pet) => pet.id === id));
        const shown = since[at];
        return at > 0 && shown ? shown.exchange.sentAt - endOf(addition) : 0;
      }),
    );
    return Math.max(0, ...lags);
  }

  /** Whether a listing showed an animal's id before a creation. */
  const hasStoodBefore = ({ id }: PetView, { sentAt }: Exchange): boolean =>
    wholePages().some((page) => page.exchange.sentAt < sentAt && petsOf(page).some((pet) => pet.id === id));

  /** The animals that came in a span and that no creation explains which the target took; what it took before may show late. */
  function newIn(span: Span): readonly PetView[] {
    // What was taken with another status than 201 is no addition, and adds all the same.
    const taken = creations().filter(
      (exchange) =>
        (mustBeRefused(exchange) || statusOf(exchange) !== 201) &&
        isTaken(exchange) &&
        exchange.sentAt < span.after.exchange.sentAt,
    );
    const shown = petsOf(span.after);
    // An id that a creation told of an animal which has another one explains nothing.
    const isToldBy = (pet: PetView, addition: Exchange): boolean =>
      animalsIn(addition).some((told) => told.id === pet.id) &&
      !shown.some(
        (other) => other.id !== pet.id && isNamedIn(other, [addition], prefix) && !hasStoodBefore(other, addition),
      );
    // Names may be mixed up: by one that no other bears, and none has borne, an animal shows late as well.
    const isNamedAlone = (pet: PetView): boolean =>
      isNamedIn(pet, acceptedCreations(), prefix) &&
      ![...shown, ...petsOf(span.before)].some((other) => other !== pet && other.name === pet.name);
    const isExplained = (pet: PetView): boolean =>
      isNamedIn(pet, taken, prefix) ||
      isOfAnotherRun(pet, span, prefix) ||
      isNamedAlone(pet) ||
      (pet.id !== null && acceptedCreations().some((addition) => isToldBy(pet, addition)));
    return newcomers(span, isExplained);
  }

  /** Those of them that are left where each creation which was taken without telling an id has added one, unless one bears its name. */
  function leftIn(span: Span): readonly PetView[] {
    const added = newcomers(span, () => false);
    const isShown = (exchange: Exchange): boolean => added.some((pet) => isNamedIn(pet, [exchange], prefix));
    const untold = takenIn(span).filter((exchange) => animalsIn(exchange).length === 0 && !isShown(exchange)).length;
    return newIn(span).slice(untold);
  }

  /** The run's own additions from before the end of a span that its listing does not show, by id or by name. */
  const unshownIn = ({ after }: Span): readonly Exchange[] =>
    acceptedCreations().filter(
      (addition) =>
        endOf(addition) < after.exchange.sentAt &&
        !petsOf(after).some(
          (pet) => isNamedIn(pet, [addition], prefix) || animalsIn(addition).some(({ id }) => id === pet.id),
        ),
    );

  return { spans, beforeRefusals, afterRefusals, afterAWhile, takenIn, creationsOfStrangers, newIn, leftIn, unshownIn };
}
