import { RATE_HEADERS } from '../../base/interface/rate-headers.js';
import type { OperationName, RequirementId } from '../../base/interface/types.js';
import { FEWEST } from '../../judge/limits/bounds.js';
import { count } from '../../base/kernel/format.js';
import type { RequirementResult, Results } from '../../outcome/results/results.js';
import type { LikelyCause } from './likely-cause.js';

/**
 * Mistakes of a limiter that show in several rows. Each rule holds only where all that was measured fits, for
 * two mistakes of a limiter often show the same in a single row.
 */

/** What a run shows of a limiter: its rows, and what its bursts got. */
type Shown = Pick<Results, 'requirements'> & Partial<Pick<Results, 'load'>>;

const failedIn =
  (requirements: readonly RequirementResult[]) =>
  (id: string): RequirementResult | undefined =>
    requirements.find((row) => row.id === id && row.outcome === 'failed');

/** The Limit in a sentence of `rate-limit-value`. */
const LIMIT = new RegExp(`${RATE_HEADERS.limit}: (\\d+) on`);

/** Rows that one allowance for several keys fails. */
const OF_SHARED = ['rate-limit-value', 'rate-per-key', 'rate-not-early'] as const;

/**
 * Returns a limit that all keys share, such as one per address, as the cause of every row in which it shows;
 * null without one. A key that is refused because of another's requests is not refused early for a second
 * reason. Pure.
 */
export function sharedAllowance({ requirements }: Pick<Results, 'requirements'>): LikelyCause | null {
  const failed = failedIn(requirements);
  const perKey = failed('rate-per-key')?.findings.find(({ measured }) =>
    ['refused', 'fell'].some((how) => measured?.what?.includes(how)),
  );
  if (perKey === undefined) return null;
  const shown = `${perKey.message.replace(/\.$/, '')} (${perKey.actual ?? 'refused'}).`;
  const limits = new Set(
    failed('rate-limit-value')?.findings.flatMap(({ actual }) => LIMIT.exec(actual ?? '')?.[1] ?? []),
  );
  const [limit] = limits;
  const isOfOneFigure = limit !== undefined && limits.size === 1;
  // Where only refusals are seen, the counters may be apart.
  const isCounted = perKey.measured?.what?.includes('fell') === true;
  const [name, title] = isOfOneFigure
    ? ['counted-by-address', `All keys share one allowance of ${limit}, as a limit per address does.`]
    : isCounted
      ? ['keys-share-one-counter', 'All keys share one counter, as a limit per address does.']
      : ['refusal-of-all-keys', 'A refused key takes the others with it, as a limit per address does.'];
  const rows = OF_SHARED.filter((id) => failed(id) && (isOfOneFigure || id !== 'rate-limit-value'));
  return { name, title: `${title} ${shown}`, rows };
}

/** Rows in which too many requests show. */
const OF_TOO_MANY = ['rate-429', 'rate-window', 'rate-concurrent', 'rate-remaining-counts'] as const;

/**
 * Returns a mistake in how a limiter counts as the cause of every row in which it shows; null without one.
 * Pure.
 */
export const wrongCounting = (shown: Shown): LikelyCause | null =>
  uncountedOperation(shown) ??
  countedApart(shown) ??
  counterOfEachProcess(shown) ??
  partOfEachProcess(shown) ??
  lostUpdates(shown) ??
  oneTooFew(shown);

const failedOf = ({ requirements }: Shown, ids: readonly RequirementId[]): readonly RequirementId[] =>
  ids.filter((id) => failedIn(requirements)(id) !== undefined);

const NAMES: Readonly<Record<string, string>> = {
  listPets: 'Listings',
  createPet: 'Creations',
  getPet: 'Fetches',
} satisfies Record<OperationName, string>;

/**
 * One operation that does not count: Remaining of the others does not fall by it, or every burst gets as many
 * more as it sent of that operation.
 */
