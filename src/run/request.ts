import type { HeaderRequest } from '../log/header.js';
import type { OwnRequest } from '../own/own-suites.js';
import type { LogRecord } from '../log/record.js';
import type { Redacted } from '../exchange/redact.js';
import type { RemovalPhase } from '../contract/removal-phase.js';
import { keysIn } from '../targets/keys.js';
import type { PlannedCost } from './cost.js';

/** Extent and start of exploring. */
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

/** Request for a run, from the command line and the target. */
export interface RunRequest extends HeaderRequest {
  /** Settings of exploring; absent if it is off. */
  readonly explore?: ExploreRequest;
  readonly own?: OwnRequest;
}

/** What a run needs besides its request, of whatever kind it is. */
export interface RunOptions {
  readonly request: RunRequest;
  readonly removal: RemovalPhase;
  readonly directory: string;
  /** Finds out how many requests the run is going to take, and how long. */
  readonly estimate: () => Promise<PlannedCost>;
  /** Finds out how long it may take at most, in seconds; absent where somebody else sees to its end. */
  readonly most?: (() => Promise<number>) | undefined;
  /** Ends the run early; what was recorded by then stands. */
  readonly signal: AbortSignal;
  readonly onRecord: (record: Redacted<LogRecord>) => void;
}

/** All keys in clear, the suites' own first. */
export function keysOf({ target }: RunRequest): readonly string[] {
  const own = target.keys[target.suiteKey]?.reveal();
  return [...new Set([...(own === undefined ? [] : [own]), ...keysIn(target)])];
}
