import type { Comparison as Compared } from '../../outcome/acceptance/compare.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { RunLog } from '../../log/run-log.js';
import type { Proof } from '../proof.js';
import type { RunDocument } from '../run-document.js';

export interface Comparison
  extends
    Pick<Compared, 'against' | 'changes'>,
    Partial<Pick<Compared, 'remarks' | 'isOfOthers' | 'environments'>> {
  /** Address of that run's page, relative to this one; absent where it has none. */
  readonly place?: string;
}

export interface PageInput {
  readonly document: RunDocument;
  readonly log: RunLog;
  readonly proof?: Proof | null;
  readonly comparison?: Comparison | null;
  /** Returns a command line that repeats an exchange, with the variable or file of the key. */
  readonly curlOf: (exchange: Exchange) => string;
}
