import { petStatuses } from '../../base/interface/names.js';
import { blocked, unestablished, untried, type Judgement } from '../../judge/findings/finding.js';
import { shows, underOneFilter } from '../../judge/checks/listing.js';
import type { KnownPage } from '../../judge/checks/listing-asked.js';
import { hasStatus, type PetView } from '../../judge/checks/pets.js';
import { removedMeanwhile, succeeded } from '../../judge/checks/status.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { PetStatus } from '../../base/interface/contract.js';
import {
  addedIds,
  isChanging,
  othersChangeStatuses,
  shownBefore,
  steadyIds,
} from '../../judge/world/animals.js';
import { addedRightly, idOf, listedPets, returnedId } from '../../judge/world/created-ids.js';
import { wouldShow } from '../../judge/world/whole-pages.js';
import { isOwnRemoved, lackedBy, lateFor, newestShowing } from '../../judge/world/absent-animals.js';
import type { Probes } from '../probes/probes.js';

/**
 * Charges animals of the run that a listing lacks over 2 s after their creation.
 *
 * @param among listings to look at
 */
export function lateAnimals(
  probes: Probes,
  among: readonly Exchange[] = probes.exchanges(),
): readonly Judgement[] {
  // An animal under another id than its creation's is a matter of other rows, perhaps also where no name shows it.
  const added = addedRightly(probes.world());
  if (!added.every((creation) => returnedId(creation, probes.world()).kind === 'right')) return [];
  return added.flatMap((creation) => {
    const { exchange } = creation;
    const id = idOf(creation);
    if (id === null || shownBefore(id, exchange, probes.world()) !== undefined) return [];
    const late = lateFor(id, exchange, probes.world());
    return late && among.includes(late.exchange)
      ? [shows(id, late, 'which was created over 2 s before')]
      : [];
  });
}

/** Requests for a second look at an animal that a filtered listing lacks. */
const SECOND_LOOK = 3;

/**
 * Judges an animal of earlier listings that a filtered one lacks below its limit. Other clients may have
 * changed or removed it, so fetches before and after another listing must still show it with that status.
 */
export async function whatFiltersLack(probes: Probes, limit: number): Promise<readonly Judgement[]> {
  for (const known of probes.world().pages) {
    const { status, exchange } = known;
    const [lacked] = status === undefined ? [] : lackedBy(known, probes.world());
    if (status === undefined || typeof lacked?.id !== 'string') continue;
    const judgement = await lackedAgain(probes, lacked, { status, limit });
    const gap = `animal ${lacked.id}, which “${exchange.probe}” lacks although earlier listings show it`;
    return [judgement ?? untried(gap)];
  }
  return listsIds(probes) ? [] : [untried('animals that filtered listings lack (no listing has ids)')];
}

/** Lists a status again between two fetches of an animal; null if these do not show it with that status. */
async function lackedAgain(
  probes: Probes,
  pet: PetView,
  query: { readonly status: PetStatus; readonly limit: number },
): Promise<Judgement | null> {
  const { id } = pet;
  if (id === null || !probes.affords(SECOND_LOOK)) return null;
  const isThere = async (): Promise<boolean> => {
    const { reading } = await probes.fetchedAgain(id);
    return reading.ok && reading.value.id === id && hasStatus(reading.value, query.status);
  };
  if (!(await isThere())) return null;
  const page = await probes.listedAgain(query);
  const stays = (await isThere()) && !isChanging(id, probes.world());
  return stays && wouldShow(page, pet, probes.world()) ? shows(id, page, 'which getPet returns') : null;
}

/** True if any listing has a readable id: without one, no animal can be found again. */
export const listsIds = (probes: Probes): boolean =>
  listedPets(probes.world()).some(({ pet }) => pet.id !== null);

/** True if other clients change the animal's status or removed it, by listings and a repeated fetch. */
export async function hasChangedSince(probes: Probes, id: string, before: unknown): Promise<boolean> {
  if (isChanging(id, probes.world())) return true;
  if (!probes.affords(1)) return false;
  const { exchange, reading } = await probes.fetchedAgain(id);
  return isOfRemoved(probes, id, exchange) || (reading.ok && reading.value.status !== before);
}

/**
 * True if an animal of others is not found any more: they may remove animals. Throws Unjudgeable without a
 * request to spare, because then nothing shows it.
 */
export const isGone = async (probes: Probes, id: string): Promise<boolean> =>
  !addedIds(probes.world()).has(id) && isOfRemoved(probes, id, (await probes.fetchedAgain(id)).exchange);

/**
 * Is true if an animal of the run, which a fetch did not find, was removed: the listing that showed it is
 * requested again, for another may hide it.
 */
export async function isOwnGone(probes: Probes, id: string): Promise<boolean> {
  const showing = newestShowing(id, probes.world());
  if (showing && !isOwnRemoved(id, probes.world()) && probes.affords(1)) {
    const { status, limit, isDefault } = showing;
    await probes.listedAgain({ ...(status && { status }), ...(!isDefault && { limit }) });
  }
  return isOwnRemoved(id, probes.world());
}

/**
 * Explains why a listing lacks an animal of the run: a fetch shows it with another status, or nothing finds
 * it any more. Null without such an explanation, or without a request to spare.
 */
export async function whyLacking(probes: Probes, id: string, page: KnownPage): Promise<Judgement | null> {
  const { status, exchange: listing } = page;
  const wasListed = listedPets(probes.world()).some(({ pet }) => pet.id === id);
  if (!probes.affords(1) || (status === undefined && !wasListed)) return null;
  const { exchange, reading } = await probes.fetchedAgain(id);
  if (statusOf(exchange) === 404) return (await isOwnGone(probes, id)) ? removedMeanwhile(id, listing) : null;
  const hasMoved =
    status !== undefined &&
    reading.ok &&
    reading.value.id === id &&
    petStatuses.some((other) => other !== status && hasStatus(reading.value, other));
  return hasMoved
    ? blocked('get-matches-created', `“${exchange.probe}” shows animal ${id} with another status`, [
        listing,
        exchange,
      ])
    : null;
}

/**
 * Judges the pages of two filters, and lists both again where they share an animal: its status may have
 * changed in between.
 */
export async function underOneFilterAgain(probes: Probes, pages: readonly KnownPage[]): Promise<Judgement> {
  const judged = (all: readonly KnownPage[]): Judgement =>
    underOneFilter(all, steadyIds(probes.world()), othersChangeStatuses(probes.world()));
  const first = judged(pages);
  if (first.kind !== 'violated') return first;
  const alike = pages.filter(({ exchange }) => first.exchanges.includes(exchange.id));
  if (!probes.affords(alike.length)) return first;
  const again: KnownPage[] = [];
  for (const { status, limit, isDefault } of alike)
    again.push(await probes.listedAgain({ ...(status && { status }), ...(!isDefault && { limit }) }));
  return judged(again).kind === 'violated'
    ? first
    : unestablished(
        'too-little-data',
        'animals under two filters are under one when listed again, as if their status had changed',
        [...alike, ...again].map(({ exchange }) => exchange),
      );
}

/** True for a 404 to an animal of others, if fetches find any animal. */
const isOfRemoved = (probes: Probes, id: string, fetch: Exchange): boolean =>
  statusOf(fetch) === 404 && !addedIds(probes.world()).has(id) && probes.world().fetches.some(succeeded);
