import { blocked, unestablished, type Judgement } from '../../judge/findings/finding.js';
import { isFull, type KnownPage } from '../../judge/checks/listing-asked.js';
import {
  asManyAs,
  idsOn,
  noMoreThan,
  onlyWithStatus,
  petsOf,
  shows,
  type Page,
} from '../../judge/checks/listing.js';
import { animalsIn, type PetView } from '../../judge/checks/pets.js';
import { statusOf } from '../../wire/exchange/headers.js';
import type { PetStatus } from '../../base/interface/contract.js';
import { countAnimals, ownAnimal } from '../../judge/world/animals.js';
import { knownAnimals, missingIn, PATIENCE_MS, showsForeign } from '../../judge/world/known-animals.js';
import { limitsBeforeFilter } from '../../judge/world/limit-before-filter.js';
import type { Probes } from '../probes/probes.js';
import type { Tools } from './judge-requirement.js';
import { hasChangedSince } from './lacking-listings.js';

/**
 * Judges if a listing without limit and its control return equally many animals. Other clients, or animals
 * that the run just added, may explain a difference. Then both are requested once more, one right after the
 * other, when those animals have had time to show.
 */
async function asManyAsUnchanged(
  probes: Probes,
  query: { readonly status?: PetStatus },
  page: Page,
  control: KnownPage,
): Promise<Judgement> {
  const judgement = asManyAs(page, control);
  if (judgement.kind !== 'violated' || !(await isDoneByOthers(probes, page, control))) return judgement;
  if (probes.affords(2)) {
    const pageAgain = await probes.listedSettled(query);
    const controlAgain = await probes.listedAgain({ ...query, limit: control.limit });
    const again = asManyAs(pageAgain, controlAgain);
    if (again.kind === 'kept' || !(await isDoneByOthers(probes, pageAgain, controlAgain))) return again;
  }
  const what = `the store changed between “${page.exchange.probe}” and “${control.exchange.probe}”`;
  return unestablished('too-little-data', what, [page.exchange, control.exchange]);
}

/** Requests that show whether a page is too long only after another one. */
const TO_COMPARE = 3;

/**
 * Judges if a listing without limit has no more animals than the default. A server may keep a limit for the
 * connection (flaw limit-kept-on-connection): then only two listings in succession show the fault.
 *
 * @param toCome requests with the key that the suites still need
 */
export async function noMoreThanDefault(
  probes: Probes,
  query: { readonly status?: PetStatus },
  page: KnownPage,
  { limit, toCome }: { readonly limit: number; readonly toCome: number },
): Promise<Judgement> {
  const judgement = noMoreThan(limit, page);
  if (judgement.kind !== 'violated' || !probes.affords(TO_COMPARE + toCome)) return judgement;
  if (noMoreThan(limit, await probes.listedAlone(query)).kind !== 'kept') return judgement;
  const both = await probes.listedAfter({ limit: limit + 1 }, query);
  const again = noMoreThan(limit, both);
  return again.kind === 'violated'
    ? { ...again, message: `${again.message} after a listing with limit=${limit + 1} on its connection` }
    : judgement;
}

/**
 * Returns the judgement of a listing without limit by its control, for `list-limit-default`. A filtered one
 * that differs only by animals of the run, and is what it was before these, is of a cache that creations do
 * not clear: `list-shows-created` judges that.
 */
export async function judgedByControl(
  { probes, judgeFor }: Tools,
  query: { readonly status?: PetStatus },
  page: KnownPage,
  control: KnownPage,
): Promise<Judgement> {
  const judgement = await asManyAsUnchanged(probes, query, page, control);
  if (judgement.kind !== 'violated') return judgement;
  if (limitsBeforeFilter(probes.world()) || (await lacksOthers(probes, control)))
    return blocked('list-page-full', `“${control.exchange.probe}” may lack animals although it has room`, [
      control.exchange,
    ]);
  const newest = newestOf(probes, query);
  const late = newest && lateOn(newest, control, probes);
  if (!newest || !late) return judgement;
  const { exchange } = newest;
  judgeFor('list-shows-created', shows(late, newest, 'which was created over 2 s before'));
  return blocked('list-shows-created', `“${exchange.probe}” lacks animals of the run`, [exchange]);
}

/**
 * True if a page with room lacks an animal of others that matches still: then its length is chance, as where
 * the limit is applied before the filter and the order is free (flaw limit-before-filter-at-random).
 */
