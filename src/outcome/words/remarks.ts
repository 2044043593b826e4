import { animalsIn, type PetView } from '../../judge/checks/pets.js';
import type { PreflightFacts } from '../../log/record.js';
import type { RunLog } from '../../log/run-log.js';
import type { Results } from '../results/results.js';
import { count, counted, listed, duration } from '../../base/kernel/format.js';

/** Start of the names of all animals that the kit creates. */
const OWN_NAME = /^conformance-/;

/**
 * Counts the kit's own animals in the store as far as this run saw them, and the requirements they prevent.
 * Pure.
 */
export function ownAnimals({ requirements }: Results, { exchanges, preflight }: RunLog) {
  const seen = new Map<string, PetView>();
  for (const pet of exchanges.flatMap(animalsIn)) if (pet.id !== null) seen.set(pet.id, pet);
  // One listing no longer shows the whole store.
  const cost = requirements.flatMap(({ id, reason }) => (reason?.code === 'store-too-large' ? [id] : []));
  const own = [...seen.values()].filter(({ name }) => typeof name === 'string' && OWN_NAME.test(name)).length;
  return { own, all: seen.size, atLeast: cost.length > 0 || preflight?.animalsComplete === false, cost };
}

export function ownAnimalsWords({
  own,
  all,
  atLeast,
  cost,
}: ReturnType<typeof ownAnimals>): readonly string[] {
  if (own === 0) return [];
  const least = atLeast ? 'at least ' : '';
  // Load adds more animals after the last listing.
  const seen = `The suites saw ${counted(own, 'animal')} named conformance-…, of ${least}${count(all)} in the store.`;
  if (cost.length === 0) return [seen];
  return [
    seen,
    `One listing no longer shows the whole store, so ${listed(cost)} ${cost.length === 1 ? 'is' : 'are'} not tested.`,
    'To test that again, run against a new store: the interface has no way to remove animals.',
    'Tests with a filter need a status that fewer than 100 animals have.',
  ];
}

export function followsWords({ requirements }: NonNullable<Results['cause']>): string {
  const { length } = requirements;
  return `${counted(length, 'requirement')} ${length === 1 ? 'follows' : 'follow'} from it.`;
}

export function notJudged({ requirements }: Results): string {
  const left = requirements.filter(({ reason }) => reason?.code === 'interrupted').length;
  return left === 0 ? '' : `${counted(left, 'requirement')} ${left === 1 ? 'was' : 'were'} not judged`;
}

/** Smallest clock skew worth a sentence, ms: less is the resolution of Date. */
const NOTABLE_SKEW_MS = 2000;

/** Without a full stop; null where the skew is small. */
export function clockRemark(skewMs: number | null): string | null {
  if (skewMs === null || Math.abs(skewMs) <= NOTABLE_SKEW_MS) return null;
  const skew = `${duration(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's`;
  return `${OF_CLOCK} ${skew}; times are judged in the target's time`;
}

const OF_CLOCK = "the target's clock is";

export const isOfClock = (remark: string): boolean => remark.startsWith(OF_CLOCK);

/** To follow “the first listing”. */
export const firstWords = (status: PreflightFacts['status']): string =>
  typeof status === 'number' ? `returned ${status}` : 'got no readable response';

/** Only 401 and 403 refuse a key. */
export function keyWords({
  keyAccepted,
  plan,
  status,
}: Pick<PreflightFacts, 'keyAccepted' | 'plan' | 'status'>): string {
  if (keyAccepted) return `key accepted (${plan})`;
  if (status === undefined || status === 401 || status === 403) return `key refused (${plan})`;
  return `the first listing ${firstWords(status)} (${plan})`;
}
