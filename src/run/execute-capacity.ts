import type { ScenarioRecord } from '../log/capacity-record.js';
import { ABORTED } from '../capacity/results.js';
import type { Sample } from '../capacity/meter.js';
import type { CapacityPlan } from '../capacity/plan.js';
import { runCapacity } from '../capacity/run-capacity.js';
import { petsOf, type Page } from '../checks/listing.js';
import { readPets } from '../checks/pets.js';
import type { Judging } from '../checks/layers.js';
import type { PlanName } from '../contract/types.js';
import { now } from '../exchange/connection.js';
import type { Exchange } from '../exchange/types.js';
import { readLog } from '../log/read.js';
import type { Obstacle } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';
import { kit } from '../contract/package-root.js';
import { judging } from '../suite/worker-fixture.js';
import { look } from './preflight.js';
import type { RunOptions } from './request.js';
import { openRun, runToEnd, type Run } from './run-to-end.js';
import { wholeWindow } from './whole-window.js';

/** What a load run needs. */
export interface ExecuteCapacity extends Omit<RunOptions, 'estimate'> {
  readonly plan: CapacityPlan;
  /** Asked once preflight is over: when the first phase is to begin; absent for at once. */
  readonly begin?: () => Promise<Beginning>;
  /** When it begins at the latest, Unix ms, whatever of a window was used before. */
  readonly latest?: number;
  readonly onSample?: ((sample: Sample) => void) | undefined;
}

/** When a run's first phase begins, Unix ms: by this machine's clock, and for a part by the one that all parts share. */
export interface Beginning {
  readonly startAt: number;
  readonly beginsAt?: number;
}

/** What is loaded before the first phase is not to weigh on it, ms. */
const SETTLE_MS = 200;

/** Runs preflight and the phases of a scenario, and leaves a log with a footer; see `execute`. */
export async function executeCapacity(options: ExecuteCapacity): Promise<RunLog> {
  const { plan } = options;
  const seconds = Math.round((plan.phases.at(-1)?.endMs ?? 0) / 1000);
  const run = openRun({ ...options, estimate: async () => ({ requests: scheduled(plan), seconds }) });
  const { request, journal, file, signal } = run;
  return runToEnd(run, async () => {
    if (signal.aborted) return null;
    const window = await wholeWindow({
      plan,
      target: request.target,
      journal,
      latest: options.latest,
      signal,
      look: (key) => lookWith(key, run),
      known: () => exchangesIn(file),
    });
    if ('obstacle' in window || signal.aborted) return 'obstacle' in window ? window.obstacle : null;
    const known = await exchangesIn(file);
    const tools = judging();
    const { startAt, together } = begun((await options.begin?.()) ?? { startAt: 0 });
    const { scenario, slice, keys, leftOut } = plan;
    const census = censusIn(known, tools);
    journal.append({ type: 'phase', phase: 'load', at: Date.now() });
    const isLeft = census === null && plan.operations.some(({ operation }) => operation === 'getPet');
    journal.append({
      type: 'scenario',
      scenario,
      slice,
      keys,
      leftOut: [...leftOut, ...(isLeft ? [{ operation: 'getPet' as const, reason: 'no animal is known' }] : [])],
      startAt,
      ...(together && { together }),
    });
    const { aborted } = await runCapacity({
      plan,
      target: request.target,
      judging: tools,
      journal,
      run: request.run,
      kit: kit(),
      census,
      earlier: window.used,
      startAt,
      signal,
      onSample: options.onSample,
    });
    return aborted === null ? null : `${ABORTED}${aborted}`;
  });
}

/** A part keeps to the moment that it was told, and says by how much it missed it; a whole begins when it can. */
function begun({ startAt, beginsAt }: Beginning): Pick<ScenarioRecord, 'startAt' | 'together'> {
  if (beginsAt === undefined) return { startAt: Math.max(startAt, now() + SETTLE_MS) };
  return { startAt, together: { beginsAt, lateMs: Math.max(0, Math.round(now() - startAt)) } };
}

const scheduled = ({ phases, slice }: CapacityPlan): number =>
  Math.round(phases.reduce((sum, { count }) => sum + (count ?? 0), 0) / slice.count);

/** Preflight's listing; null where it shows no animal. */
function censusIn(known: readonly Exchange[], tools: Judging): Page | null {
  const exchange = known.findLast(({ operation, answer }) => operation === 'listPets' && answer.kind === 'response');
  if (!exchange) return null;
  const page = { exchange, reading: readPets(exchange, tools) };
  return petsOf(page).length > 0 ? page : null;
}

const exchangesIn = async (file: string): Promise<readonly Exchange[]> => (await readLog(file)).exchanges;

/** Preflight's listing with another key. */
async function lookWith(key: PlanName, run: Run<RunOptions>): Promise<Obstacle | null> {
  const target = { ...run.request.target, suiteKey: key };
  const seen = await look({ ...run, request: { ...run.request, target } }, run.journal);
  return seen.ok ? null : seen.obstacle;
}
