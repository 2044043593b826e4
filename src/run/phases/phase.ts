import { count, counted, duration } from '../../base/kernel/format.js';
import type { Cost } from '../../drive/limits/cost.js';
import type { LoadPlan } from '../../drive/profiles/plan-load.js';
import type { Obstacle, PhaseName } from '../../log/record.js';
import type { SuitesCost } from '../../report/examination.js';
import type { Run } from '../open-run.js';
import type { RunOptions, RunRequest } from '../request.js';

/** Early end of a run: an obstacle before its start, or the load scenario's own rule; null without one. */
export type EarlyEnd = Obstacle | { readonly aborted: string } | null;

/** What the cost of a phase follows from. */
export interface Outlook {
  readonly request: RunRequest;
  /** Null for a run without suites. */
  readonly suites: SuitesCost | null;
  /** Names of the suites' requests, for a plan that lists them; otherwise empty. */
  readonly probes: readonly string[];
  /** Null for a run without load. */
  readonly load: LoadPlan | null;
  /** Time of one response as measured, ms; 0 before any. */
  readonly latencyMs: number;
}

export interface PhaseCost {
  readonly requests: number;
  /** Duration without delays, s. The run's time limit follows from the sum over its phases. */
  readonly seconds: number;
  /** What the phase may add to both, where what it finds asks for more. */
  readonly more?: Cost;
  /** Limit of a phase that bounds its own time, s. It adds to the run's. */
  readonly limitSeconds?: number;
}

export const NO_COST: PhaseCost = { requests: 0, seconds: 0 };

export interface Begun {
  /** Called once, after the phases before it. */
  readonly perform: () => Promise<EarlyEnd>;
  /** Ends what `begin` has started. Called at the end of the run, also without `perform`. */
  readonly discard?: () => void;
}

/**
 * A phase of a run. The order of a run, its cost, its time limit and its plan follow from the list of phases
 * (`index.ts`). A phase loads the code of its work when it begins: most runs need only some phases.
 */
export interface Phase {
  /** Name in the log; `traffic` sends nothing, and no log names it. */
  readonly name: PhaseName | 'traffic';
  readonly wanted: (request: RunRequest) => boolean;
  /** For a run that has this phase. */
  readonly cost: (outlook: Outlook) => PhaseCost | Promise<PhaseCost>;
  /** Lines of a plan: what the phase will do, or that the run leaves it out; none if the selection says so. */
  readonly lines?: (outlook: Outlook) => readonly string[] | Promise<readonly string[]>;
  /** Called before any request of the run. */
  readonly begin: (run: Run<RunOptions>) => Begun;
}

/** Columns of a label. */
export const PLAN_LABEL = 14;

/** Returns a line of a plan, under its label or under the line before it. */
export const labelled = (label: string, text: string): string => `${label.padEnd(PLAN_LABEL)}${text}`;

/** Returns what a run or a phase sends, and for how long: "about 1,160 requests, 5 min; up to …". */
export function costWords({ requests, seconds, more }: PhaseCost): string {
  const always = `about ${counted(requests, 'request')}, ${duration(seconds * 1000)}`;
  if (more === undefined || more.requests === 0) return always;
  const longest = duration((seconds + more.seconds) * 1000);
  return `${always}; up to ${count(requests + more.requests)}, ${longest}, where answers are in doubt`;
}

export function costLine(key: string, profile: string, { requests, seconds }: PhaseCost): string {
  const length = duration(seconds * 1000).padStart(11);
  const sent = counted(requests, 'request').padStart(14);
  return labelled('', `${key.padEnd(11)} ${profile.padEnd(10)} ${sent}  ${length}`);
}
