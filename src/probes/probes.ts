import type { OperationName } from '../contract/types.js';
import type { Exchange, Intent } from '../exchange/types.js';
import { createAdditions } from './additions.js';
import { createContext } from './context.js';
import type { ProbeOptions } from './context.js';
import { nameFor, petBody } from './creations.js';
import { identityName } from './credentials.js';
import type { Identity } from './credentials.js';
import { createFetches } from './fetches.js';
import { createHoldings } from './holdings.js';
import { createLeftovers } from './leftovers.js';
import { createListings } from './listings.js';
import { createShown } from './shown.js';
import { createNumbering } from './numbering.js';
import { createSecondLook } from './second-look.js';
import { createSightings } from './sightings.js';
import { creating, fetching, listing, request } from './specs.js';
import type { ListingQuery } from './specs.js';
import type { KnownPage } from './store.js';

/** All probes of a run. */
export type Probes = ReturnType<typeof createProbes>;

/**
 * The requests that suites speak of, by name: sent on first use, remembered for the run. Where a request cannot be sent,
 * or would prove nothing, they throw Unsettled with the reason.
 */
export function createProbes(options: ProbeOptions) {
  const context = createContext(options);
  const { courier, judging, key, prefix, needWrites, plan, writes, exclusive, run, store, affords, most } = context;
  const shown = createShown(context);
  const listings = createListings(context, shown);
  const sightings = createSightings(context, shown);
  const numbering = createNumbering(context, sightings);
  const leftovers = createLeftovers(context, listings, shown);
  const { create, ...additions } = createAdditions(context, listings, leftovers);
  const holdings = createHoldings(context, listings, { create, created: additions.created });
  const fetches = createFetches(context, listings, additions, { ...sightings, ...numbering });
  const { fetchedAgain } = fetches;

  /** The plain listing, the fetch of an existing animal and the valid creation, under any identity. */
  async function asIdentity(
    operation: OperationName,
    identity: Identity,
    intent: Intent,
    how?: { readonly fresh?: boolean; readonly again?: boolean },
  ): Promise<Exchange> {
    switch (operation) {
      case 'listPets':
        return courier.ask(listing({}, identity, intent), how);
      case 'getPet':
        return courier.ask(fetching(await fetches.existingId(), identity, intent), how);
      case 'createPet': {
        needWrites('“POST /pets”');
        const body = petBody({
          name: nameFor(prefix, `a valid animal${identityName(identity)}`),
          categoryId: await additions.category(),
          status: 'available',
        });
        const spec = creating('a valid animal', body, identity, intent);
        return how?.again === true ? courier.askAgain(spec, how) : courier.ask(spec, how);
      }
    }
  }

  /** The smallest listing under another identity, on the connection that has carried the run's own key a moment before. */
  async function rightAfterTrueKey(identity: Identity, intent: Intent): Promise<Exchange> {
    const query = { limit: judging.contract.pageSize.min };
    const own = await listings.listed(query);
    if (courier.exchanges().at(-1) !== own.exchange) await courier.askAgain(listing(query, key, own.exchange.intent));
    return courier.ask(listing(query, identity, intent));
  }

  /** A listing under another identity. */
  const listedUnder = (identity: Identity, query: ListingQuery, intent: Intent): Promise<Exchange> =>
    courier.ask(listing(query, identity, intent));

  /** Any other request. */
  const ask = (parts: Parameters<typeof request>[0]): Promise<Exchange> => courier.ask(request(parts));

  return {
    plan,
    writes,
    run,
    key,
    prefix,
    store,
    exchanges: () => courier.exchanges(),
    addedIds: shown.addedIds,
    pagesSoFar: shown.pagesSoFar,
    matchingThen: shown.matchingThen,
    matchingAtOnce: shown.matchingAtOnce,
    mayBeBehind: shown.mayBeBehind,
    listedAs: shown.listedAs,
    statusesListed: shown.statusesListed,
    showsEverything: shown.showsEverything,
    endOf: shown.endOf,
    isUnfiltered: shown.isUnfiltered,
    lacks: (known: KnownPage): boolean => shown.lacksSince(known) !== null,
    affords,
    most,
    ...listings,
    ...sightings,
    ...numbering,
    ...leftovers,
    exclusive,
    ...additions,
    ...holdings,
    ...fetches,
    ...createSecondLook(shown, listings, { fetchedAgain }),
    asIdentity,
    rightAfterTrueKey,
    listedUnder,
    ask,
  };
}
