import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { clientScenarios, type ClientScenario } from '../base/interface/names.js';
import { loadLedger } from '../base/interface/ledger.js';
import type { ClientRow } from '../base/interface/requirement-ids.js';
import { play } from '../drive/weather/play.js';
import { scenarioOf } from '../drive/weather/scenarios.js';
import type { ClientExchange, Traffic } from '../wire/exchange/client-exchange.js';
import { redactor } from '../wire/exchange/redact.js';
import { judgeClient } from '../judge/clients/judge-client.js';
import { fileJournal, type Journal } from '../log/journal.js';
import { FILES } from '../log/files.js';
import { readOwnLog } from '../log/read.js';
import type { LogHeader } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';
import { FULL_WINDOWS } from '../base/interface/plans.js';
import { secret } from '../wire/targets/secret.js';
import { whileCommandRuns } from './command-under-test.js';
import { plannedEmbedded } from './embedded.js';
import { keysInEnvironment, trafficHeader, trafficIds, writeTrafficLog } from './traffic-log.js';

/** Time of a client in one scenario, ms: twice what long backoff needs in the longest one. */
const MOST_MS = 60_000;

/** A run that judges a client against the reference server. */
export interface ClientRun {
  /** Name of the client in reports. */
  readonly name: string;
  /** All scenarios, or the selected ones. */
  readonly scenarios: readonly ClientScenario[];
  /** Command that is started once for each scenario; null to wait for the signal in the only one. */
  readonly words: readonly string[] | null;
  readonly directory: string;
  /** The line that repeats this run. */
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Called when a scenario's server listens. */
  readonly onListening: (place: {
    readonly scenario: ClientScenario;
    readonly baseUrl: string;
    readonly key: string;
  }) => void;
}

/** Plays the scenarios one after another, judges the client, and returns the log. Throws UsageError for a bad command. */
export async function runClient(run: ClientRun): Promise<RunLog> {
  const { scenarios, signal, words } = run;
  const key = clientKey();
  const file = resolve(run.directory, FILES.log);
  const journal = fileJournal(file, redactor([key, ...keysInEnvironment(run.env)], [run.name]));
  const records: Traffic[] = [];
  const isCut = (): boolean => signal.aborted && words !== null;
  await writeTrafficLog({ journal, header: headerFor(run, key) }, async () => {
    const nextId = trafficIds();
    for (const [at, scenario] of scenarios.entries()) {
      if (isCut()) break;
      records.push(await playOne(run, scenario, { nth: at + 1, key, journal, nextId }));
    }
    for (const finding of judgeClient(records, rowsIn(scenarios))) journal.append({ type: 'finding', finding });
    return isCut() ? 'interrupted' : null;
  });
  return readOwnLog(file);
}

/** Returns a key as the service issues them. It holds no ordinary word. */
const clientKey = (): string => `pk${randomBytes(24).toString('hex')}`;

/** Rows that at least one of these scenarios can show. */
export const rowsIn = (scenarios: readonly ClientScenario[]): readonly ClientRow[] =>
  loadLedger().ofClients.flatMap(({ id, judgedBy }) =>
    judgedBy.kind === 'client' && judgedBy.scenarios.some((each) => scenarios.includes(each)) ? [id as ClientRow] : [],
  );

interface Scene {
  readonly nth: number;
  readonly key: string;
  readonly journal: Journal;
  readonly nextId: () => string;
}

/** Plays one scenario to its end, and returns its record. */
async function playOne(run: ClientRun, name: ClientScenario, { nth, key, journal, nextId }: Scene): Promise<Traffic> {
  const exchanges: ClientExchange[] = [];
  let isOpen = true;
  await using stage = await play(scenarioOf(name), {
    key,
    nextId,
    onExchange(exchange) {
      // What ends with the server is no request that was answered.
      if (!isOpen) return;
      exchanges.push(exchange);
      journal.append({ type: 'client-exchange', nth, exchange });
    },
  });
  journal.append({ type: 'traffic', nth, facts: stage.facts });
  run.onListening({ scenario: name, baseUrl: stage.baseUrl, key });
  const { command, finished } = await whileCommandRuns(
    { ...run, most: MOST_MS },
    { baseUrl: stage.baseUrl, key, scenario: name },
  );
  const end = stage.end(finished);
  isOpen = false;
  journal.append({ type: 'traffic-end', nth, end, ...(command && { command }) });
  return { ...stage.facts, exchanges, end };
}

/** Returns the first record of the log. */
function headerFor({ name, scenarios, command }: ClientRun, key: string): LogHeader {
  const isWhole = scenarios.length === clientScenarios.length;
  return trafficHeader({
    target: {
      ...plannedEmbedded({}),
      name,
      baseUrl: 'http://127.0.0.1/v1',
      windows: FULL_WINDOWS,
      keys: { business: secret(key) },
      suiteKey: 'business',
    },
    sides: ['client'],
    selection: isWhole ? null : { clientScenarios: scenarios },
    selected: isWhole ? null : rowsIn(scenarios),
    command,
  });
}
