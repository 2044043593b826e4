import type { OperationName } from '../../base/interface/types.js';
import { succeeded } from '../../judge/checks/status.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { perform, type Counterexample, type Stage } from './perform.js';
import { CONTROL } from './requests.js';
import { PATH_OF_LISTING, replayOf } from './replay-paths.js';
import type { Found } from './shrink.js';
import { everything, get, within } from './stories.js';
import type { Act } from './story.js';

/** A request of the run, with the path of its story; empty for the census. */
export interface Sent {
  readonly path: string;
  readonly exchange: Exchange;
}

/** Plain requests that show whether an operation works at all. */
const PLAIN_ACTS: Readonly<Record<OperationName, Act>> = {
  listPets: everything(),
  getPet: get('store', 0),
  createPet: CONTROL,
};

/** Shows whether all listings fail, or only those of many animals. */
const SMALLEST_LISTING = within(1, undefined);

/** Plain requests without a success in a row that show it: a single one may fail by chance. */
const TRIES = 2;

/** Returns the failed request of a counterexample, with its operation; null if it was served. */
export function failedIn(
  { violation }: Counterexample,
  exchanges: readonly Exchange[],
): (Exchange & { readonly operation: OperationName }) | null {
  const failed = exchanges.find(({ id }) => violation.exchanges.includes(id));
  if (failed === undefined || succeeded(failed)) return null;
  const { operation } = failed;
  return operation === null ? null : { ...failed, operation };
}

/**
 * Returns the counterexample of a broken operation: where no plain request works, the letter case of the
 * scheme made no difference, and any status code of the operation is missing.
 */
export const chargedToOperation = (one: Counterexample): Counterexample =>
  one.violation.requirement === 'auth-scheme-case'
    ? { ...one, violation: { ...one.violation, requirement: 'declared-status' } }
    : one;

/** What broke an operation that worked earlier in the run. */
interface Broken {
  /** The creations since it last worked, or all requests if there are none. */
  readonly causes: readonly Sent[];
  /** True if no request of the operation works any more; false if only large listings fail. */
  readonly isThroughout: boolean;
}

/**
 * Returns what may have broken an operation which worked earlier in the run and fails since: no story shows
 * that cause by itself. Null for any other violation.
 */
export async function brokenBy(
  counterexample: Counterexample,
  exchanges: readonly Exchange[],
  { history, stage }: { readonly history: readonly Sent[]; readonly stage: Stage },
): Promise<Broken | null> {
  const failed = failedIn(counterexample, exchanges);
  if (failed === null) return null;
  const before = history.slice(
    0,
    history.findIndex(({ exchange }) => exchange.id === failed.id),
  );
  const hasWorked = ({ exchange }: Sent): boolean =>
    exchange.operation === failed.operation && succeeded(exchange);
  if (!before.some(hasWorked)) return null;
  const paths = new Set([failed.request.path]);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { exchanges: plain } = await perform([PLAIN_ACTS[failed.operation]], stage);
    if (plain.length === 0 || plain.some(succeeded)) return null;
    for (const { request } of plain) paths.add(request.path);
  }
  const isThroughout = failed.operation !== 'listPets' || !(await isServedNow(SMALLEST_LISTING, stage));
  // A smaller listing that worked may have lacked the animal that a larger one fails of.
  const servedAt = before.findLastIndex(
    (sent) => hasWorked(sent) && (isThroughout || paths.has(sent.exchange.request.path)),
  );
  const between = before.slice(servedAt + 1);
  if (servedAt < 0 || between.length === 0) return null;
  const created = between.filter(({ exchange }) => exchange.operation === 'createPet' && succeeded(exchange));
  return { causes: created.length > 0 ? created : between, isThroughout };
}

const isServedNow = async (act: Act, stage: Stage): Promise<boolean> =>
  (await perform([act], stage)).exchanges.some(succeeded);

/** Returns the find of a failure that other requests of the run caused: these, and the failed request. */
export function foundWith(
  causes: readonly Sent[],
  path: string,
  { violation }: Counterexample,
  exchanges: readonly Exchange[],
): Found {
  const failed = exchanges.filter(({ id }) => violation.exchanges.includes(id));
  return {
    // A replay lists nothing after its stories, as a run does at its end.
    path: replayOf([...causes.map((sent) => sent.path), path === '' ? PATH_OF_LISTING : path]),
    violation,
    exchanges: [...causes.map(({ exchange }) => exchange), ...failed],
    seen: TRIES + 1,
    of: TRIES + 1,
  };
}
