import { randomBytes } from 'node:crypto';
import { loadContract } from '../contract/contract.js';
import { loadLedger } from '../contract/ledger.js';
import { kitVersion } from '../contract/package-root.js';
import { createResponseValidator } from '../contract/response-validator.js';
import type { PlanName } from '../contract/types.js';
import type { HttpLimits } from '../exchange/connection.js';
import { redactor } from '../exchange/redact.js';
import { createSender } from '../exchange/sender.js';
import { fileJournal, memoryJournal } from '../log/journal.js';
import { untilLogged } from '../log/follow.js';
import { readLog } from '../log/read.js';
import type { LogRecord } from '../log/record.js';
import { readTargetFile } from '../target/load-target.js';
import { planOf } from '../target/target.js';
import type { TargetFigures } from '../checks/rate-headers.js';
import { createBench } from './bench.js';
import type { Bench } from './bench.js';
import { removalPhaseAt } from './removal.js';
import type { RemovalPhase } from './removal.js';
import { KEYS_VARIABLE, ORDER_VARIABLE, TARGET_VARIABLE } from './variables.js';

/** What `run` hands to its Playwright process, in the environment; keys travel apart from it. */
export interface WorkerOrder {
  readonly log: string;
  readonly run: string;
  readonly baseUrl: string;
  readonly plan: PlanName;
  readonly writes: boolean;
  readonly exclusive: boolean;
  readonly figures: TargetFigures;
  readonly limits: HttpLimits;
  readonly removal: RemovalPhase;
  readonly asOf: string;
}

/** Whether this process was started by `run`. */
export const isUnderRun = (env: NodeJS.ProcessEnv): boolean => env[ORDER_VARIABLE] !== undefined;

/** The kit as it names itself in every request. */
export const kit = () => ({ name: 'petstore-conformance', version: kitVersion() });

/** The layers' tools, built once a process. */
export function judging() {
  const contract = loadContract();
  return { contract, validator: createResponseValidator(contract) };
}

/**
 * The bench of a Playwright worker: under `run` it goes on with the run's log and what that knows already, started by
 * hand it reads the target that PETSTORE_TARGET names. Throws ConfigError, LogError; by hand, closing throws an Error where
 * an answer broke what no test states.
 */
export async function openWorkerBench(
  env: NodeJS.ProcessEnv,
): Promise<{ readonly bench: Bench; readonly close: () => Promise<void> }> {
  return isUnderRun(env) ? benchOfRun(env) : benchOfTarget(env);
}

async function benchOfRun(env: NodeJS.ProcessEnv) {
  const order = JSON.parse(env[ORDER_VARIABLE] ?? '{}') as WorkerOrder;
  const keys = JSON.parse(env[KEYS_VARIABLE] ?? '[]') as readonly string[];
  // The worker is started beside preflight, so that nobody waits for it; until preflight is over, that one writes.
  await untilLogged(order.log, (record) => record.type === 'phase' && record.phase === 'suites');
  const known = (await readLog(order.log)).exchanges;
  const sender = createSender(
    { baseUrl: order.baseUrl, run: order.run, kit: kit(), limits: order.limits },
    known.length + 1,
  );
  const journal = fileJournal(order.log, redactor(keys));
  const bench = createBench({ ...order, sender, journal, judging: judging(), key: keys[0] ?? '', known });
  return { bench, close: async () => (await sender.close(), journal.close()) };
}

async function benchOfTarget(env: NodeJS.ProcessEnv) {
  const target = readTargetFile(env[TARGET_VARIABLE] ?? 'staging', env);
  const contract = loadContract();
  const run = newRunId();
  const sender = createSender({ baseUrl: target.baseUrl, run, kit: kit(), limits: target.http });
  const journal = memoryJournal();
  const bench = createBench({
    sender,
    journal,
    judging: judging(),
    run,
    plan: target.suiteKey,
    key: target.keys[target.suiteKey]?.reveal() ?? '',
    writes: target.writes,
    exclusive: target.exclusive,
    baseUrl: target.baseUrl,
    figures: { plan: planOf(target, target.suiteKey), windows: target.windows },
    removal: removalPhaseAt(contract.removalDate, Date.now()),
    asOf: new Date().toISOString().slice(0, 10),
    known: [],
  });
  const close = async () => {
    await sender.close();
    const broken = brokenOnTheWay(journal.records);
    if (broken.length > 0) throw new Error(bench.redact(`not kept by every answer\n${broken.join('\n')}`));
  };
  return { bench, close };
}

/** The musts that are judged on every answer and have no test of their own, where one was violated: the first violation of each. */
function brokenOnTheWay(records: readonly LogRecord[]): readonly string[] {
  const rows = loadLedger().requirements.filter(
    // That a valid key is taken shows on the way of every row, after its own has been judged.
    ({ id, level, judgedBy }) => level === 'must' && (judgedBy.kind === 'passive' || id === 'auth-valid-key'),
  );
  return rows.flatMap(({ id }) => {
    const first = records.find(
      (record) => record.type === 'finding' && record.finding.requirement === id && record.finding.kind === 'violated',
    );
    return first?.type === 'finding' && first.finding.kind === 'violated' ? [`${id}: ${first.finding.message}`] : [];
  });
}

/** Eight hexadecimal digits. */
export const newRunId = (): string => randomBytes(4).toString('hex');
