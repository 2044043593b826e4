import { loadLedger } from '../../base/interface/ledger.js';
import { loadPlans } from '../../base/interface/plans.js';
import { startAltered, type AlteredOptions } from '../../proof/index.js';
import { runWithoutPlaywright, type PlainRun } from './plain-host.js';
import { secret } from '../../wire/targets/secret.js';
import type { Target } from '../../wire/targets/target.js';
import { resultsOf, type Results } from '../../outcome/results/results.js';

const BEFORE = '2026-11-20';

interface Outcome {
  readonly results: Results;
  /** Requests with a valid key as the server counted them. */
  readonly keyed: number;
  /** Creations that the server received, with any identity. */
  readonly creations: number;
  readonly created: readonly { readonly id: string; readonly name: string }[];
}

/** Runs the suites, or some rows, against a reference server. */
export async function judge(
  server: Partial<AlteredOptions>,
  run: PlainRun = {},
  changes: Partial<Target> = {},
): Promise<Outcome> {
  const reference = await startAltered(server);
  const { free, pro, business } = loadPlans();
  const target: Target = {
    name: 'reference',
    baseUrl: reference.baseUrl,
    keys: { free: secret(reference.keys.free), business: secret(reference.keys.business) },
    suiteKey: 'business',
    plans: { free, pro, business },
    windows: { minute: 60, day: 86_400 },
    production: false,
    writes: true,
    exclusive: true,
    ban: { maxRequests: 60, perSecond: 10 },
    // At a low priority the process may stand still for longer than a user's timeout.
    http: { timeoutMs: 120_000, maxBodyBytes: 1_048_576 },
    ...changes,
  };
  try {
    const log = await runWithoutPlaywright(target, { asOf: BEFORE, ...run });
    const results = resultsOf(log, loadLedger().requirements);
    const creations = reference.requestsByPath()['POST /v1/pets'] ?? 0;
    return { results, keyed: reference.requestsByKey()[target.suiteKey], creations, created: log.created };
  } finally {
    await reference.close();
  }
}

/** Rows in scope with another outcome than passed or observed, with the reason's code. */
export const remarkable = ({ requirements }: Results): Record<string, string> =>
  Object.fromEntries(
    requirements
      .filter(({ outcome, reason }) => {
        const isInScope = reason?.code !== 'not-selected' && reason?.code !== 'untestable';
        return isInScope && outcome !== 'passed' && outcome !== 'observed';
      })
      .map(({ id, outcome, reason }) => [id, reason ? `${outcome}: ${reason.code}` : outcome]),
  );

export const NOT_YET = { 'get-after-removal': 'not-applicable: removal-date' };

/** Parallel runs: each mostly waits for a short page to grow. */
export const SIDE_BY_SIDE = 6;
