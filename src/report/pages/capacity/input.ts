import type { CapacityLog } from '../../../log/capacity-record.js';
import type { Exchange } from '../../../exchange/types.js';
import type { RunLog } from '../../../log/run-log.js';
import type { CapacityRun } from '../../../words/capacity.js';

/** What the page of a load run is made of. */
export interface CapacityPageInput {
  readonly results: CapacityRun;
  readonly log: RunLog & { readonly capacity: CapacityLog };
  readonly curlOf: (exchange: Exchange) => string;
}