async function lacksOthers(probes: Probes, page: KnownPage): Promise<boolean> {
  const missing = missingIn(page, knownAnimals(probes.world())).find(({ own }) => !own);
  const id = missing?.pet.id ?? null;
  return !isFull(page) && id !== null && !(await hasChangedSince(probes, id, missing?.pet.status));
}

const newestOf = (probes: Probes, { status }: { readonly status?: PetStatus }): KnownPage | null =>
  probes.world().pages.findLast((page) => page.isDefault && page.status === status) ?? null;

/**
 * Returns an animal of the run that a page lacks as a cached one does: it shows what it showed before the
 * creation, which is all that others added, and another default page is longer, so it is not the default that
 * ends this one. Null for none.
 */
function lateOn(page: KnownPage, control: KnownPage, probes: Probes): string | null {
  const world = probes.world();
  const ids = idsOn(page);
  const isCut = !world.pages.some((other) => other.isDefault && petsOf(other).length > ids.size);
  if (page.status === undefined || isCut || !showsForeign(page, world)) return null;
  const lacked = onlyIn(control, page).map(({ id }) => id);
  const creations = lacked.map((id) => (id === null ? null : ownAnimal(id, world)));
  const [id] = lacked;
  const since = Math.min(...creations.map((creation) => creation?.exchange.sentAt ?? -Infinity));
  const isAsBefore = probes.exchanges().some((earlier) => {
    const shown = animalsIn(earlier);
    return (
      earlier.request.path === page.exchange.request.path &&
      earlier.sentAt < since &&
      statusOf(earlier) === 200 &&
      shown.length === ids.size &&
      shown.every((pet) => ids.has(pet.id))
    );
  });
  return isAsBefore ? (id ?? null) : null;
}

const onlyIn = (page: Page, other: Page): readonly PetView[] =>
  petsOf(page).filter(({ id }) => !petsOf(other).some((pet) => pet.id === id));

/**
 * True if each animal in which two listings differ was added since the first of them, or has another status
 * now. An animal of the run counts from when a listing first showed it, and from when each of several
 * replicas must show it: list-shows-created judges a late one.
 */
async function isDoneByOthers(probes: Probes, page: Page, control: Page): Promise<boolean> {
  const apart = [...onlyIn(page, control), ...onlyIn(control, page)];
  if (apart.length === 0) return false;
  const from = Math.min(page.exchange.sentAt, control.exchange.sentAt);
  for (const { id, status } of apart) {
    if (id === null) return false;
    const known = probes.world().animals.get(id);
    const since = known?.since ?? -Infinity;
    const isNew = known?.own
      ? Math.max(since + PATIENCE_MS, known.listed?.first.exchange.sentAt ?? Infinity) > from
      : since > from;
    if (!isNew && !(await hasChangedSince(probes, id, status))) return false;
  }
  return true;
}

/**
 * True unless a page holds animals of another status: a filter that a limit breaks says nothing about the
 * default.
 */
export const isFiltered = (status: PetStatus, page: Page): boolean =>
  onlyWithStatus(status, page).kind !== 'violated';

/**
 * Newest readable pages without limit of one filter each that are shorter than the default and than what is
 * known to match.
 */
export const shortDefaults = (probes: Probes, limit: number): readonly KnownPage[] =>
  [
    ...new Map(probes.world().pages.map((page) => [page.isDefault ? page.status : null, page])).values(),
  ].filter(
    (page) =>
      page.isDefault &&
      page.status !== undefined &&
      page.reading.ok &&
      petsOf(page).length < Math.min(limit, countAnimals(probes.world(), page.status)),
  );

/**
 * Compares short pages without limit with limit=20, for `list-limit-default`: only later rows may learn how
 * many animals match. Costs nothing where no page is short.
 */
export async function judgeShortDefaults(tools: Tools): Promise<void> {
  const { probes, contract, judgeFor } = tools;
  const limit = contract.pageSize.default;
  for (const { status, reading } of shortDefaults(probes, limit)) {
    if (status === undefined || !reading.ok) continue;
    const control = await probes.listedNow({ status, limit });
    if (!control.reading.ok || !isFiltered(status, control)) continue;
    // Another client may have added animals since.
    const isLonger = petsOf(control).length > reading.value.length;
    const page = isLonger ? await probes.listedAgain({ status }) : await probes.listedNow({ status });
    judgeFor('list-limit-default', await judgedByControl(tools, { status }, page, control));
  }
}
