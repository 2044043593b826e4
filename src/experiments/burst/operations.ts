import { violated, about, kept, unestablished, untried, type Finding } from '../../findings/finding.js';
import type { OperationName } from '../../contract/types.js';
import { mayHaveRefilled, minuteMs, mostInOneWindow, refillIntervalMs } from '../../limits/bounds.js';
import { groupBy } from '../../limits/group-by.js';
import { plainInteger } from '../../limits/headers/header-number.js';
import { comesInTurn, ownAllowances } from '../../limits/own-allowance.js';
import { subject } from '../../limits/say.js';
import type { BurstSeries, Figures, KeySeries } from '../../limits/series.js';
import { beginsFresh, windowsSeen } from '../../limits/windows-seen.js';
import {
  bySending,
  lone,
  mayHaveCounted,
  speaksOfMinute,
  wasRefused,
  wasServed,
  type Sample,
} from '../../limits/sample.js';
import type { KeyName } from '../../contract/names.js';

const ROW = 'rate-all-operations';

/** How Remaining moved at the requests of one operation, each sent alone. */
interface Falls {
  readonly requests: number;
  readonly fall: number;
  /** The most that may have come back meanwhile. */
  readonly refill: number;
  /** The same of those alone that followed directly on one of their own operation. */
  readonly inRow: Omit<Falls, 'inRow'>;
  /** From the first of them to the last, Unix ms. */
  readonly since: number;
  readonly until: number;
}

const NONE = { requests: 0, fall: 0, refill: 0, since: Infinity, until: -Infinity };
const NO_FALLS: Falls = { ...NONE, inRow: NONE };

/** How far Remaining fell at each operation, over the requests that were alone under way. */
function fallsByOperation(samples: readonly Sample[], figures: Figures): ReadonlyMap<OperationName, Falls> {
  const falls = new Map<OperationName, Falls>();
  let previous: Sample | null = null;
  const ordered = bySending(samples);
  const alone = new Set(lone(ordered));
  for (const sample of ordered) {
    const readable =
      alone.has(sample) &&
      wasServed(sample) &&
      speaksOfMinute(sample, figures) &&
      plainInteger(sample.remaining) !== null;
    const before = previous === null ? null : plainInteger(previous.remaining);
    const after = plainInteger(sample.remaining);
    if (readable && previous !== null && before !== null && after !== null && before > 0) {
      const known = falls.get(sample.operation) ?? NO_FALLS;
      const { sentAt } = previous;
      const back = mayHaveRefilled(figures, sample.answeredAt - sentAt);
      const added = (to: Falls['inRow']): Falls['inRow'] => ({
        requests: to.requests + 1,
        fall: to.fall + before - after,
        refill: to.refill + back,
        since: Math.min(to.since, sentAt),
        until: sample.answeredAt,
      });
      const isInRow = sample.operation === previous.operation;
      // A window that rolled over between the two, or a beat, says nothing about either.
      if (after - before <= back + 1)
        falls.set(sample.operation, { ...added(known), inRow: isInRow ? added(known.inRow) : known.inRow });
    }
    previous = readable ? sample : null;
  }
  return comesBackInParts(
    ordered.filter((sample) => alone.has(sample)),
    figures,
  )
    ? new Map([...falls].map(([operation, own]) => [operation, atBeats(own, figures)]))
    : falls;
}

/** A window that begins anew may be met by so many before its first answer is read. */
const SENT_BEFORE_ANSWER = 3;

/** Whether Remaining was seen to rise, and not to all that a window holds. */
function comesBackInParts(ordered: readonly Sample[], figures: Figures): boolean {
  const lefts = ordered.flatMap((sample) => {
    const left = mayHaveCounted(sample) && speaksOfMinute(sample, figures) ? plainInteger(sample.remaining) : null;
    return left === null ? [] : [left];
  });
  const full = lefts.reduce((most, left) => Math.max(most, left), 0);
  return lefts.some((left, index) => left > (lefts[index - 1] ?? Infinity) && left < full - SENT_BEFORE_ANSWER);
}

/** The same where things come back in parts: there may be a beat between any two, and no more come than that time brings. */
function atBeats({ inRow, ...own }: Falls, figures: Figures): Falls {
  const met = <T extends Falls['inRow']>(some: T): T => ({
    ...some,
    refill: some.refill + Math.min(some.requests, mayHaveRefilled(figures, some.until - some.since)),
  });
  return { ...met(own), inRow: met(inRow) };
}

/** Once may be a beat that comes in between. */
const LEAST_UPS = 2;

