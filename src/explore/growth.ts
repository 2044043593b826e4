import { petsOf } from '../checks/listing.js';
import { readPets } from '../checks/pets.js';
import type { PetStatus } from '../contract/contract.js';
import type { Exchange } from '../exchange/types.js';
import { PATIENCE_MS } from '../probes/context.js';
import { perform, type Stage } from './perform.js';
import type { Settled } from './settle.js';
import type { Act } from './story.js';
import { PLAIN_CATEGORY } from './values/categories.js';
import { PLAIN_NAME } from './values/names.js';

/** A listing of all, or of all with a status. */
export const everything = (status?: PetStatus): Act => ({
  do: 'list',
  class: 'limit 100',
  query: { kind: 'within', limit: 100, written: 'plain', ...(status && { status }) },
});

/** Two, because one of them may be lost as well. */
const ADDED = 2;

/** The status that a read was filtered by; null where it was no listing. */
const filterOf = ({ act }: Settled['counterexamples'][number]): PetStatus | 'none' | null =>
  act.do !== 'list' ? null : act.query.kind === 'within' && act.query.status ? act.query.status : 'none';

/**
 * Those that hold although a target may end its pages at any number, which breaks no must: what a listing lacks is missed
 * only where listings grow by what is added, those of all and, with a filter, those of its status. Of several statuses one
 * is tried; the others are left, since they tell the same. A page of all that is full already cannot grow, and tells nothing.
 */
export async function confirmed(settled: readonly Settled[], stage: Stage): Promise<readonly Settled[]> {
  const filters = settled.flatMap(({ counterexamples }) => counterexamples.flatMap((one) => filterOf(one) ?? []));
  if (filters.length === 0) return settled;
  const status = filters.find((filter) => filter !== 'none');
  const asked = [everything(), ...(status ? [everything(status)] : [])];
  const added: Act = {
    do: 'create',
    animal: { name: PLAIN_NAME, category: PLAIN_CATEGORY, status: status ?? 'available', spelling: 'plain' },
  };
  const { exchanges } = await perform([...asked, ...Array.from({ length: ADDED }, () => added), ...asked], stage);
  const listings = exchanges.filter(({ operation }) => operation === 'listPets');
  const [before, after] = [listings.slice(0, asked.length), listings.slice(asked.length)];
  const isFull = lengthOf(before[0], stage) >= stage.context.contract.pageSize.max;
  const isLonger = (later: readonly Exchange[]): readonly boolean[] =>
    asked.map((_, at) => (at === 0 && isFull) || lengthOf(later[at], stage) > lengthOf(before[at], stage));
  let longer = isLonger(after);
  if (longer.includes(false)) {
    await stage.line.pause({ ms: PATIENCE_MS, what: 'what was created to show up' });
    longer = isLonger((await perform(asked, stage)).exchanges);
  }
  const [all = false, filtered = false] = longer;
  const holds = (one: Settled['counterexamples'][number]): boolean => {
    const filter = filterOf(one);
    return filter === null || (all && (filter === 'none' || (filter === status && filtered)));
  };
  return settled.flatMap((each) => {
    const counterexamples = each.counterexamples.filter(holds);
    return counterexamples.length === 0 ? [] : [{ ...each, counterexamples }];
  });
}

/** -1 where a listing was not answered with one. */
function lengthOf(exchange: Exchange | undefined, { context }: Stage): number {
  if (!exchange) return -1;
  const reading = readPets(exchange, context);
  return reading.ok ? petsOf({ exchange, reading }).length : -1;
}
