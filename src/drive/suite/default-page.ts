import { unestablished, type Judgement } from '../../judge/findings/finding.js';
import type { KnownPage } from '../../judge/checks/listing-asked.js';
import { asManyAs, onlyWithStatus, petsOf, type Page } from '../../judge/checks/listing.js';
import type { PetView } from '../../judge/checks/pets.js';
import type { PetStatus } from '../../base/interface/contract.js';
import { countAnimals } from '../../judge/world/animals.js';
import { PATIENCE_MS } from '../../judge/world/known-animals.js';
import type { Probes } from '../probes/probes.js';
import type { Tools } from './judge-requirement.js';
import { hasChangedSince } from './lacking-listings.js';

/**
 * Judges if a listing without limit and its control return equally many animals. Other clients, or animals
 * that the run just added, may explain a difference. Then both are requested once more, one right after the
 * other, when those animals have had time to show.
 */
export async function asManyAsUnchanged(
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

/** Returns the animals of a listing that another one does not show. */
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
export async function judgeShortDefaults({ probes, contract, judgeFor }: Tools): Promise<void> {
  const limit = contract.pageSize.default;
  for (const { status, reading } of shortDefaults(probes, limit)) {
    if (status === undefined || !reading.ok) continue;
    const control = await probes.listedNow({ status, limit });
    if (!control.reading.ok || !isFiltered(status, control)) continue;
    // Another client may have added animals since.
    const isLonger = petsOf(control).length > reading.value.length;
    const page = isLonger ? await probes.listedAgain({ status }) : await probes.listedNow({ status });
    judgeFor('list-limit-default', await asManyAsUnchanged(probes, { status }, page, control));
  }
}