function uncountedOperation(shown: Shown): LikelyCause | null {
  const { findings = [] } = failedIn(shown.requirements)('rate-all-operations') ?? {};
  const named = new Set(findings.map(({ measured }) => measured?.what?.at(-1) ?? ''));
  const [operation = ''] = named;
  const words = NAMES[operation];
  if (words === undefined || named.size > 1) return null;
  // Three requests that do not count exceed no allowance of a window, and leave more to the others.
  const isUncounted =
    findings.every(({ measured }) => measured?.what?.includes('uncounted')) &&
    failedOf(shown, ['rate-window', 'rate-not-early']).length === 0;
  // Headers alone may be wrong on one operation.
  const isAllowed = eachBurstGot(shown, FEWEST) && failedOf(shown, OF_TOO_MANY).length > 0;
  if (!isUncounted && !isAllowed) return null;
  const most = burstsOf(shown).find(({ served, allowance }) => served > allowance);
  return {
    name: operation === 'createPet' ? 'creations-not-counted' : 'operation-not-counted',
    title: `${words} are not counted by the limiter${most === undefined ? '' : ` (${amountOf(shown, most)})`}.`,
    rows: failedOf(shown, ['rate-all-operations', ...OF_TOO_MANY]),
  };
}

/** A counter for each operation: Remaining starts anew at each, and the other two add theirs to the burst. */
function countedApart(shown: Shown): LikelyCause | null {
  const { findings = [] } = failedIn(shown.requirements)('rate-all-operations') ?? {};
  const isAnew = findings.length > 0 && findings.every(({ measured }) => measured?.what?.includes('anew'));
  const [most] = burstsOf(shown);
  if (!isAnew || most === undefined || !eachBurstGot(shown, 2 * FEWEST)) return null;
  return {
    name: 'counted-per-operation',
    title: `Each operation has an allowance of its own, as with a limiter for each route (${amountOf(shown, most)}).`,
    rows: failedOf(shown, ['rate-all-operations', ...OF_TOO_MANY]),
  };
}

/** Bursts up to a refusal: one that a slow machine ended shows no limit. */
const burstsOf = ({ load = [] }: Shown): Results['load'] =>
  load.filter(({ profile, served, refused }) => profile === 'burst' && served > 0 && refused > 0);

/** Says what a burst got, as its finding does: that counts the first request of the key, sent before it. */
function amountOf({ requirements }: Shown, { plan, served, allowance }: Results['load'][number]): string {
  const { findings = [] } = failedIn(requirements)('rate-429') ?? {};
  const got = findings.find((finding) => finding.plan === plan)?.measured?.got ?? served;
  return `${count(got)} requests allowed in place of ${count(allowance)}`;
}

/** Largest part by which the share of a plan may miss a whole number: the processes share unevenly. */
const UNEVEN = 0.12;

/**
 * A counter for each process, server or connection: every burst gets the same whole number of allowances
 * before it is refused, and each value of Remaining comes from as many counters.
 */
function counterOfEachProcess(shown: Shown): LikelyCause | null {
  const bursts = burstsOf(shown);
  const failed = failedIn(shown.requirements);
  const [first] = bursts;
  if (first === undefined) return null;
  const times = Math.round(first.served / first.allowance);
  const isEven = bursts.every(({ served, allowance }) => Math.abs(served / allowance / times - 1) <= UNEVEN);
  const counted = failed('rate-remaining-counts')?.findings ?? [];
  const isApart = counted.length > 0 && counted.every(({ measured }) => measured?.what?.includes('apart'));
  const others = ['rate-limit-value', 'rate-per-key'].some(failed);
  if (times < 2 || !isEven || !isApart || others || !failed('rate-429')) return null;
  const often = times === 2 ? 'twice' : `${times} times`;
  const why = `as with a counter for each of ${times} processes, servers or connections`;
  return {
    name: 'two-that-count-apart',
    title: `About ${often} the limit is allowed (${amountOf(shown, first)}), ${why}.`,
    // Remaining that jumps between counters falls at no operation for sure.
    rows: failedOf(shown, [...OF_TOO_MANY, 'rate-all-operations']),
  };
}

/**
 * A counter for each process with a part of the limit: Remaining begins at the same whole part of each plan's
 * limit, comes from several counters, and more than that part is served, but no more than the limit.
 */
