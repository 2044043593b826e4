import { counted, duration, listed, sumAll } from '../../base/kernel/format.js';
import { operationNames } from '../../base/interface/names.js';
import type { OperationName } from '../../base/interface/types.js';
import { leftOf, refillOver, spanMs, wasRefused, wasServed } from './sample.js';
import type { Asked } from './asked.js';
import { fellByOne } from './bursts.js';
import { DOUBTFUL, RARE, soonestExitMs } from './bounds.js';
import type { KeyRun } from './key-run.js';
import { blunt, held, seen, type Shown } from './shown.js';

/** Intervals of the plan in which a refill shows that is slower by as many times. */
const SLOW_INTERVALS = 4;

/**
 * How an operation shows that it does not use the allowance. `uncounted`: others' Remaining does not fall by
 * it; `anew`: its own Remaining starts anew; `shown`: its own Remaining does not fall; `allowed`: it is
 * allowed between two refusals.
 */
interface Exempt {
  readonly how: 'uncounted' | 'anew' | 'shown' | 'allowed';
  readonly expected: string;
  readonly actual: string;
  /** Is true if it lowers Remaining at some of its requests, as where several counters take turns. */
  readonly isPartly?: boolean;
  /** Is true if no refill can have served it. */
  readonly isExact?: boolean;
  /** Odds that a refill served it; none by default. */
  readonly chance?: number;
}

interface Signs {
  readonly exempt: ReadonlyMap<OperationName, Exempt>;
  readonly counted: ReadonlySet<OperationName>;
}

/** Judges `rate-all-operations`: each operation uses the allowance, and is refused once it is gone. */
export function allOperations(
  run: KeyRun,
  operations: readonly OperationName[] = operationNames,
): Shown | null {
  if (run.bursts.length === 0 && run.edges.length === 0) return null;
  const signs = [
    ...run.bursts.map((burst) => byFalls(burst, run)),
    ...run.edges.map((edge) => byRefusals(edge, run)),
  ];
  const found = operations.map((operation) => ({
    operation,
    ways: signs.flatMap(({ exempt }) => exempt.get(operation) ?? []),
  }));
  // A probe may be served by chance; one that was counted or refused elsewhere is limited.
  const exempt = found.filter(
    ({ operation, ways }) =>
      ways.length > 1 ||
      (ways.length === 1 &&
        (ways[0]?.isExact === true || signs.filter((sign) => sign.counted.has(operation)).length < 2)),
  );
  const twice = exempt.find(({ ways }) => ways.length > 1);
  const worst = twice ?? exempt[0];
  const [way] = worst?.ways ?? [];
  if (worst !== undefined && way !== undefined) {
    const { expected, actual } = way;
    // Where several do not count, their headers may be what is wrong.
    const how = exempt.length > 1 && way.how === 'uncounted' ? 'shown' : way.how;
    const detail = { expected, actual, measured: { what: ['exempt', how, worst.operation] } };
    const message = way.isPartly
      ? `${run.name}'s Remaining does not count each request of ${worst.operation}.`
      : `${run.name} does not limit ${worst.operation}.`;
    const chance = worst.ways.reduce((product, one) => product * (one.chance ?? 0), 1);
    return seen(chance < RARE ? worst.ways.length : 1, message, detail);
  }
  const shown = new Set(signs.flatMap((sign) => [...sign.counted]));
  const missing = operations.filter((operation) => !shown.has(operation));
  if (missing.length === 0)
    return held(`Each of ${listed(operations)} used the allowance or was refused once it was gone.`);
  const that = `${listed(missing)} ${missing.length === 1 ? 'counts' : 'count'} against the limit`;
  return blunt('too-little-data', `no response to ${run.name.toLowerCase()} shows that ${that}`);
}

