import { randomBytes } from 'node:crypto';
import { clientScenarios, type ClientScenario } from '../base/interface/names.js';
import { loadLedger } from '../base/interface/ledger.js';
import type { ClientRow } from '../base/interface/requirement-ids.js';
import { play } from '../drive/client-scenarios/play.js';
import { scenarioOf } from '../drive/client-scenarios/scenarios.js';
import type { Traffic } from '../wire/exchange/client-exchange.js';
import { judgeClient } from '../judge/clients/judge-client.js';
import { about, unestablished, type Finding } from '../judge/findings/finding.js';
import { counted, duration, listed } from '../base/kernel/format.js';
import type { Journal } from '../log/journal.js';
import type { RunLog } from '../log/run-log.js';
import { FULL_WINDOWS } from '../base/interface/plans.js';
import { MetSecrets } from '../wire/exchange/met-secrets.js';
import { secret } from '../wire/targets/secret.js';
import { whileCommandRuns, type UnderTest } from './command-under-test.js';
import { plannedEmbedded } from './embedded.js';
import { recording } from './recording.js';
import { keysInEnvironment, logTraffic, trafficIds } from './traffic-log.js';

/** Time of a client in one scenario, ms: twice what long backoff needs in the longest one. */
export const MOST_MS = 60_000;

/**
 * A run that judges a client against the reference server. The command is started once for each scenario;
 * without one, the signal ends the only scenario.
 */
interface ClientRun extends UnderTest {
  readonly name: string;
  /** All scenarios, or the selected ones. */
  readonly scenarios: readonly ClientScenario[];
  /** Time for the command in each scenario, ms. */
  readonly mostMs: number;
  readonly directory: string;
  readonly command: string;
  readonly onListening: (place: {
    readonly scenario: ClientScenario;
    readonly baseUrl: string;
    readonly key: string;
  }) => void;
}

/**
 * Plays the scenarios one after another, judges the client, and returns the log. Throws UsageError for a bad
 * command.
 */
export async function runClient(run: ClientRun): Promise<RunLog> {
  const { scenarios, signal, words, directory, command } = run;
  const key = clientKey();
  const records: Traffic[] = [];
  const hung: ClientScenario[] = [];
  const isCut = (): boolean => signal.aborted && words !== null;
  const isWhole = scenarios.length === clientScenarios.length;
  const secrets = new MetSecrets();
  const traffic = {
    directory,
    secrets: [key, ...keysInEnvironment(run.env)],
    met: secrets,
    target: {
      ...plannedEmbedded({}),
      name: run.name,
      baseUrl: 'http://127.0.0.1/v1',
      windows: FULL_WINDOWS,
      keys: { business: secret(key) },
      suiteKey: 'business',
    },
    sides: ['client'],
    ...(!isWhole && { selection: { clientScenarios: scenarios }, selected: rowsIn(scenarios) }),
    command,
  } as const;
  return logTraffic(traffic, async (journal, onUnknownKey) => {
    const nextId = trafficIds();
    for (const [at, scenario] of scenarios.entries()) {
      if (isCut()) break;
      const { record, isHung } = await playOne(run, scenario, {
        nth: at + 1,
        key,
        journal,
        nextId,
        onUnknownKey,
        secrets,
      });
      records.push(record);
      if (isHung) hung.push(scenario);
    }
    for (const finding of [...judgeClient(records, rowsIn(scenarios)), ...doubtsOf(hung, run.mostMs)])
      journal.append({ type: 'finding', finding });
    return isCut() ? 'interrupted' : null;
  });
}

/** What a client that hangs would have done next is unknown, so the rows of its scenarios stay open. */
function doubtsOf(hung: readonly ClientScenario[], mostMs: number): readonly Finding[] {
  const where = hung.length > MOST_NAMED ? counted(hung.length, 'scenario') : listed(hung);
  const text = `the client did not end in ${where}, and was ended after ${duration(mostMs)}`;
  return rowsIn(hung).map((row) => about(row, unestablished('did-not-end', text)));
}

/** Most scenarios that a sentence names. */
const MOST_NAMED = 3;

/** Returns a key as the service issues them. It holds no ordinary word. */
const clientKey = (): string => `pk${randomBytes(24).toString('hex')}`;

export const rowsIn = (scenarios: readonly ClientScenario[]): readonly ClientRow[] =>
  loadLedger().ofClients.flatMap(({ id, judgedBy }) =>
    judgedBy.kind === 'client' && judgedBy.scenarios.some((each) => scenarios.includes(each))
      ? [id as ClientRow]
      : [],
  );

interface Scene {
  readonly nth: number;
  readonly key: string;
  readonly journal: Journal;
  readonly nextId: () => string;
  readonly onUnknownKey: (key: string) => void;
  readonly secrets: MetSecrets;
}

async function playOne(
  run: ClientRun,
  name: ClientScenario,
  { nth, key, journal, nextId, onUnknownKey, secrets }: Scene,
): Promise<{ readonly record: Traffic; readonly isHung: boolean }> {
  // Nothing is sent before the address is known.
  await using stage = await play(scenarioOf(name), {
    key,
    nextId,
    onUnknownKey,
    secrets,
    onExchange: (exchange) => void record.add(exchange),
  });
  const record = recording(journal, nth, stage.facts);
  run.onListening({ scenario: name, baseUrl: stage.baseUrl, key });
  const { command, finished } = await whileCommandRuns(run, {
    baseUrl: stage.baseUrl,
    key,
    scenario: name,
    most: run.mostMs,
  });
  return { record: record.end(await stage.end(finished), command), isHung: command?.timedOut === true };
}
