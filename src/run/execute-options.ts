import type { Redacted } from '../exchange/redact.js';
import type { LogRecord } from '../log/record.js';
import type { RemovalPhase } from '../contract/removal-phase.js';
import type { PlannedCost } from './cost.js';
import { keysIn } from '../targets/keys.js';
import type { RunRequest } from './request.js';

/** What a run needs besides its request. */
export interface ExecuteOptions {
  readonly request: RunRequest;
  readonly removal: RemovalPhase;
  readonly directory: string;
  /** Finds out how many requests the run is going to take, and how long. */
  readonly estimate: () => Promise<PlannedCost>;
  /** Finds out how long it may take at most, in seconds, without sending anything anywhere. */
  readonly most: () => Promise<number>;
  readonly allowLoadOnProduction: boolean;
  /** Ends the run early; what was recorded by then stands. */
  readonly signal: AbortSignal;
  readonly onRecord: (record: Redacted<LogRecord>) => void;
}

/** All keys in clear, the suites' own first. */
export function keysOf({ target }: RunRequest): readonly string[] {
  const own = target.keys[target.suiteKey]?.reveal();
  return [...new Set([...(own === undefined ? [] : [own]), ...keysIn(target)])];
}
