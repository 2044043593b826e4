import type { HeaderRequest } from '../log/header.js';
import type { OwnHeader } from '../log/record.js';

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
