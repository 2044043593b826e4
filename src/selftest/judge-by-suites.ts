import { loadLedger } from '../contract/ledger.js';
import { runWithoutPlaywright } from '../suite/plain-host.js';
import type { Target } from '../targets/target.js';
import { resultsOf, type Results } from '../verdict/results.js';

/** Returns the results of the suites against a target, without Playwright. */
export async function judgeWithoutPlaywright(target: Target, asOf?: string): Promise<Results> {
  return resultsOf(await runWithoutPlaywright(target, asOf === undefined ? {} : { asOf }), loadLedger().requirements);
}
