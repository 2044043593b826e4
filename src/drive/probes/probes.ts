import type { OperationName } from '../../base/interface/types.js';
import type { Exchange, Intent } from '../../wire/exchange/types.js';
import { createCreations, PLAIN } from './creations.js';
import { createContext, type ProbeOptions } from './context.js';
import { nameFor, petBody } from './creation-bodies.js';
import { identityName, type Identity } from './credentials.js';
import { createFetches } from './fetches.js';
import { serverCookies } from './server-cookies.js';
import { createSeeding } from './seeding.js';
import { createLeftovers } from './leftovers.js';
import { createFullListings } from './full-listings.js';
import { createListings } from './listings.js';
import type { SentQuery } from '../../base/interface/listing-query.js';
import { createOpenCreations } from './open-creations.js';
import { createRefusedCreations } from './refused-creations.js';
import { creating, fetching, listing, request } from './specs.js';
import type { RequestSpec } from '../../wire/exchange/request-spec.js';

export type Probes = ReturnType<typeof createProbes>;

/**
 * Creates the probes that suites use by name. Each sends on first use and remembers for the run. If a request
 * cannot be sent or would prove nothing, it throws Unjudgeable with the reason.
 */
export function createProbes(options: ProbeOptions) {
  const context = createContext(options);
  const { courier, judging, key, prefix, needWrites, plan, writes, exclusive, world, affords, most } =
    context;
  const listings = createListings(context);
  const leftovers = createLeftovers(context, listings);
  const creations = createCreations(context, listings);
  const fetches = createFetches(context, listings, creations);
  return {
    plan,
    writes,
    key,
    prefix,
    world,
    exchanges: () => courier.exchanges(),
    /** Cookies that the server set for the valid key so far. */
    cookies: () => serverCookies(courier.exchanges()),
    affords,
    most,
    exclusive,
    ...listings,
    ...createFullListings(context, listings),
    ...leftovers,
    ...creations,
    ...createRefusedCreations(context, leftovers, creations),
    ...createOpenCreations(context, creations),
    ...createSeeding(context, listings, creations),
    ...fetches,
    /** Sends the plain listing, the fetch of an existing animal or the valid creation under any identity. */
    asIdentity: async (
      operation: OperationName,
      identity: Identity,
      intent: Intent,
      how?: { readonly fresh?: boolean; readonly again?: boolean },
    ): Promise<Exchange> => {
      const ask = (spec: RequestSpec): Promise<Exchange> =>
        how?.again === true ? courier.askAgain(spec, how) : courier.ask(spec, how);
      switch (operation) {
        case 'listPets':
          return ask(listing({}, identity, intent));
        case 'getPet':
          return ask(fetching(await fetches.existingId(), identity, intent));
        case 'createPet': {
          needWrites('“POST /pets”');
          const body = petBody({
            name: nameFor(prefix, `${PLAIN.label}${identityName(identity)}`),
            categoryId: await creations.category(),
            ...PLAIN.pet,
          });
          return ask(creating(PLAIN.label, body, identity, intent));
        }
      }
    },
    /** Sends the smallest listing under another identity, on the connection that just carried the run's key. */
    rightAfterTrueKey: async (identity: Identity, intent: Intent): Promise<Exchange> => {
      const query = { limit: judging.contract.pageSize.min };
      const own = await listings.listed(query);
      if (courier.exchanges().at(-1) !== own.exchange)
        await courier.askAgain(listing(query, key, own.exchange.intent));
      return courier.ask(listing(query, identity, intent));
    },
    listedUnder: (identity: Identity, query: SentQuery, intent: Intent): Promise<Exchange> =>
      courier.ask(listing(query, identity, intent)),
    ask: (parts: Parameters<typeof request>[0]): Promise<Exchange> => courier.ask(request(parts)),
  };
}
