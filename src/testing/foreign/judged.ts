import assert from 'node:assert/strict';
import { loadLedger } from '../../base/interface/ledger.js';
import { judgeWithoutPlaywright } from '../../proof/selftest/judge-by-suites.js';
import { buildTarget } from '../../wire/targets/build-target.js';
import type { Results } from '../../outcome/results/results.js';
import type { Outcome } from '../../judge/verdict.js';
import {
  ALLOWANCES,
  DEFAULTS,
  type ForeignOptions,
  type ForeignPlan,
  type ForeignServer,
} from './foreign-server.js';

type StartForeign = (options?: ForeignOptions) => Promise<ForeignServer>;

/** Describes a server as a target file would, including the settings of load profiles. */
export const targetOf = (server: ForeignServer, plan: ForeignPlan, options: ForeignOptions = {}) =>
  buildTarget(
    {
      name: 'foreign',
      baseUrl: server.baseUrl,
      keys: server.keys,
      suiteKey: plan,
      plans: { enterprise: ALLOWANCES.enterprise },
      windows: {
        minute: options.minuteSeconds ?? DEFAULTS.minuteSeconds,
        day: options.daySeconds ?? DEFAULTS.daySeconds,
      },
    },
    () => ({}),
    '.',
  );

/** Expected verdict; two runs must have equal outcomes. */
interface Expectation {
  readonly options?: ForeignOptions;
  readonly failed?: readonly string[];
  readonly warned?: readonly string[];
  /** Allows inconclusive rows: where much is broken, the rows that depend on it cannot be judged. */
  readonly leavesOpen?: boolean;
}

/** Most requests of the suites per key: a Free key's minute, or a quarter of a Business key's. */
export const THRIFT = { free: 60, business: 250 } as const;

/** Judges two new servers, and compares both verdicts with the expectation. */
export async function assertJudged(
  start: StartForeign,
  plan: ForeignPlan,
  { options, failed = [], warned = [], leavesOpen = false }: Expectation = {},
) {
  const judged = await judge(start, plan, options);
  assert.deepEqual(
    { ...judged, failed: [...judged.failed].sort(), warned: [...judged.warned].sort() },
    {
      ...judged,
      verdict: failed.length > 0 ? 'non-conformant' : 'conformant',
      failed: [...failed].sort(),
      warned: [...warned].sort(),
      faulty: [],
      ...(leavesOpen ? {} : { unestablished: [] }),
    },
    judged.account,
  );
  const again = await judge(start, plan, options);
  assert.deepEqual(again.outcomes, judged.outcomes, `a second run came to other outcomes:\n${again.account}`);
  return judged;
}

/** Starts a server, runs all suites against it with a plan's key, and stops it. */
async function judge(start: StartForeign, plan: ForeignPlan, options: ForeignOptions = {}) {
  const server = await start(options);
  try {
    return judgedOf(await judgeWithoutPlaywright(targetOf(server, plan, options)), plan);
  } finally {
    await server.close();
  }
}

const OF_LOAD: ReadonlySet<string> = new Set(
  loadLedger().requirements.flatMap(({ id, judgedBy }) => (judgedBy.kind === 'load' ? [id] : [])),
);

/** Returns the verdict of the suites on a server; ids are in the order of the interface. */
function judgedOf({ verdict, requirements, requests }: Results, plan: ForeignPlan) {
  const idsOf = (outcome: Outcome) =>
    requirements.filter((row) => row.outcome === outcome).map(({ id }) => id);
  return {
    verdict,
    failed: idsOf('failed'),
    warned: idsOf('warned'),
    faulty: idsOf('error'),
    /** Musts and shoulds that were in scope and inconclusive. */
    unestablished: requirements
      .filter(({ outcome, level }) => outcome === 'inconclusive' && level !== 'open' && level !== 'may')
      .map(({ id }) => id),
    /** Outcomes to compare two runs. Rows of limits depend on where in a window the suites' own traffic fell. */
    outcomes: Object.fromEntries(
      requirements.filter(({ id }) => !OF_LOAD.has(id)).map(({ id, outcome }) => [id, outcome]),
    ),
    /** Requests with the key. */
    keyed: requests.byKey[plan] ?? 0,
    /** Every problem in words, as the message of a failing test. */
    account: requirements
      .filter(({ outcome }) => ['failed', 'warned', 'inconclusive', 'error'].includes(outcome))
      .flatMap(({ id, outcome, reason, findings }) => [
        `${outcome}  ${id}  ${reason?.text ?? ''}`,
        // One of several equal findings is enough.
        ...new Set(findings.map(({ message, expected, actual }) => `${message}: ${expected} / ${actual}`)),
      ])
      .join('\n'),
  };
}
