import { setTimeout as sleep } from 'node:timers/promises';
import { thisMachine } from '../loadkit/machine.js';
import type { FinishedRequest } from '../loadkit/meter.js';
import { namesInScenario } from '../wire/scenario/journey.js';
import type { CapacityPlan } from '../loadkit/plan.js';
import { searching } from '../loadkit/find/searching.js';
import { runCapacity } from '../loadkit/run-capacity.js';
import { petsOf, type Page } from '../judge/checks/listing.js';
import { readPets } from '../judge/checks/pets.js';
import type { Judging } from '../judge/checks/layers.js';
import type { PlanName } from '../base/interface/types.js';
import { now } from '../wire/exchange/connection.js';
import type { Exchange } from '../wire/exchange/types.js';
import { readOwnLog } from '../log/read.js';
import type { Obstacle } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';
import { judging } from '../drive/suite/fixture.js';
import { sampleOf } from '../judge/checks/rate-headers.js';
import { figuresOf } from '../drive/experiments/figures.js';
import { readReset } from '../judge/limits/headers/header-number.js';
import { leftBy, type Sample } from '../judge/limits/sample.js';
import { resolveTarget } from '../drive/suite/resolve-target.js';
import { look } from './preflight.js';
import type { RunOptions } from './request.js';
import { openRun, type Run } from './open-run.js';
import type { EarlyEnd, Phase, PhaseCost } from './phases/phase.js';
import { preflightPhase } from './phases/preflight.js';
import { runToEnd } from './run-to-end.js';

interface ExecuteCapacity extends Omit<RunOptions, 'estimate'> {
  readonly plan: CapacityPlan;
  /**
   * Called after preflight for the start of the first phase, Unix ms: by this machine's clock; for a part, also by the shared
   * clock. Absent for an immediate start.
   */
  readonly begin?: () => Promise<{ readonly startAt: number; readonly beginsAt?: number }>;
  /** Latest start, Unix ms, even if a window is partly used. */
  readonly latest?: number;
  readonly onFinished?: ((request: FinishedRequest) => void) | undefined;
}

/** Time for loading before the first phase, ms. */
const SETTLE_MS = 200;

/** Runs preflight and the phases of a scenario, and leaves a log with a footer; see `execute`. */
export async function executeCapacity(options: ExecuteCapacity): Promise<RunLog> {
  const words = namesInScenario(options.plan.scenario);
  const request = { ...options.request, target: await resolveTarget(options.request.target, options.signal) };
  const run = openRun({ ...options, request, words, estimate: async () => costOf(options.plan) });
  return runToEnd(run, [preflightPhase, scenarioPhase(options)]);
}

