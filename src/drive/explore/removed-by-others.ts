import { asIfRemoved } from '../../judge/checks/status.js';
import { knownPage } from '../../judge/checks/listing-asked.js';
import { petsOf } from '../../judge/checks/listing.js';
import { hasStatus, readPet, readPets } from '../../judge/checks/pets.js';
import { resident, residents, type Resident } from '../../judge/world/animals.js';
import type { RequirementId } from '../../base/interface/types.js';
import { parseRequestTarget } from '../../wire/exchange/request-target.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { perform, type Counterexample, type Stage } from './perform.js';
import { everything } from './stories.js';
import type { Act } from './story.js';

/** Rows that a read violates which lacks an animal of others. */
const OF_ANIMALS: readonly RequirementId[] = ['get-ok', 'get-until-removal', 'list-page-full'];

/** Most animals that are fetched to see whether one that a page lacks exists. */
const MOST_FETCHED = 3;

/**
 * Returns a function that is true for a read that lacks only animals of others which no later read of another
 * kind shows: others may have removed them (variant many-removed-between-listings). Once a row was violated
 * by an animal that a later read showed, it asks no more about that row.
 */
export function removedByOthers(stage: Stage) {
  const proven = new Set<RequirementId>();
  const removed = new Set<string>();

  /** Returns whether reads of another kind show one of some animals; one that they do not show was removed. */
  async function shows(lacked: readonly Resident[], acts: readonly Act[]): Promise<boolean> {
    const { exchanges } = await perform(acts, stage);
    const shown = new Set(exchanges.flatMap((exchange) => idsIn(exchange, stage)));
    if (lacked.some(({ id }) => shown.has(id))) return true;
    for (const { id } of lacked) removed.add(id);
    return false;
  }

  return async ({ violation }: Counterexample, exchanges: readonly Exchange[]): Promise<boolean> => {
    const { requirement } = violation;
    const exchange = exchanges.find(({ id }) => violation.exchanges.includes(id));
    if (exchange === undefined || !OF_ANIMALS.includes(requirement) || proven.has(requirement)) return false;
    const lacked = lackedBy(exchange, stage);
    if (lacked.length === 0) return false;
    const open = lacked.filter(({ id }) => !removed.has(id)).slice(0, MOST_FETCHED);
    const isThere = open.length > 0 && (await shows(open, readsOf(exchange, open, stage)));
    if (isThere) proven.add(requirement);
    return !isThere;
  };
}

/** Returns the animals of others that a fetch does not find, or a page lacks. */
function lackedBy(exchange: Exchange, { world, context }: Stage): readonly Resident[] {
  if (exchange.operation === 'getPet') {
    const { method, path } = exchange.request;
    const { petId } = parseRequestTarget({ method, target: path }, path.slice(0, path.lastIndexOf('/pets/')));
    const fetched = petId === null ? null : resident(petId, world());
    return fetched !== null && asIfRemoved(exchange) ? [fetched] : [];
  }
  const page = knownPage(exchange, context);
  if (!page?.reading.ok) return [];
  const shown = new Set(petsOf(page).map(({ id }) => id));
  const { status } = page;
  return residents(world()).filter(
    ({ id, listed }) => !shown.has(id) && (status === undefined || hasStatus(listed.first.pet, status)),
  );
}

/** Returns the reads that would show animals which another kind of read lacked. */
function readsOf(exchange: Exchange, lacked: readonly Resident[], { world, context }: Stage): readonly Act[] {
  if (exchange.operation === 'getPet') {
    const statuses = context.contract.statuses.filter((status) =>
      lacked.some(({ listed }) => hasStatus(listed.newest, status)),
    );
    return [everything(), ...statuses.map((status) => everything(status))];
  }
  const all = residents(world());
  return lacked.map((animal): Act => ({ do: 'get', whom: { of: 'store', nth: all.indexOf(animal) } }));
}

function idsIn(exchange: Exchange, { context }: Stage): readonly (string | null)[] {
  if (exchange.operation === 'listPets') {
    const reading = readPets(exchange, context);
    return reading.ok ? petsOf({ exchange, reading }).map(({ id }) => id) : [];
  }
  const reading = readPet(exchange, context);
  return reading.ok ? [reading.value.id] : [];
}
