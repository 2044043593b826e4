import type { Single } from '../../judge/checks/animals.js';
import { outOfScope } from '../../judge/findings/finding.js';
import type { Judging } from '../../judge/checks/layers.js';
import type { Page } from '../../judge/checks/listing.js';
import { readPet, readPets } from '../../judge/checks/pets.js';
import type { PlanName } from '../../base/interface/types.js';
import { now, waitUntil } from '../../wire/exchange/connection.js';
import { answeredAt, statusOf } from '../../wire/exchange/headers.js';
import { onceEach } from '../../base/kernel/once-each.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Courier } from './courier.js';
import { namePrefix } from './creation-bodies.js';
import { bearer } from './credentials.js';
import { animalsIn, viewStore } from './store.js';
import { Unjudgeable } from './unjudgeable.js';

export interface ProbeOptions {
  readonly courier: Courier;
  readonly judging: Judging;
  /** Eight hexadecimal digits that identify the run. */
  readonly run: string;
  readonly plan: PlanName;
  /** Most requests that the suites may send with the key. */
  readonly most: number;
  /** True if the run may create animals on the target. */
  readonly writes: boolean;
  /** True while the target has the deprecated operation. */
  readonly fetches: boolean;
  /** True if no other client uses the target during the run. */
  readonly exclusive: boolean;
}

/** Longest time for repeating a read that misses an animal, ms. The interface does not say when an animal shows up. */
export const PATIENCE_MS = 2000;
/** Wait before the first repetition, ms. Each further one doubles it, so at most five or six requests are needed. */
const FIRST_RETRY_MS = 100;

export type ProbeContext = ReturnType<typeof createContext>;

/** Creates the state that all probes share. */
export function createContext(options: ProbeOptions) {
  const { courier, judging, run, plan, writes } = options;
  return {
    ...options,
    key: bearer(plan),
    prefix: namePrefix(run),
    page: (exchange: Exchange): Page => ({ exchange, reading: readPets(exchange, judging) }),
    single: (exchange: Exchange): Single => ({ exchange, reading: readPet(exchange, judging) }),
    store: soFar(courier, viewStore),
    /** Requests for creations. */
    creations: (): readonly Exchange[] => courier.exchanges().filter(({ operation }) => operation === 'createPet'),
    /** Creations that added an animal. */
    acceptedCreations: soFar(courier, (exchanges) => exchanges.filter(isAcceptedCreation)),
    /** Time when the run added the newest of some animals or made the last of some additions, Unix ms; null for none. */
    addedAt(this: void, ids: readonly string[], additions: readonly Exchange[] = []): number | null {
      const wanted = new Set(ids);
      const moments = courier
        .exchanges()
        .filter(
          (exchange) =>
            additions.includes(exchange) ||
            (isAcceptedCreation(exchange) && animalsIn(exchange).some(({ id }) => id !== null && wanted.has(id))),
        )
        .map(answeredAt);
      return moments.length > 0 ? Math.max(...moments) : null;
    },
    affords: courier.affords,
    /** Throws Unjudgeable if writes are off. */
    needWrites(this: void, what: string): void {
      if (!writes) throw new Unjudgeable(outOfScope('writes-off', `${what} needs a new animal, and writes are off`));
    },
  };
}

/** Caches a pure function of the run's exchanges until there is another. */
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
 * Repeats a read until it shows a recent addition or the time is up.
 * @param since time of the addition, Unix ms, from which all reads share one wait; null for an animal that existed before
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
