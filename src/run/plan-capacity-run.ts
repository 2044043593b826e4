import type { Threshold } from '../wire/scenario/threshold.js';
import type { Scenario } from '../wire/scenario/scenario.js';
import { keysOfSlice, WHOLE, type Slice } from '../wire/scenario/slice.js';
import { planFind } from '../loadkit/find/plan-find.js';
import { keysOfScenario, planCapacity, type CapacityPlan } from '../loadkit/plan.js';
import type { MetricsOrigin } from '../loadkit/outputs/otlp-metrics.js';
import { kit } from '../base/kernel/package.js';
import { lockKeys } from './key-lock.js';
import { planRun, type PlanOptions } from './plan-run.js';

export interface CapacityRunOptions extends Pick<PlanOptions, 'target' | 'readOnly' | 'command' | 'label'> {
  readonly scenario: Scenario;
  readonly slice?: Slice;
  /** Conditions of a search for the highest rate, and the highest to try (per second). */
  readonly find?: { readonly conditions: readonly Threshold[]; readonly upTo: number } | null;
}

export type CapacityRunPlan = ReturnType<typeof planCapacityRun>;

/** Plans a scenario, or a slice of it, for a target. Throws ConfigError; see `planCapacity`. */
export function planCapacityRun(options: CapacityRunOptions) {
  const { target: given, scenario, slice = WHOLE, readOnly, command, label, find = null } = options;
  // Preflight uses a key of this slice: with another's, that slice would have fewer requests.
  const [first] = keysOfSlice(slice, keysOfScenario(scenario, given));
  const target = first !== undefined && given.keys[first] ? { ...given, suiteKey: first } : given;
  const run = planRun({ target, readOnly, command, label, now: Date.now() });
  const request = { ...run.request, selection: { scenario: scenario.name } };
  const asked = {
    scenario,
    target: { ...target, suiteKey: given.suiteKey },
    writes: request.writes,
    fetches: run.removal === 'before',
  };
  const capacity: CapacityPlan = find
    ? planFind({ ...asked, ...find, timeoutSeconds: target.http.timeoutMs / 1000 })
    : planCapacity({ ...asked, slice });
  return { run: { ...run, request }, capacity };
}

/** @param run the run that a part belongs to */
export const originOf = (
  { run: { request }, capacity: { slice, scenario } }: CapacityRunPlan,
  run = request.run,
): MetricsOrigin => ({
  version: kit().version,
  run,
  part: slice.count > 1 ? `${slice.index + 1}/${slice.count}` : null,
  scenario: scenario.name,
  baseUrl: request.target.baseUrl,
});

/** For a part, only its own keys. Returns the locks, to dispose of. */
export async function lockCapacityKeys({
  run: { request },
  capacity,
}: CapacityRunPlan): Promise<Disposable | null> {
  const { target } = request;
  if (capacity.slice.count === 1) return lockKeys(target);
  // Parts over the limit share keys on purpose.
  if (capacity.scenario.overLimit === 'allow') return null;
  return lockKeys(target, capacity.keys);
}
