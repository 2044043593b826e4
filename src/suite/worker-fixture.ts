import { randomBytes } from 'node:crypto';
import { loadContract } from '../contract/contract.js';
import { createResponseValidator } from '../contract/response-validator.js';
import type { PlanName } from '../contract/types.js';
import type { HttpLimits } from '../exchange/connection.js';
import { redactor } from '../exchange/redact.js';
import { createSender } from '../exchange/sender.js';
import { fileJournal } from '../log/journal.js';
import { untilLogged } from '../log/follow.js';
import { readLog } from '../log/read.js';
import { surplusFinding } from '../checks/passive.js';
import type { TargetFigures } from '../checks/rate-headers.js';
import { createFixture, type Fixture } from './fixture.js';
import type { RemovalPhase } from '../contract/removal-phase.js';
import { KEYS_VARIABLE, ORDER_VARIABLE } from './variables.js';
import { kit } from '../contract/package.js';

/** Data that `run` passes to its Playwright process in the environment, without keys. */
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

/** Is true if `run` started this process. */
export const isUnderRun = (env: NodeJS.ProcessEnv): boolean => env[ORDER_VARIABLE] !== undefined;

/** Creates the tools of the layers once per process. */
export function judging() {
  const contract = loadContract();
  return { contract, validator: createResponseValidator(contract) };
}

/** Opens the fixture of a Playwright worker of `run`, which continues the run's log and its state. Throws LogError. */
export async function openWorkerFixture(
  env: NodeJS.ProcessEnv,
): Promise<{ readonly fixture: Fixture; readonly close: () => Promise<void> }> {
  const order = JSON.parse(env[ORDER_VARIABLE] ?? '{}') as WorkerOrder;
  const keys = JSON.parse(env[KEYS_VARIABLE] ?? '[]') as readonly string[];
  // The worker starts during preflight, to save time; until its end only preflight writes.
  await untilLogged(order.log, (record) => record.type === 'phase' && record.phase === 'suites');
  const known = (await readLog(order.log)).exchanges;
  const redact = redactor(keys);
  const journal = fileJournal(order.log, redact);
  const sender = createSender(
    {
      baseUrl: order.baseUrl,
      run: order.run,
      kit: kit(),
      limits: order.limits,
      onSurplus: (after) => journal.append({ type: 'finding', finding: surplusFinding(after) }),
    },
    known.length + 1,
  );
  const fixture = createFixture({ ...order, sender, journal, judging: judging(), key: keys[0] ?? '', known, redact });
  return { fixture, close: async () => (await sender.close(), journal.close()) };
}

/** Returns eight hexadecimal digits. */
export const newRunId = (): string => randomBytes(4).toString('hex');
