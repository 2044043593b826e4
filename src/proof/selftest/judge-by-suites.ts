import { loadLedger } from '../../base/interface/ledger.js';
import { runWithoutPlaywright } from '../../drive/suite/plain-host.js';
import type { Target } from '../../wire/targets/target.js';
import { resultsOf, type Results } from '../../outcome/results/results.js';

export async function judgeWithoutPlaywright(target: Target, asOf?: string): Promise<Results> {
  return resultsOf(
    await runWithoutPlaywright(target, asOf === undefined ? {} : { asOf }),
    loadLedger().requirements,
  );
}
