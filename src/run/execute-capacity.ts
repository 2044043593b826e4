import { thisMachine } from '../loadkit/machine.js';
import type { FinishedRequest } from '../loadkit/meter.js';
import { namesInScenario } from '../wire/scenario/journey.js';
import type { CapacityPlan } from '../loadkit/plan.js';
import { searching } from '../loadkit/find/searching.js';
import { loadBeforeStart } from '../loadkit/load-before-start.js';
import { fetchable } from '../loadkit/requests.js';
import { runCapacity } from '../loadkit/run-capacity.js';
import { petsOf, type Page } from '../judge/checks/listing.js';
import { readPets } from '../judge/checks/pets.js';
import type { Judging } from '../judge/checks/layers.js';
import { now } from '../wire/exchange/connection.js';
import type { Exchange } from '../wire/exchange/types.js';
import type { RunLog } from '../log/run-log.js';
import { judging } from '../judge/checks/judging.js';
import { resolveTarget } from '../drive/suite/resolve-target.js';
import type { PlanName } from '../base/interface/types.js';
import { sum } from '../base/kernel/format.js';
import { planOf } from '../wire/targets/target.js';
import type { RunOptions } from './request.js';
import { noAnimal } from './obstacle.js';
import { openRun, type Run } from './open-run.js';
import type { EarlyEnd, Phase, PhaseCost } from './phases/phase.js';
import { preflightPhase } from './phases/preflight.js';
import { runToEnd } from './run-to-end.js';
import { wholeWindow } from './whole-window.js';

interface ExecuteCapacity extends Omit<RunOptions, 'estimate'> {
  readonly plan: CapacityPlan;
  /**
   * Of a part: called after preflight for the start that all parts share, Unix ms, by this machine's clock
   * and by the shared clock. Absent for an immediate start.
   */
  readonly begin?: () => Promise<{ readonly startAt: number; readonly beginsAt: number }>;
  readonly onFinished?: ((request: FinishedRequest) => void) | undefined;
}

/** Time for loading before the first phase, ms. */
const SETTLE_MS = 200;

/** Runs preflight and the phases of a scenario, and leaves a log with a footer; see `execute`. */
export async function executeCapacity(options: ExecuteCapacity): Promise<RunLog> {
  const words = namesInScenario(options.plan.scenario);
  const request = { ...options.request, target: await resolveTarget(options.request.target, options.signal) };
  const run = openRun({
    ...options,
    request,
    words,
    estimate: async () => ({ ...costOf(options.plan), isMost: options.plan.find !== undefined }),
  });
  return runToEnd(run, [preflightPhase, scenarioPhase(options)]);
}

function costOf({ find, phases, slice, perArrival }: CapacityPlan): PhaseCost {
  return (
    find?.bound ?? {
      seconds: Math.round((phases.at(-1)?.endMs ?? 0) / 1000),
      // What a closed loop sends is unknown.
      requests: phases.some(({ count }) => count === null)
        ? 0
        : Math.round((sum(phases, ({ count }) => count ?? 0) / slice.count) * perArrival.mean),
    }
  );
}

/** The scenario as a phase of a run, which takes the place of all after preflight. */
const scenarioPhase = (options: ExecuteCapacity): Phase => ({
  name: 'load',
  wanted: () => true,
  cost: () => costOf(options.plan),
  begin: (run) => ({ perform: () => perform(run, options) }),
});

async function perform(run: Run<RunOptions>, options: ExecuteCapacity): Promise<EarlyEnd> {
  const { plan } = options;
  const { request, journal, signal } = run;
  const search = plan.find ? searching(plan.find) : null;
  const used = await wholeWindow(run, options);
  if ('code' in used) return used;
  if (signal.aborted) return null;
  const { known, learnt } = await run.received();
  const tools = judging();
  const census = censusIn(known, tools);
  const fetches = plan.operations.filter(({ operation }) => operation === 'getPet');
  const isLeft = fetches.length > 0 && (census === null || fetchable(census).length === 0);
  if (isLeft && fetches.length === plan.operations.length) return noAnimal(request.target);
  await loadBeforeStart(plan, tools);
  // A part keeps its start and reports the delay; a whole run starts when it is ready.
  const together = await options.begin?.();
  const startAt = together?.startAt ?? now() + SETTLE_MS;
  const { scenario, slice, keys, leftOut } = plan;
  journal.append({ type: 'phase', phase: 'load', at: Date.now() });
  journal.append({
    type: 'scenario',
    scenario,
    slice,
    keys,
    leftOut: [
      ...leftOut,
      ...(isLeft ? [{ operation: 'getPet' as const, reason: 'the run knows no animal' }] : []),
    ],
    machine: thisMachine(),
    ...(plan.isShared && { sharedKeys: sharedKeysOf(keys, request.target, used) }),
    startAt,
    ...(together && {
      together: { beginsAt: together.beginsAt, lateMs: Math.max(0, Math.round(now() - startAt)) },
    }),
  });
  const aborted = await runCapacity({
    plan,
    target: request.target,
    judging: tools,
    journal,
    run: request.run,
    census,
    earlier: used,
    connections: learnt,
    startAt,
    signal,
    ...(search && {
      nextPhase: (recorded, seconds, elapsedMs) => search.next(recorded, seconds, elapsedMs),
    }),
    onFinished: options.onFinished,
  });
  if (search) journal.append(search.record());
  return aborted === null ? null : { aborted };
}

/** Returns what all parts need to decide which 429s to the keys that they share were within the allowance. */
const sharedKeysOf = (
  keys: readonly PlanName[],
  target: RunOptions['request']['target'],
  used: ReadonlyMap<PlanName, number>,
) =>
  keys.map((key) => {
    const { perMinute, perDay } = planOf(target, key);
    return { key, perMinute, perDay, windowMs: target.windows.minute * 1000, earlier: used.get(key) ?? 0 };
  });

/** Listing of preflight; null if it shows no animal. */
function censusIn(known: readonly Exchange[], tools: Judging): Page | null {
  const exchange = known.findLast(
    ({ operation, answer }) => operation === 'listPets' && answer.kind === 'response',
  );
  if (!exchange) return null;
  const page = { exchange, reading: readPets(exchange, tools) };
  return petsOf(page).length > 0 ? page : null;
}
