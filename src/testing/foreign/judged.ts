import assert from 'node:assert/strict';
import { loadLedger } from '../../contract/ledger.js';
import { judgeWithoutPlaywright } from '../../suite/plain-host.js';
import { buildTarget } from '../../targets/build-target.js';
import type { Results } from '../../verdict/results.js';
import type { Outcome, Verdict } from '../../verdict/verdict.js';
import { ALLOWANCES, DEFAULTS, type ForeignOptions, type ForeignPlan, type ForeignServer } from './foreign-server.js';

/** What the suites make of a server. */
interface Judged {
  readonly verdict: Verdict;
  /** Ids in the order of the interface. */
  readonly failed: readonly string[];
  readonly warned: readonly string[];
  /** Rows of musts and shoulds that were in scope and inconclusive. */
  readonly unestablished: readonly string[];
  readonly faulty: readonly string[];
  /** Every row of the suites with its outcome, to compare two runs. */
  readonly outcomes: Readonly<Record<string, Outcome>>;
  /** How many requests were sent with the key. */
  readonly keyed: number;
  /** All that is not as it should be, in words, for a test that fails. */
  readonly account: string;
}

/** How a server is started. */
type StartForeign = (options?: ForeignOptions) => Promise<ForeignServer>;

/** A server as a target file would describe it; what load profiles would be told as well. */
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

/** What a server must be judged to be; its outcome must be the same twice. */
interface Expectation {
  readonly options?: ForeignOptions;
  readonly failed?: readonly string[];
  readonly warned?: readonly string[];
  /** Where much is broken, what rests on it is inconclusive. */
  readonly leavesOpen?: boolean;
}

/** The most requests that the suites send with a key: a Free key's minute, or a quarter of a Business key's. */
export const THRIFT = { free: 60, business: 250 } as const;

/** Judges a server twice, each time a new one, and holds both verdicts against what is expected. */
export async function assertJudged(
  start: StartForeign,
  plan: ForeignPlan,
  { options, failed = [], warned = [], leavesOpen = false }: Expectation = {},
): Promise<Judged> {
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

/** Starts a server, runs all suites against it with a plan's key, and ends it. */
async function judge(start: StartForeign, plan: ForeignPlan, options: ForeignOptions = {}): Promise<Judged> {
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

function judgedOf({ verdict, requirements, requests }: Results, plan: ForeignPlan): Judged {
  const idsOf = (outcome: Outcome) => requirements.filter((row) => row.outcome === outcome).map(({ id }) => id);
  return {
    verdict,
    failed: idsOf('failed'),
    warned: idsOf('warned'),
    faulty: idsOf('error'),
    unestablished: requirements
      .filter(({ outcome, level }) => outcome === 'inconclusive' && level !== 'open' && level !== 'may')
      .map(({ id }) => id),
    // What the suites' own traffic tells of the limits depends on where in a window it fell.
    outcomes: Object.fromEntries(
      requirements.filter(({ id }) => !OF_LOAD.has(id)).map(({ id, outcome }) => [id, outcome]),
    ),
    keyed: requests.byKey[plan] ?? 0,
    account: requirements
      .filter(({ outcome }) => ['failed', 'warned', 'inconclusive', 'error'].includes(outcome))
      .flatMap(({ id, outcome, reason, findings }) => [
        `${outcome}  ${id}  ${reason?.text ?? ''}`,
        // One request does as well as forty that say the same.
        ...new Set(findings.map(({ message, expected, actual }) => `${message}: ${expected} / ${actual}`)),
      ])
      .join('\n'),
  };
}