/** Each of nine requests one by one: Remaining falls three times for each operation. */
function byFalls(burst: readonly Asked[], run: KeyRun): Signs {
  const exempt = new Map<OperationName, Exempt>();
  const counts = new Set<OperationName>();
  const nine = burst.filter(({ part }) => part === 'operations');
  const [first] = nine;
  const before = first === undefined ? undefined : burst[burst.indexOf(first) - 1];
  if (before === undefined || !nine.every(wasServed)) return { exempt, counted: counts };
  const anew = operationNames.filter((operation) => {
    const at = nine.findIndex((sample) => sample.operation === operation);
    const [last, next] = [nine[at - 1], nine[at]];
    if (last === undefined || next === undefined) return false;
    const [from, to] = [leftOf(last, run.figures), leftOf(next, run.figures)];
    if (from === null || to === null) return false;
    return to > from + 1 + refillOver(spanMs([last, next]), run) && to >= run.limit - 1;
  });
  if (anew.length > 1)
    for (const operation of anew)
      exempt.set(operation, {
        how: 'anew',
        expected: 'one Remaining for all operations',
        actual: `a Remaining that starts anew at the first ${operation}`,
      });
  const leftAt = (sample: Asked | undefined): number | null =>
    sample === undefined ? null : leftOf(sample, run.figures);
  for (const operation of operationNames) {
    const own = nine.filter((sample) => sample.operation === operation);
    const [one, last] = [own[0], own.at(-1)];
    if (one === undefined || last === undefined) continue;
    const span = burst.slice(burst.indexOf(one) - 1, burst.indexOf(last) + 1);
    const lefts = span.map(leftAt);
    const falls = lefts.slice(1).flatMap((to, at) => {
      const from = lefts[at] ?? null;
      return from === null || to === null ? [] : [from - to];
    });
    if (falls.length < 2) continue;
    const fall = sumAll(falls);
    // Its own responses may show anything: those of others around it show whether it was counted.
    const after = burst.slice(burst.indexOf(last) + 1).flatMap((sample) => leftAt(sample) ?? []);
    const around = after.length === 0 ? fall : (lefts[0] ?? 0) - Math.max(...after) - 1;
    const back = 1 + refillOver(spanMs(span), run);
    if (fall >= falls.length && around > 0) counts.add(operation);
    // Within an interval one comes back at most; a step brings several at one place.
    else if (falls.filter((each) => (around > 0 ? each <= 0 : each !== 1)).length > back)
      exempt.set(operation, {
        how: around > 0 ? 'shown' : 'uncounted',
        isPartly: around > 0 && fall > 0,
        expected: `Remaining lower by ${falls.length} after ${counted(falls.length, 'request')} of ${operation}`,
        actual:
          around > 0 && fall !== 0
            ? `Remaining ${fall < 0 ? 'higher' : 'lower'} by ${Math.abs(fall)}`
            : 'the same Remaining',
      });
  }
  return { exempt, counted: counts };
}

/** Each operation once after the allowance is gone. */
function byRefusals(edge: readonly Asked[], run: KeyRun): Signs {
  const exempt = new Map<OperationName, Exempt>();
  const counts = new Set<OperationName>();
  const probes = edge.filter(({ part }) => part === 'probe');
  const gone = edge.filter((sample) => sample.part !== 'probe' && wasRefused(sample)).at(-1);
  if (gone === undefined) return { exempt, counted: counts };
  const last = probes.at(-1);
  // From silence a window or a log returns nothing within its length; later, one by one. A bucket may refill
  // too slowly.
  const isExact =
    gone.question !== 'edge' &&
    spanMs(edge) < soonestExitMs(run.figures) &&
    (fellByOne(edge, run, SLOW_INTERVALS) || (run.fallsSteadily && fellByOne(edge, run)));
  const chance = isExact ? 0 : spanMs([gone, ...probes]) * run.perMs;
  for (const probe of probes) {
    if (wasRefused(probe)) counts.add(probe.operation);
    else if (wasServed(probe) && chance < DOUBTFUL && last?.operation === 'listPets' && wasRefused(last))
      exempt.set(probe.operation, {
        how: 'allowed',
        isExact,
        chance,
        expected: `429 to ${probe.operation} once the allowance is used up`,
        actual: `${probe.status} ${duration(probe.sentAt - gone.answeredAt)} after a 429 to listPets, which got 429 again`,
      });
  }
  return { exempt, counted: counts };
}
