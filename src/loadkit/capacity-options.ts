import type { FinishedRequest } from './meter.js';
import type { PlacedPhase } from '../wire/scenario/schedule.js';
import type { CapacityPhaseRecord, SecondRecord } from '../log/capacity-record.js';
import type { LearntReuse } from '../wire/exchange/connection-reuse.js';
import type { PlanName } from '../base/interface/names.js';
import type { Page } from '../judge/checks/listing.js';
import type { Journal } from '../log/journal.js';
import type { Judging } from '../judge/checks/layers.js';
import type { Target } from '../wire/targets/target.js';
import type { CapacityPlan } from './plan.js';

export interface CapacityOptions {
  readonly plan: CapacityPlan;
  readonly target: Target;
  readonly judging: Judging;
  readonly journal: Journal;
  /** ID of the run: eight hexadecimal digits. */
  readonly run: string;
  /** Preflight's listing, the source of fetches and categories; null without one. */
  readonly census: Page | null;
  /** Earlier use of each key's minute. */
  readonly earlier: ReadonlyMap<PlanName, number>;
  /** Behaviour of the server's connections in preflight. */
  readonly connections?: LearntReuse | undefined;
  /** Start of the first phase, Unix ms. */
  readonly startAt: number;
  readonly signal: AbortSignal;
  /**
   * Returns the phase after those of the plan, once the one before has all its responses; null for none.
   *
   * @param recorded record of the phase before; null for the first
   * @param seconds those of the run so far
   * @param elapsedMs since the start of the run
   */
  readonly nextPhase?:
    | ((
        recorded: CapacityPhaseRecord | null,
        seconds: readonly SecondRecord[],
        elapsedMs: number,
      ) => PlacedPhase | null)
    | undefined;
  readonly onFinished?: ((request: FinishedRequest) => void) | undefined;
}
