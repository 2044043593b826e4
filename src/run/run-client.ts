import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { clientScenarios, type ClientScenario } from '../base/interface/names.js';
import { loadLedger } from '../base/interface/ledger.js';
import type { ClientRow } from '../base/interface/requirement-ids.js';
import { play } from '../drive/weather/play.js';
import { scenarioOf } from '../drive/weather/scenarios.js';
import type { ClientExchange, Traffic, TrafficEnd } from '../wire/exchange/client-exchange.js';
import { redactor, type Redacted } from '../wire/exchange/redact.js';
import { faultReason, faultText } from '../judge/findings/finding.js';
import { judgeClient } from '../judge/clients/judge-client.js';
import { headerOf } from '../log/header.js';
import { fileJournal, type Journal } from '../log/journal.js';
import { FILES } from '../log/files.js';
import { readOwnLog } from '../log/read.js';
import { newSecret, receivedBeside } from '../log/received.js';
import type { CommandEnd, LogHeader, LogRecord } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';
import { FULL_WINDOWS } from '../base/interface/plans.js';
import { secret } from '../wire/targets/secret.js';
import { runCommandUnderTest } from './command-under-test.js';
import { plannedEmbedded } from './embedded.js';

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
  readonly onRecord: (record: Redacted<LogRecord>) => void;
  /** Called when a scenario's server listens. */
  readonly onListening: (place: {
    readonly scenario: ClientScenario;
    readonly baseUrl: string;
    readonly key: string;
  }) => void;
}

/** Plays the scenarios one after another, judges the client, and returns the log. Throws UsageError for a bad command. */
export async function runClient(run: ClientRun): Promise<RunLog> {
  const { directory, scenarios, signal, onRecord } = run;
  const key = clientKey();
  const file = resolve(directory, FILES.log);
  const received = receivedBeside(file, newSecret());
  const journal = fileJournal(file, redactor([key, ...keysIn(run.env)], [run.name]), onRecord, received);
  journal.append(clientHeader(run, key));
  const records: Traffic[] = [];
  let fault: string | undefined;
  try {
    const counted = counter();
    for (const [at, scenario] of scenarios.entries()) {
      if (signal.aborted && run.words !== null) break;
      records.push(await playOne(run, scenario, { nth: at + 1, key, journal, nextId: counted }));
    }
    for (const finding of judgeClient(records, rowsIn(scenarios))) journal.append({ type: 'finding', finding });
  } catch (error) {
    // A command that cannot start is the user's to mend, and leaves no run.
    if (error instanceof Error && error.name === 'UsageError') throw error;
    fault = faultText(error);
  }
  const isCut = signal.aborted && run.words !== null;
  journal.append({
    type: 'footer',
    complete: fault === undefined && !isCut,
    reason: fault === undefined ? (isCut ? 'interrupted' : null) : faultReason(fault),
    finishedAt: new Date().toISOString(),
    ...(fault !== undefined && { fault }),
  });
  journal.close();
  received.remove();
  return readOwnLog(file);
}

/** Returns the keys in the usual variables: the command under test gets them too, and may print them. */
const keysIn = (env: NodeJS.ProcessEnv): readonly string[] =>
  Object.entries(env).flatMap(([name, value]) => (/^PETSTORE_.*KEY$/.test(name) && value ? [value] : []));

/** Returns a key as the service issues them. It holds no ordinary word. */
const clientKey = (): string => `pk${randomBytes(24).toString('hex')}`;

function counter(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `t${count}`;
  };
}

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
  const { end, command } = await whileClientRuns(run, name, { baseUrl: stage.baseUrl, key }, stage.end);
  isOpen = false;
  journal.append({ type: 'traffic-end', nth, end, ...(command && { command }) });
  return { ...stage.facts, exchanges, end };
}

async function whileClientRuns(
  { words, env, signal }: ClientRun,
  scenario: ClientScenario,
  { baseUrl, key }: { readonly baseUrl: string; readonly key: string },
  endOf: (finished: boolean) => TrafficEnd,
): Promise<{ readonly end: TrafficEnd; readonly command: CommandEnd | null }> {
  if (words === null) {
    if (!signal.aborted) await once(signal, 'abort');
    return { end: endOf(false), command: null };
  }
  const { command, finished } = await runCommandUnderTest(words, {
    env: { ...env, PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: key, PETSTORE_SCENARIO: scenario },
    most: MOST_MS,
    signal,
  });
  return { end: endOf(finished), command };
}

/** Returns the first record of the log. */
function clientHeader({ name, scenarios, command }: ClientRun, key: string): LogHeader {
  const isWhole = scenarios.length === clientScenarios.length;
  return headerOf({
    run: randomBytes(4).toString('hex'),
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
    writes: true,
    asOf: new Date().toISOString().slice(0, 10),
    includes: [],
    command,
  });
}