function costOf({ find, phases, slice, perArrival }: CapacityPlan): PhaseCost {
  return (
    find?.bound ?? {
      seconds: Math.round((phases.at(-1)?.endMs ?? 0) / 1000),
      requests: Math.round((phases.reduce((sum, { count }) => sum + (count ?? 0), 0) / slice.count) * perArrival.mean),
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
  const { startAt: given, beginsAt } = (await options.begin?.()) ?? { startAt: 0 };
  // A part keeps its start and reports the delay; a whole run starts when it is ready.
  const startAt = beginsAt === undefined ? Math.max(given, now() + SETTLE_MS) : given;
  const { scenario, slice, keys, leftOut } = plan;
  const census = censusIn(known, tools);
  journal.append({ type: 'phase', phase: 'load', at: Date.now() });
  const isLeft = census === null && plan.operations.some(({ operation }) => operation === 'getPet');
  journal.append({
    type: 'scenario',
    scenario,
    slice,
    keys,
    leftOut: [...leftOut, ...(isLeft ? [{ operation: 'getPet' as const, reason: 'the run knows no animal' }] : [])],
    machine: thisMachine(),
    startAt,
    ...(beginsAt !== undefined && {
      together: { beginsAt, lateMs: Math.max(0, Math.round(now() - startAt)) },
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
    ...(search && { nextPhase: (recorded, elapsedMs) => search.next(recorded, elapsedMs) }),
    onFinished: options.onFinished,
  });
  if (search) journal.append(search.record());
  return aborted === null ? null : { aborted };
}

/** Listing of preflight; null if it shows no animal. */
function censusIn(known: readonly Exchange[], tools: Judging): Page | null {
  const exchange = known.findLast(({ operation, answer }) => operation === 'listPets' && answer.kind === 'response');
  if (!exchange) return null;
  const page = { exchange, reading: readPets(exchange, tools) };
  return petsOf(page).length > 0 ? page : null;
}

/** Returns the exchanges of a run so far, as they were received. */
const exchangesOf = async ({ file, unredacted }: Run<RunOptions>): Promise<readonly Exchange[]> =>
  unredacted.restored((await readOwnLog(file)).exchanges);

/** Tolerance for the whole seconds of `Date` and Reset. */
const GRACE_MS = 1000;
/** A sliding window may return nothing at its Reset, and all of it one window later. */
const MOST_WAITS = 2;

/**
 * Waits until each key's Remaining suffices for the schedule's first window. Otherwise a sound server would refuse because of
 * earlier requests. A key whose Remaining does not rise gets no second wait.
 * @returns used requests of each key's minute at the start, or the obstacle that makes a key unusable
 */
async function wholeWindow(
  run: Run<RunOptions>,
  { plan, latest = Infinity }: Pick<ExecuteCapacity, 'plan' | 'latest'>,
): Promise<ReadonlyMap<PlanName, number> | Obstacle> {
  const { request, journal, signal } = run;
  const { target } = request;
  const windowMs = target.windows.minute * 1000;
  const used = new Map<PlanName, number>();
  for (const key of plan.keys) {
    const figures = figuresOf(target, key);
    let seen = lastOf(await exchangesOf(run), key);
    for (let [waits, before] = [0, -1]; !signal.aborted; waits += 1) {
      if (seen === undefined || waits > 0) {
        if (plan.scenario.overLimit === 'allow') break;
        const found = await look({ ...run, request: { ...request, target: { ...target, suiteKey: key } } }, journal);
        if (!found.ok) return found.obstacle;
        seen = lastOf(await exchangesOf(run), key);
      }
      const left = leftBy(seen?.sample, figures);
      const needed = plan.spending.get(key)?.first ?? 0;
      if (left === null || left >= needed || left <= before || waits === MOST_WAITS) break;
      const ms = Math.min(waits === 0 ? untilReset(seen?.sample, windowMs) : windowMs, latest - Date.now());
      if (ms <= 0) break;
      before = left;
      const what = `the next window of the ${key} plan: ${left} requests are left, and the schedule needs ${needed}`;
      journal.append({ type: 'waiting', what, until: Date.now() + ms });
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    }
    const left = leftBy(seen?.sample, figures);
    used.set(key, Math.max(seen?.sent ?? 0, left === null ? 0 : figures.perMinute - left));
  }
  return used;
}

/** Newest response to a key, with its number of requests in this run. */
function lastOf(known: readonly Exchange[], key: PlanName) {
  const own = known.filter(({ credential }) => credential.kind === 'valid' && credential.plan === key);
  const sample = own.map(sampleOf).findLast((each) => each !== null);
  return sample ? { sample, sent: own.reduce((sum, { attempts }) => sum + attempts, 0) } : undefined;
}

/** Time until the end of a response's window, ms, by the server's clock if known. */
function untilReset(sample: Sample | undefined, windowMs: number): number {
  const reset = sample ? readReset(sample.reset) : null;
  if (!sample || reset === null) return windowMs;
  const ms = reset.unit === 'seconds-to-go' ? reset.seconds * 1000 : reset.unixMs - (sample.date ?? sample.answeredAt);
  return Math.min(Math.max(0, ms), windowMs) + GRACE_MS;
}
