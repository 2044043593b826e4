import { outOfScope } from '../../judge/findings/finding.js';
import type { Judging } from '../../judge/checks/layers.js';
import type { Page } from '../../judge/checks/listing.js';
import { type Single, readPet, readPets } from '../../judge/checks/pets.js';
import { PATIENCE_MS } from '../../judge/world/known-animals.js';
import { newWorld, type World } from '../../judge/world/world.js';
import { worldAfter } from '../../judge/world/world-after.js';
import type { PlanName } from '../../base/interface/types.js';
import { now, waitUntil } from '../../wire/exchange/connection.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Courier } from './courier.js';
import { namePrefix } from './creation-bodies.js';
import { bearer } from './credentials.js';
import { Unjudgeable } from './unjudgeable.js';

export interface ProbeOptions {
  readonly courier: Courier;
  readonly judging: Judging;
  /** Eight hexadecimal digits that identify the run. */
  readonly run: string;
  readonly plan: PlanName;
  /** Most requests that the suites may send with the key. */
  readonly most: number;
  readonly writes: boolean;
  /** True while the target has the deprecated operation. */
  readonly fetches: boolean;
  /** True if no other client uses the target during the run. */
  readonly exclusive: boolean;
}

/**
 * Wait before the first repetition, ms. Each further one doubles it, so at most five or six requests are
 * needed.
 */
const FIRST_RETRY_MS = 100;

export type ProbeContext = ReturnType<typeof createContext>;

export function createContext(options: ProbeOptions) {
  const { courier, judging, run, plan, writes } = options;
  const prefix = namePrefix(run);
  return {
    ...options,
    key: bearer(plan),
    prefix,
    page: (exchange: Exchange): Page => ({ exchange, reading: readPets(exchange, judging) }),
    single: (exchange: Exchange): Single => ({ exchange, reading: readPet(exchange, judging) }),
    /** The store as the responses so far show it. */
    world: worldReader(courier, newWorld(judging, prefix)),
    affords: (requests: number): boolean => courier.affords(requests),
    /** Throws Unjudgeable if writes are off. */
    needWrites(this: void, what: string): void {
      if (!writes)
        throw new Unjudgeable(outOfScope('writes-off', `${what} needs a new animal, and writes are off`));
    },
  };
}

/** Reads each exchange once. */
function worldReader(courier: Pick<Courier, 'exchanges'>, before: World): () => World {
  let world = before;
  let read = 0;
  return () => {
    const all = courier.exchanges();
    world = all.slice(read).reduce((so, exchange) => worldAfter(so, exchange), world);
    read = all.length;
    return world;
  };
}

/**
 * Repeats a read until it shows a recent addition or the time is up.
 *
 * @param since time of the addition, Unix ms, from which all reads share one wait; null for an animal that
 *   existed before
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
