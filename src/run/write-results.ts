import { writeFileSync } from 'node:fs';
import { loadLedger } from '../contract/ledger.js';
import type { RunLog } from '../log/run-log.js';
import { FILES } from '../report/files.js';
import { resultsJson } from '../report/machine/results-json.js';
import { resultsOf, type Results } from '../verdict/results.js';
import { ownFile } from './own-file.js';

/** Writes results.json alone: what stands there from the first moment of a run on, so that a run that is cut off is not mistaken for an older one. */
export function writeResults(directory: string, log: RunLog): Results {
  const results = resultsOf(log, loadLedger().requirements);
  writeFileSync(ownFile(directory, FILES.results), resultsJson(results));
  return results;
}
