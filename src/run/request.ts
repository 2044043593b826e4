import type { HeaderRequest } from '../log/header.js';
import type { OwnHeader, LogRecord } from '../log/record.js';
import type { Redacted } from '../exchange/redact.js';
import type { RemovalPhase } from '../contract/removal-phase.js';
import type { PlannedCost } from './cost.js';
import { keysIn } from '../targets/keys.js';

/** How far exploring goes, and where it starts. */
export interface ExploreRequest {
  /** Most requests in all, and most animals that they may add. */
  readonly requests: number;
  readonly animals: number;
  readonly seed: number;
  /** The paths of stories that are performed again, and no others. */
  readonly replay?: readonly string[];
  /** Whether others follow those. */
  readonly onward?: true;
}

/** Own suites as a run was asked for them: what their ledger says, where they lie, and whether they decide as well. */
export interface OwnRequest extends OwnHeader {
  readonly files: readonly string[];
}

/** What a run was asked for, once the command line and the target are read. */
export interface RunRequest extends HeaderRequest {
  /** What to search beyond the suites' requests; absent where nothing is. */
  readonly explore?: ExploreRequest;
  readonly own?: OwnRequest;
}

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
