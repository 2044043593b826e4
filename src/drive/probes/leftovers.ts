import { isNamedIn, isOfAnotherRun, newcomers, type Span } from '../../judge/checks/leftovers.js';
import { petsOf, type KnownPage, type Page } from '../../judge/checks/listing.js';
import type { PetView } from '../../judge/checks/pets.js';
import { mustBeRefused } from '../../judge/checks/status.js';
import { waitUntil } from '../../wire/exchange/connection.js';
import { answeredAt, statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { PATIENCE_MS, type ProbeContext } from './context.js';
import type { createListings } from './listings.js';
import type { createListingHistory } from './listing-history.js';
import { animalsIn } from './store.js';

const isTaken = (exchange: Exchange): boolean => (statusOf(exchange) ?? 0) < 400;

/** Creations in a span that the target wrongly accepted. */
const takenIn = ({ between }: Span): readonly Exchange[] => between.filter(isTaken);

/**
 * Most requests with the key after that listing: the refusals and one more listing, fetches of added and unknown animals,
 * another method, and the listing's pages.
 */
const STILL_TO_COME = 45;

/** Usual delay of additions by a worker or a queue, ms. A run waits for them once. */
const IN_THE_BACKGROUND_MS = 400;

/** Creates the probes of animals left by creations that must be refused. */
export function createLeftovers(
  { courier, judging, prefix, creations, acceptedCreations, affords }: ProbeContext,
  { settled, listedNow, listedAgain }: ReturnType<typeof createListings>,
  { pagesSoFar, whole }: ReturnType<typeof createListingHistory>,
) {
  const limit = judging.contract.pageSize.max;

  /** Creations without a valid key before a time, Unix ms. */
  const creationsOfStrangers = (before: number): readonly Exchange[] =>
    creations().filter(({ credential, sentAt }) => credential.kind !== 'valid' && sentAt < before);

  const fullestPages = (): readonly KnownPage[] =>
    pagesSoFar().filter((known) => known.status === undefined && known.limit === limit);

  /** Whole listings so far, oldest first. */
  const wholePages = (): readonly Page[] => fullestPages().filter(whole);

  const createdBetween = (before: Page, after: Page): readonly Exchange[] =>
    creations().filter(({ sentAt }) => sentAt > before.exchange.sentAt && sentAt < after.exchange.sentAt);

  /** Pairs of listings with only creations to be refused between them. Of several listings in a row, the last is used. */
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
   * Lists all, after the last valid creation and before the first to be refused. It does not wait for additions to show. If no
   * request is left for it, only the name identifies a leftover.
   */
  async function beforeRefusals(): Promise<void> {
    if (!affords(1 + STILL_TO_COME)) return;
    const lastWrite = creations().findLast((exchange) => !mustBeRefused(exchange));
    const all = fullestPages();
    const isKnown = all.some(({ exchange }) => lastWrite === undefined || exchange.sentAt > lastWrite.sentAt);
    // A store larger than a page does not shrink.
    if (!isKnown && all.every(whole)) await listedNow({ limit });
  }

  /** Lists all after the refusals, at least as long after as background and own additions take to show. */
  async function afterRefusals(): Promise<KnownPage> {
    const last = creations().findLast(mustBeRefused);
    const since = last ? answeredAt(last) : -Infinity;
    if (wholePages().length > 0) await waitUntil(since + IN_THE_BACKGROUND_MS);
    const page = await settled();
    const due = since + lagMs();
    const isWhole = wholePages().some(({ exchange }) => exchange.id === page.exchange.id);
    if (!isWhole || page.exchange.sentAt >= due) return page;
    await waitUntil(due);
    return listedAgain({ limit });
  }

  /** Lists all again, after the time for late leftovers to show. */
  async function afterAWhile(): Promise<Page> {
    await courier.pause({ ms: PATIENCE_MS / 2, what: 'animals of rejected creations to appear in listings' });
    return listedAgain({ limit });
  }

  /** Longest delay until a listing showed one of the run's additions, ms. */
  function lagMs(): number {
    const pages = wholePages();
    const lags = acceptedCreations().flatMap((addition) =>
      animalsIn(addition).map(({ id }) => {
        const since = pages.filter(({ exchange }) => exchange.sentAt > answeredAt(addition));
        const at = since.findIndex((page) => petsOf(page).some((pet) => pet.id === id));
        const shown = since[at];
        return at > 0 && shown ? shown.exchange.sentAt - answeredAt(addition) : 0;
      }),
    );
    return Math.max(0, ...lags);
  }

  /** New animals in a span that no accepted creation explains. Earlier additions may show late. */
  function newIn(span: Span): readonly PetView[] {
    // A success other than 201 is no declared addition, but it may add an animal.
    const taken = creations().filter(
      (exchange) =>
        (mustBeRefused(exchange) || statusOf(exchange) !== 201) &&
        isTaken(exchange) &&
        exchange.sentAt < span.after.exchange.sentAt,
    );
    const shown = petsOf(span.after);
    // A creation's id explains nothing if its animal has another id.
    const isToldBy = (pet: PetView, addition: Exchange): boolean =>
      animalsIn(addition).some((told) => told.id === pet.id) &&
      !shown.some((other) => other.id !== pet.id && isNamedIn(other, [addition], prefix));
    // Names may be mixed up. A late animal is recognized by a name that no other animal bears or bore.
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

  /** New animals that are left after each accepted creation without an id or a shown name explains one. */
  function leftIn(span: Span): readonly PetView[] {
    const added = newcomers(span, () => false);
    const isShown = (exchange: Exchange): boolean => added.some((pet) => isNamedIn(pet, [exchange], prefix));
    const untold = takenIn(span).filter((exchange) => animalsIn(exchange).length === 0 && !isShown(exchange)).length;
    return newIn(span).slice(untold);
  }

  /** The run's additions before a span's end that its listing lacks, by id and by name. */
  const unshownIn = ({ after }: Span): readonly Exchange[] =>
    acceptedCreations().filter(
      (addition) =>
        answeredAt(addition) < after.exchange.sentAt &&
        !petsOf(after).some(
          (pet) => isNamedIn(pet, [addition], prefix) || animalsIn(addition).some(({ id }) => id === pet.id),
        ),
    );

  return { spans, beforeRefusals, afterRefusals, afterAWhile, takenIn, creationsOfStrangers, leftIn, unshownIn };
}