function partOfEachProcess(shown: Shown): LikelyCause | null {
  const failed = failedIn(shown.requirements);
  const { findings = [] } = failed('rate-remaining-counts') ?? {};
  const bursts = burstsOf(shown);
  const isJump = ({ measured }: (typeof findings)[number]): boolean =>
    measured?.what?.includes('several') === true;
  const parts = findings
    .filter((one) => !isJump(one))
    .map(({ measured, plan }) => {
      const { most = 0, got = 0, what = [] } = measured ?? {};
      const { allowance = 0 } = bursts.find((burst) => burst.plan === plan) ?? {};
      const times = Math.round(allowance / most);
      const isPart = what.includes('beyond') && most === Math.floor(allowance / times);
      return { times: isPart && got > most && got <= allowance ? times : 0, most, got, allowance };
    });
  const [first] = parts;
  const isApart = findings.some((one) => isJump(one) || one.measured?.what?.includes('apart'));
  const others = ['rate-429', 'rate-limit-value', 'rate-per-key'].some(failed);
  if (first === undefined || first.times < 2 || !isApart || others) return null;
  if (parts.some(({ times }) => times !== first.times)) return null;
  const amount = `Remaining announces ${count(first.most)} of ${count(first.allowance)}, and ${count(first.got)} are allowed`;
  return {
    name: 'parts-that-count-apart',
    title: `Each of ${first.times} processes, servers or connections counts a part of the limit (${amount}).`,
    // A part is used up while others have some left.
    rows: failedOf(shown, ['rate-remaining-counts', 'rate-not-early', 'rate-all-operations', 'rate-window']),
  };
}

/** One more than was left may be a limit that is one too high. */
const CLEARLY_MORE = 2;

/**
 * One by one exactly the limit is allowed, and at the same moment more is than was left: the count is read,
 * then written.
 */
function lostUpdates(shown: Shown): LikelyCause | null {
  const { findings = [] } = failedIn(shown.requirements)('rate-concurrent') ?? {};
  const [worst] = findings.flatMap(({ measured }) => measured ?? []);
  if (worst?.most === undefined || worst.got === undefined || !worst.what?.includes('left')) return null;
  if (worst.got - worst.most < CLEARLY_MORE) return null;
  const others = failedOf(shown, ['rate-429', 'rate-window', 'rate-remaining-counts', 'rate-all-operations']);
  const isRight = burstsOf(shown).some(({ served, allowance }) => served === allowance);
  const isExact = isRight && others.includes('rate-429');
  const isWindow = others.includes('rate-window') || others.includes('rate-all-operations');
  // A limit that is enforced in no way, or Remaining that is too low, shows more at the edge as well.
  if (isWindow || (others.length > 0 && !isExact)) return null;
  const amount = `${count(worst.got)} with ${count(worst.most)} left`;
  const why = 'the count is read and written back in two steps, so updates are lost';
  return {
    name: 'checks-before-it-counts',
    title: `Requests at the same moment exceed the limit (${amount}): ${why}.`,
    rows: failedOf(shown, ['rate-concurrent', 'rate-429', 'rate-remaining-counts']),
  };
}

/** The last request of each plan is refused. */
function oneTooFew(shown: Shown): LikelyCause | null {
  const { findings = [] } = failedIn(shown.requirements)('rate-not-early') ?? {};
  const amounts = findings.flatMap(({ measured }) => measured ?? []);
  const isOne = ({ most, got }: (typeof amounts)[number]): boolean => most !== undefined && got === most - 1;
  const [worst] = amounts;
  if (worst === undefined || amounts.length < findings.length || !amounts.every(isOne)) return null;
  if (failedOf(shown, ['rate-429', 'rate-window', 'rate-per-key', 'rate-limit-value']).length > 0)
    return null;
  return {
    name: 'limit-one-early',
    title: `One request too few is allowed: ${count(worst.got ?? 0)} of ${count(worst.most ?? 0)}.`,
    rows: failedOf(shown, ['rate-not-early', 'rate-remaining-counts']),
  };
}

/**
 * Returns whether the bursts of all plans, as far as they were refused, got this many requests more than
 * their allowance.
 */
export const eachBurstGot = (shown: Shown, more: number): boolean => {
  const bursts = burstsOf(shown);
  return bursts.length > 0 && bursts.every(({ served, allowance }) => served === allowance + more);
};

export const someBurstGot = (shown: Shown, more: number): boolean =>
  burstsOf(shown).some(({ served, allowance }) => served === allowance + more);
