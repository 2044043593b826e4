import { loadContract } from '../contract/contract.js';
import { loadLedger } from '../contract/ledger.js';
import { planNames } from '../contract/plans.js';
import type { RequirementId } from '../contract/types.js';
import { LOG_SCHEMA_VERSION } from '../log/record.js';
import type { Acceptance, LogHeader, OwnHeader, Selection } from '../log/record.js';
import { kit } from '../suite/worker-bench.js';
import type { Target } from '../target/target.js';

/** How far exploring goes, and where it starts. */
export interface ExploreRequest {
  /** Most requests in all, and most animals that they may add. */
  readonly requests: number;
  readonly animals: number;
  readonly seed: number;
  /** The path of a story that is performed again, and no other. */
  readonly replay?: string;
}

/** Own suites as a run was asked for them: what their ledger says, where they lie, and whether they decide as well. */
export interface OwnRequest extends OwnHeader {
  readonly files: readonly string[];
}

/** What a run was asked for, once the command line and the target are read. */
export interface RunRequest {
  readonly run: string;
  readonly target: Target;
  readonly selection: Selection | null;
  readonly selected: readonly RequirementId[] | null;
  readonly writes: boolean;
  /** ISO date. */
  readonly asOf: string;
  readonly includes: readonly ('ban' | 'day-quota')[];
  readonly acceptance?: Acceptance;
  /** The build of the server, where one was named. */
  readonly label?: string;
  /** What to search beyond the suites' requests; absent where nothing is. */
  readonly explore?: ExploreRequest;
  /** Suites of somebody's own that are run beside; absent where none were named. */
  readonly own?: OwnRequest;
  /** The command that repeats the run, without any key. */
  readonly command: string;
}

/** The first record of a run's log. */
export function headerOf(request: RunRequest): LogHeader {
  const { run, target, selection, selected, writes, asOf, includes, acceptance, label, own, command } = request;
  const contract = loadContract();
  const plans = planNames.filter((name) => target.keys[name]);
  return {
    type: 'header',
    schemaVersion: LOG_SCHEMA_VERSION,
    run,
    kit: kit(),
    interface: { version: contract.interfaceVersion, removalDate: contract.removalDate },
    contract: contract.hash,
    ledger: loadLedger().hash,
    target: {
      name: target.name,
      baseUrl: target.baseUrl,
      windows: target.windows,
      production: target.production,
      exclusive: target.exclusive,
      figures: Object.fromEntries(plans.flatMap((name) => (target.plans[name] ? [[name, target.plans[name]]] : []))),
    },
    scope: { plans, suiteKey: target.suiteKey, selection, selected, writes, asOf, includes },
    ...(acceptance && { acceptance }),
    startedAt: new Date().toISOString(),
    ...(label !== undefined && { label }),
    ...(own && { own: { rows: own.rows, hash: own.hash, decide: own.decide } }),
    command,
  };
}
