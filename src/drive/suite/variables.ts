import type { RequirementId } from '../../base/interface/types.js';
import type { FixtureOrder } from './fixture.js';

/** An order of `run` to its Playwright process. */
export interface WorkerOrder extends FixtureOrder {
  readonly log: string;
  /** Secret of the exchanges next to the log; see `receivedBeside`. */
  readonly secret: string;
  /** All keys of the target in clear, the suites' own first; the others are for redacting. */
  readonly keys: readonly string[];
  /** The user's own names, addresses and commands, which redaction leaves; see `redactor`. */
  readonly words: readonly string[];
  /** Requirements to state; null for all. */
  readonly selected: readonly RequirementId[] | null;
  /** Names of the suites' files that state them; null for all. Each file takes time to load, twice. */
  readonly files: readonly string[] | null;
  readonly outputDir: string;
  /** Own suites, which run instead of the kit's, and the ids in their ledger. */
  readonly own: { readonly files: readonly string[]; readonly ids: readonly RequirementId[] } | null;
}

/** Environment variable with the order as JSON, which keeps keys out of argument lists. */
export const ORDER_VARIABLE = 'PETSTORE_RUN_ORDER';
/** Target of suites started without `run`: a name or a file. */
export const TARGET_VARIABLE = 'PETSTORE_TARGET';
/** Folder for Playwright's temporary output of own suites, inside its folder of the run. */
export const OWN_FOLDER = 'own';

/** Null if this process was started without `run`. */
export function orderOfRun(): WorkerOrder | null {
  const order = process.env[ORDER_VARIABLE];
  return order === undefined ? null : (JSON.parse(order) as WorkerOrder);
}