/**
 * Whether Remaining goes up by more than may have come back and then down by more than a request uses, again and again: such
 * answers are of servers side by side whose counters hardly differ, whatever is asked for.
 */
function goesUpAndDown(samples: readonly Sample[], figures: Figures): boolean {
  const readings = lone(bySending(samples)).flatMap((sample) => {
    const left = wasServed(sample) && speaksOfMinute(sample, figures) ? plainInteger(sample.remaining) : null;
    return left === null ? [] : [{ sample, left }];
  });
  const ups = readings.filter(({ sample, left }, index) => {
    const [before, after] = [readings[index - 1], readings[index + 1]];
    if (before === undefined || after === undefined) return false;
    const back = mayHaveRefilled(figures, sample.answeredAt - before.sample.sentAt);
    return left - before.left > Math.max(0, back - 1) && left - after.left > 1;
  });
  return ups.length >= LEAST_UPS;
}

/** What one burst says about the operations. */
export interface OperationUse {
  /** Remaining fell at it, or the sum of all served was the allowance exactly. */
  readonly counted: ReadonlySet<OperationName>;
  /** It does not use the allowance, or is served when there is none left. */
  readonly exempt: ReadonlySet<OperationName>;
}

/** Two alike may be chance, where a limiter lets some through; three in a row are the operation's. */
const LEAST_REQUESTS = 3;

/**
 * Whether Remaining falls by one at each request of the other operations: where it falls by less at them as well, of servers
 * that count apart or that pass some by, it is not the operation that makes the difference. Told by those that follow on
 * their own kind, where there are enough: a counter for each path stands elsewhere than the one of the request before.
 */
function countsTheRest(falls: readonly (readonly [OperationName, Falls])[], never: readonly OperationName[]): boolean {
  const rest = falls.filter(([operation]) => !never.includes(operation)).map(([, own]) => own);
  const inRow = rest.map((own) => own.inRow);
  const sum = (of: keyof Falls['inRow'], some: readonly Falls['inRow'][]): number =>
    some.reduce((total, own) => total + own[of], 0);
  const telling = sum('requests', inRow) >= LEAST_REQUESTS ? inRow : rest;
  return sum('fall', telling) >= sum('requests', telling) - sum('refill', telling) - 1;
}

/** Which operations use the allowance, by one burst. */
export function operationUse(key: KeySeries): OperationUse {
  const { burst, figures, earlier, steady } = key;
  if (burst === null) return { counted: new Set(), exempt: new Set() };
  const [first] = burst.samples;
  const since = (first?.sentAt ?? 0) - 2 * minuteMs(figures);
  const known = earlier.filter(({ answeredAt }) => answeredAt >= since).length;
  const falls = [...fallsByOperation(burst.samples, figures)];
  const counted = new Set(falls.filter(([, { fall }]) => fall > 0).map(([operation]) => operation));
  const never = falls
    .filter(
      ([, { requests, fall, refill }]) => requests >= LEAST_REQUESTS && fall <= 0 && requests > refill + known + 1,
    )
    .map(([operation]) => operation);
  // What was used before comes back at its own time, and may hide what an operation costs.
  const isOfSeveral = comesInTurn(burst.samples, figures) || goesUpAndDown(burst.samples, figures);
  const fresh = first !== undefined && beginsFresh(first, figures, known) && !isOfSeveral;
  const exempt = new Set(fresh && counted.size > 0 && countsTheRest(falls, never) ? never : []);
  if (fresh) for (const operation of servedPastRefusal(burst, figures, exempt)) exempt.add(operation);
  if (key.exclusive) for (const operation of ownAllowances(burst.samples, figures)) exempt.add(operation);
  for (const operation of tookTheLast(steady?.samples ?? [], figures))
    if (!exempt.has(operation)) counted.add(operation);
  if (exempt.size === 0 && isUsedUp(key))
    for (const [operation, own] of groupBy(burst.samples.filter(wasServed), ({ operation }) => operation))
      if (own.length >= LEAST_REQUESTS) counted.add(operation);
  return { counted, exempt };
}

/**
 * Operations that took what had come back: served when time enough for one request had passed since the last one, with an
 * answer that says nothing is left. A pacer that lets one request through at a time says no more than that.
 */
