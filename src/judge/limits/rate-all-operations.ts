import { counted, duration, listed } from '../../base/kernel/format.js';
import { operationNames } from '../../base/interface/names.js';
import type { OperationName } from '../../base/interface/types.js';
import { wasRefused, wasServed } from './sample.js';
import type { Asked } from './asked.js';
import { fellByOne } from './bursts.js';
import type { KeyRun } from './key-run.js';
import { refillOver, spanMs } from './spans.js';
import { leftOf } from './left.js';
import { blunt, fault, held, once, type Shown } from './shown.js';

/** A probe past the limit is served by chance in so many trials. */
const CHANCE = 0.1;

interface Signs {
  /** Operations that did not use the allowance, and how that showed. */
  readonly exempt: ReadonlyMap<OperationName, string>;
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
    texts: signs.flatMap(({ exempt }) => exempt.get(operation) ?? []),
  }));
  // A probe may be served by chance; one that was counted or refused elsewhere is limited.
  const exempt = found.filter(
    ({ operation, texts }) =>
      texts.length > 1 ||
      (texts.length === 1 && signs.filter((sign) => sign.counted.has(operation)).length < 2),
  );
  const twice = exempt.find(({ texts }) => texts.length > 1);
  const worst = twice ?? exempt[0];
  if (worst !== undefined) {
    const detail = {
      expected: 'each operation uses the allowance and is refused once it is gone',
      actual: worst.texts[0] ?? '',
      measured: { what: ['exempt', worst.operation] },
    };
    const message = `${run.name} does not limit ${worst.operation}.`;
    return twice === undefined ? once(message, detail, `${worst.texts[0]}, once`) : fault(message, detail);
  }
  const shown = new Set(signs.flatMap((sign) => [...sign.counted]));
  const missing = operations.filter((operation) => !shown.has(operation));
  if (missing.length === 0)
    return held(`Each of ${listed(operations)} used the allowance or was refused once it was gone.`);
  return blunt(
    'too-little-data',
    `no response to ${run.name.toLowerCase()} shows that ${listed(missing)} counts against the limit`,
  );
}

/** Each of nine requests one by one: Remaining falls three times for each operation. */
function byFalls(burst: readonly Asked[], run: KeyRun): Signs {
  const exempt = new Map<OperationName, string>();
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
    for (const operation of anew) exempt.set(operation, `Remaining starts anew at the first ${operation}`);
  for (const operation of operationNames) {
    const places = nine.flatMap((sample, at) => (sample.operation === operation ? [at] : []));
    const own = places.flatMap((at) => {
      const [from, to] = [nine[at - 1] ?? before, nine[at]].map((one) =>
        one === undefined ? null : leftOf(one, run.figures),
      );
      return typeof from === 'number' && typeof to === 'number' ? [from - to] : [];
    });
    if (own.length < 2) continue;
    const fall = own.reduce((sum, one) => sum + one, 0);
    const span = places.flatMap((at) => [nine[at - 1] ?? before, nine[at] ?? before]);
    if (fall >= own.length) counts.add(operation);
    // Within an interval one comes back at most; a step brings several at one place.
    else if (own.filter((one) => one <= 0).length > 1 + refillOver(spanMs(span), run))
      exempt.set(
        operation,
        `Remaining fell by ${fall} over ${counted(own.length, 'request')} of ${operation}`,
      );
  }
  return { exempt, counted: counts };
}

/** Each operation once after the allowance is gone. */
function byRefusals(edge: readonly Asked[], run: KeyRun): Signs {
  const exempt = new Map<OperationName, string>();
  const counts = new Set<OperationName>();
  const probes = edge.filter(({ part }) => part === 'probe');
  const gone = edge.filter((sample) => sample.part !== 'probe' && wasRefused(sample)).at(-1);
  if (gone === undefined) return { exempt, counted: counts };
  const last = probes.at(-1);
  // From silence a window or a log returns nothing so soon; later, one by one.
  const isAfterSilence = gone.question !== 'edge' && fellByOne(edge, run);
  const isQuick = spanMs([gone, ...probes]) * run.perMs < CHANCE || isAfterSilence;
  for (const probe of probes) {
    if (wasRefused(probe)) counts.add(probe.operation);
    else if (wasServed(probe) && isQuick && last?.operation === 'listPets' && wasRefused(last))
      exempt.set(
        probe.operation,
        `${probe.operation} allowed ${duration(probe.sentAt - gone.answeredAt)} after listPets got 429, which got it again`,
      );
  }
  return { exempt, counted: counts };
}
