import type { CapacityLog } from '../../../log/capacity-record.js';
import type { Exchange } from '../../../exchange/types.js';
import type { RunLog } from '../../../log/run-log.js';
import type { CapacityRun } from '../../../words/capacity.js';

/** Inputs of a load run's page. */
export interface CapacityPageInput {
  readonly results: CapacityRun;
  readonly log: RunLog & { readonly capacity: CapacityLog };
  readonly curlOf: (exchange: Exchange) => string;
}
