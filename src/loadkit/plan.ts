import type { LeftOut } from '../log/capacity-record.js';
import { nearestName } from '../base/kernel/nearest-name.js';
import type { OperationName, PlanName } from '../base/interface/types.js';
import type { Target } from '../wire/targets/target.js';
import type { FindPlan } from './find/search.js';
import { spendingOf, type Spending } from './allowance.js';
import { journeysByName, perArrivalOf } from '../wire/scenario/journey.js';
import { placed } from '../wire/scenario/schedule.js';
import type { OperationShare, Scenario } from '../wire/scenario/scenario.js';
import { keysOfSlice, sharesKeys, WHOLE, type Slice } from '../wire/scenario/slice.js';
import { planNames } from '../base/interface/names.js';
import { ConfigError } from '../base/kernel/errors.js';
import { capital, withArticle } from '../base/kernel/format.js';

export interface PlanRequest {
  readonly scenario: Scenario;
  readonly target: Pick<Target, 'name' | 'keys' | 'suiteKey' | 'plans' | 'windows'>;
  /** True if pets may be created (`writes`), and if getPet still exists (`fetches`). */
  readonly writes: boolean;
  readonly fetches: boolean;
  readonly slice?: Slice;
}

/** Most earlier requests per key: one listing, and a second after a wait or a dead connection. */
export const EARLIER = 2;

/** `find`: of a search for the highest rate, whose phases are known only step by step. */
export type CapacityPlan = ReturnType<typeof planCapacity> & { readonly find?: FindPlan };

/**
 * Plans a scenario for a target: requests by key, and what is left out. Pure. Throws ConfigError for a
 * missing key, a schedule beyond the plan, and a scenario with nothing left.
 */
export function planCapacity({ scenario, target, writes, fetches, slice = WHOLE }: PlanRequest) {
  const phases = placed(scenario.phases);
  const empty = phases.find(({ count }) => count === 0);
  if (empty)
    throw new ConfigError({
      code: 'nothing-to-send',
      message: `The phase "${empty.phase.name}" ends before its first request.`,
      expected: 'a phase long enough for one request at its rate',
      hint: 'Give it a longer duration or a higher rate. Nothing was sent.',
    });
  const all = keysOfScenario(scenario, target);
  if (sharesKeys(slice, all.length) && scenario.overLimit === 'refuse')
    throw new ConfigError({
      code: 'over-limit',
      message:
        `${slice.count} parts would share ${all.length === 1 ? 'one key' : `${all.length} keys`}, ` +
        'but no part knows the requests of another.',
      expected: `at least ${slice.count} keys, or overLimit: allow`,
      hint: 'Give the scenario a key for each part. Nothing was sent.',
    });
  const { operations, leftOut } = remaining(scenario, writes, fetches);
  const keys = keysOfSlice(slice, all);
  const perArrival = perArrivalOf(operations, scenario.journeys, keys.length * slice.count);
  for (const key of keys) checkKey(key, target);
  const spending: ReadonlyMap<PlanName, Spending> = new Map(
    keys.map((plan) => [
      plan,
      spendingOf(scenario.phases, {
        plan,
        figures: target.plans[plan] ?? { perMinute: Infinity, perDay: Infinity },
        windows: target.windows,
        keys: keys.length * slice.count,
        earlier: EARLIER,
        overLimit: scenario.overLimit === 'allow',
        perArrival,
      }),
    ]),
  );
  const exceeds = [...spending.values()].find((each) => each.exceeds !== null)?.exceeds;
  if (exceeds)
    throw new ConfigError({
      code: 'over-limit',
      message: exceeds,
      expected: 'at most the limit of the plan of each key, or overLimit: allow',
      hint: 'Lower the rate, name more keys, or set overLimit: allow in the scenario. Nothing was sent.',
    });
  /**
   * `keys`: of this slice, in order of turns. `spending`: requests of this slice by key. `isShared`: other
   * slices use them too.
   */
  const isShared = sharesKeys(slice, all.length);
  return { scenario, slice, phases, operations, leftOut, keys, spending, perArrival, isShared };
}

/** In order of turns. */
export const keysOfScenario = (
  { keys }: Pick<Scenario, 'keys'>,
  { suiteKey }: Pick<Target, 'suiteKey'>,
): readonly PlanName[] => (keys.length > 0 ? keys : [suiteKey]);

function checkKey(key: PlanName, { keys, name }: PlanRequest['target']): void {
  if (keys[key]) return;
  const given = planNames.filter((plan) => keys[plan]);
  const nearest = nearestName(key, given);
  throw new ConfigError({
    code: 'no-key',
    message: `The scenario uses the ${key} key, but the target ${name} has none.`,
    expected: `one of the keys of the target: ${given.join(', ')}`,
    nearest,
    hint: `Add ${withArticle(`${capital(key)} key`)} to the target, or name other keys in the scenario. Nothing was sent.`,
  });
}

function remaining({ operations, journeys }: Scenario, writes: boolean, fetches: boolean) {
  const byName = journeysByName(journeys);
  const used = operations.filter(({ weight }) => weight > 0);
  const whyNot = (operation: OperationName): string | null => {
    if (operation === 'createPet' && !writes) return 'writes are off';
    return operation === 'getPet' && !fetches ? 'the operation is removed at this date' : null;
  };
  const whyNotAll = ({ operation, journey = '' }: OperationShare): string | null => {
    const steps = byName.get(journey)?.steps.map((step) => step.operation) ?? [operation];
    return steps.map(whyNot).find((reason) => reason !== null) ?? null;
  };
  const left = used.filter((share) => whyNotAll(share) === null);
  if (left.length === 0)
    throw new ConfigError({
      code: 'nothing-to-send',
      message: `The scenario has nothing to send: ${whyNot(used[0]?.operation ?? 'createPet')}.`,
      expected: 'an operation that may be sent',
      hint: 'Add another operation to the scenario, or allow writes. Nothing was sent.',
    });
  const leftOut = used.flatMap((share): LeftOut[] => {
    const reason = whyNotAll(share);
    const { operation, journey } = share;
    return reason === null ? [] : [{ operation, ...(journey !== undefined && { journey }), reason }];
  });
  return { operations: left, leftOut };
}