function tookTheLast(steady: readonly Sample[], figures: Figures): ReadonlySet<OperationName> {
  const quickest = steady.reduce((least, { sentAt, answeredAt }) => Math.min(least, answeredAt - sentAt), Infinity);
  // Beyond the quickest's time an answer may have been late because its request was.
  const arrivedBy = ({ sentAt, answeredAt }: Sample): number => Math.max(sentAt, answeredAt - quickest);
  const takers = steady.filter((sample, index) => {
    const before = steady[index - 1];
    const hasRefilled = before !== undefined && sample.sentAt - arrivedBy(before) >= refillIntervalMs(figures);
    const isLast = wasServed(sample) && speaksOfMinute(sample, figures) && plainInteger(sample.remaining) === 0;
    return hasRefilled && isLast;
  });
  const often = groupBy(takers, ({ operation }) => operation);
  return new Set([...often].filter(([, own]) => own.length >= LEAST_REQUESTS).map(([operation]) => operation));
}

/** A limit that is a tenth too high must not be taken for an operation that is not limited. */
const MORE_THAN_A_TENTH = 0.12;

/** Operations served beyond all that may be served, although another was refused at once when it was asked. */
function servedPastRefusal(
  { samples, refusalOperation }: BurstSeries,
  figures: Figures,
  exempt: ReadonlySet<OperationName>,
): readonly OperationName[] {
  const [first] = samples;
  const refusal = samples.find(wasRefused);
  if (first === undefined || refusal === undefined || refusal.operation === refusalOperation) return [];
  const { pieces, visible } = windowsSeen(samples, figures);
  if (pieces.length > 1 || !visible) return [];
  const before = samples.filter(
    (sample) => wasServed(sample) && !exempt.has(sample.operation) && sample.answeredAt <= refusal.sentAt,
  );
  const most = mostInOneWindow(figures, refusal.answeredAt - first.sentAt);
  return before.length > most + Math.max(2, MORE_THAN_A_TENTH * figures.perMinute) &&
    before.slice(most).every(({ operation }) => operation === refusalOperation)
    ? [refusalOperation]
    : [];
}

/** Every request of a key's series that may have met the limit. */
const limited = ({ burst, concurrent, window, recoveries, ban }: KeySeries): readonly Sample[] => [
  ...(burst?.samples ?? []),
  ...(concurrent?.samples ?? []),
  ...(window?.bursts.flat() ?? []),
  ...recoveries.map(({ refusal }) => refusal),
  ...(ban?.pushed ?? []),
];

/** The breach of `rate-all-operations` by an operation that does not use the allowance of a key. */
export const notLimited = (key: KeyName, operation: OperationName): Finding =>
  about(
    ROW,
    violated([], `${subject(key)} does not limit ${operation}.`, {
      expected: 'every operation uses the allowance and is refused once it is gone',
      actual: `Remaining did not fall at ${operation}, was another one there, or it was still served when nothing was left`,
    }),
  );

/** All of a key's allowance was served, and no more. */
const isUsedUp = ({ burst, figures }: KeySeries): boolean =>
  burst?.samples.some(wasRefused) === true && burst.samples.filter(wasServed).length === figures.perMinute;

const NOT_BELIEVED = about(ROW, untried('whether all operations use one allowance (Remaining does not count rightly)'));

/**
 * `rate-all-operations`, over all plans together: the first refusal of each falls to another operation.
 * @param isMiscounted Remaining is charged with not counting requests, so that its falls prove nothing
 */
export function allOperations(
  keys: readonly KeySeries[],
  operations: readonly OperationName[],
  isMiscounted: boolean,
): readonly Finding[] {
  const uses = keys.flatMap((key) => (key.burst === null ? [] : [{ key, use: operationUse(key) }]));
  const breaches = uses.flatMap(({ key, use }) =>
    operations.filter((operation) => use.exempt.has(operation)).map((operation) => notLimited(key.key, operation)),
  );
  if (breaches.length > 0) return breaches;
  const uncounted = operations.filter((operation) => !uses.some(({ use }) => use.counted.has(operation)));
  const refusals = new Set(
    keys
      .flatMap(limited)
      .filter(wasRefused)
      .map(({ operation }) => operation),
  );
  const unrefused = operations.filter((operation) => !refusals.has(operation));
  if (uncounted.length === 0 && unrefused.length === 0) {
    const found = `Remaining fell at ${operations.join(', ')}, and each was refused when nothing was left.`;
    return [about(ROW, kept([], found)), ...(isMiscounted && !keys.some(isUsedUp) ? [NOT_BELIEVED] : [])];
  }
  const open = [
    ...(uncounted.length > 0 ? [`no answer shows that ${uncounted.join(', ')} uses the allowance`] : []),
    ...(unrefused.length > 0
      ? [`${unrefused.join(', ')} was never asked for when nothing was left, or never refused`]
      : []),
  ];
  return [about(ROW, unestablished('too-little-data', `${open.join('; ')}.`))];
}
