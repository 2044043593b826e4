import type { Single } from '../checks/animals.js';
import { outOfScope } from '../findings/finding.js';
import type { Judging } from '../checks/layers.js';
import type { Page } from '../checks/listing.js';
import { readPet, readPets } from '../checks/pets.js';
import type { PlanName } from '../contract/types.js';
import { now, waitUntil } from '../exchange/connection.js';
import { statusOf } from '../exchange/headers.js';
import { onceEach } from '../contract/once-each.js';
import type { Exchange } from '../exchange/types.js';
import type { Courier } from './courier.js';
import { namePrefix } from './creation-bodies.js';
import { bearer } from './credentials.js';
import { animalsIn, viewStore } from './store.js';
import { Unjudgeable } from './unjudgeable.js';

/** Facts about the run that probes need. */
export interface ProbeOptions {
  readonly courier: Courier;
  readonly judging: Judging;
  /** Eight hexadecimal digits that name the run. */
  readonly run: string;
  readonly plan: PlanName;
  /** Most requests that the suites may send with the key. */
  readonly most: number;
  /** Whether the run may create animals on the target. */
  readonly writes: boolean;
  /** Whether no other client uses the target during the run. */
  readonly exclusive: boolean;
}

/** The interface promises no instant at which an animal shows up: reads that miss it are repeated for this long, ms. */
export const PATIENCE_MS = 2000;
/** The first repetition's distance; each further one doubles it, so that patience costs five or six requests at most. */
const FIRST_RETRY_MS = 100;

/** Inputs of the probes. */
export type ProbeContext = ReturnType<typeof createContext>;

/** State that all probes share. */
export function createContext(options: ProbeOptions) {
  const { courier, judging, run, plan, writes } = options;
  return {
    ...options,
    key: bearer(plan),
    prefix: namePrefix(run),
    page: (exchange: Exchange): Page => ({ exchange, reading: readPets(exchange, judging) }),
    single: (exchange: Exchange): Single => ({ exchange, reading: readPet(exchange, judging) }),
    /** View of the store from the run's exchanges so far. */
    store: soFar(courier, viewStore),
    /** The answers to creations that added an animal. */
    acceptedCreations: soFar(courier, (exchanges) => exchanges.filter(isAcceptedCreation)),
    /** When the newest of some animals was added by this run, or of some additions came about, Unix ms; null when none was. */
    addedAt(this: void, ids: readonly string[], additions: readonly Exchange[] = []): number | null {
      const wanted = new Set(ids);
      const moments = courier
        .exchanges()
        .filter(
          (exchange) =>
            additions.includes(exchange) ||
            (isAcceptedCreation(exchange) && animalsIn(exchange).some(({ id }) => id !== null && wanted.has(id))),
        )
        .map(({ sentAt, latencyMs }) => sentAt + latencyMs);
      return moments.length > 0 ? Math.max(...moments) : null;
    },
    affords: courier.affords,
    /** Throws Unjudgeable where writes are off. */
    needWrites(this: void, what: string): void {
      if (!writes) throw new Unjudgeable(outOfScope('writes-off', `${what} takes a new animal, and writes are off`));
    },
  };
}

/** What follows from the run's exchanges so far and nothing else, worked out once until there is another. */
export function soFar<Value>(
  courier: Pick<Courier, 'exchanges'>,
  compute: (exchanges: readonly Exchange[]) => Value,
): () => Value {
  const once = onceEach(compute);
  return () => once(courier.exchanges());
}

const isAcceptedCreation = (exchange: Exchange): boolean =>
  exchange.operation === 'createPet' && exchange.credential.kind === 'valid' && statusOf(exchange) === 201;

/**
 * Repeats a read while it misses what must show up soon.
 * @param since when that was added, Unix ms: it has all its time from then on, however often it is asked for; null for
 *   what has been there all the time
 */
export async function eventually<T>({
  first,
  read,
  isThere,
  since,
  firstWaitMs = FIRST_RETRY_MS,
}: {
  readonly first: T | null;
  readonly read: () => Promise<T>;
  readonly isThere: (value: T) => boolean;
  readonly since: number | null;
  /** Before the first repetition; each further one doubles it. */
  readonly firstWaitMs?: number;
}): Promise<{ readonly value: T; readonly waitedMs: number }> {
  const start = now();
  const end = since === null ? start : since + PATIENCE_MS;
  let value = first ?? (await read());
  let waited = false;
  for (let wait = firstWaitMs; !isThere(value) && now() < end; wait *= 2) {
    await waitUntil(Math.min(now() + wait, end));
    value = await read();
    waited = true;
  }
  return { value, waitedMs: waited ? Math.round(now() - start) : 0 };
}
