import { keysOfScenario, planCapacity, type CapacityPlan } from '../capacity/plan.js';
import type { Scenario } from '../scenario/scenario.js';
import { keysOfSlice, WHOLE, type Slice } from '../scenario/slice.js';
import type { Target } from '../targets/target.js';
import { lockKeys } from './key-lock.js';
import { planRun, type RunPlan } from './plan-run.js';

/** What a load run is planned from. */
interface CapacityRunOptions {
  readonly target: Target;
  readonly scenario: Scenario;
  readonly slice?: Slice;
  readonly readOnly: boolean;
  /** The command that repeats it, without any key. */
  readonly command: string;
}

/** A load run as it is going to be: the run's own plan, and the scenario's. */
export interface CapacityRunPlan {
  readonly run: RunPlan;
  readonly capacity: CapacityPlan;
}

/** Plans a scenario, or a slice of it, for a target. Throws ConfigError; see `planCapacity`. */
export function planCapacityRun(options: CapacityRunOptions): CapacityRunPlan {
  const { target: given, scenario, slice = WHOLE, readOnly, command } = options;
  // Preflight asks with a key that is spent here anyway: another's would be spent twice.
  const [first] = keysOfSlice(slice, keysOfScenario(scenario, given));
  const target = first !== undefined && given.keys[first] ? { ...given, suiteKey: first } : given;
  const run = planRun({
    target,
    readOnly,
    command,
    now: Date.now(),
  });
  const part = slice.count > 1 ? { part: `${slice.index + 1}/${slice.count}` } : {};
  const request = { ...run.request, selection: { scenario: scenario.name, ...part } };
  const capacity = planCapacity({
    scenario,
    target: { ...target, suiteKey: given.suiteKey },
    writes: request.writes,
    fetches: run.removal === 'before',
    slice,
  });
  return { run: { ...run, request }, capacity };
}

/** Keeps others on this machine from spending the keys of a load run; of a part those that are its alone. Gives them back when called. */
export function lockCapacityKeys({ run: { request }, capacity }: CapacityRunPlan): () => void {
  const { target } = request;
  if (capacity.slice.count === 1) return lockKeys(target);
  // Beyond their limits parts share keys knowingly.
  if (capacity.scenario.overLimit === 'allow') return () => undefined;
  const own = Object.fromEntries(
    capacity.keys.flatMap((name) => (target.keys[name] ? [[name, target.keys[name]]] : [])),
  );
  return lockKeys({ baseUrl: target.baseUrl, keys: own });
}
