import { otherOrigin } from '../drive/client-scenarios/recorded-server.js';
import { redirects, refusing } from '../drive/client-scenarios/refusals.js';
import type { Refusals } from '../drive/client-scenarios/refusals-shape.js';
import { judgeClient } from '../judge/clients/judge-client.js';
import { SHORTEST_GRACE_MS } from '../judge/clients/timing.js';
import { serviceJudge, withRowsNotShown } from '../judge/service/judge-service.js';
import type { Journal } from '../log/journal.js';
import type { Obstacle } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';
import type { ClientExchange, TrafficFacts } from '../wire/exchange/client-exchange.js';
import { now } from '../wire/exchange/connection.js';
import { addressChanges, changeWords } from '../wire/exchange/host-address.js';
import { outOfScope } from '../wire/exchange/recorded.js';
import { MetSecrets } from '../wire/exchange/met-secrets.js';
import { CredentialReader } from '../wire/exchange/request-credential.js';
import type { Passed } from '../wire/proxy/passed.js';
import { recordOf } from '../wire/proxy/record.js';
import { serveProxy } from '../wire/proxy/serve.js';
import { keysIn, namedKeys } from '../wire/targets/keys.js';
import type { Target } from '../wire/targets/target.js';
import { whileCommandRuns, type UnderTest } from './command-under-test.js';
import { atRest, soonAfter } from './proxy-later.js';
import { recording } from './recording.js';
import { keysInEnvironment, logTraffic, trafficIds } from './traffic-log.js';

interface ProxyRun extends UnderTest {
  /** Its host is resolved. */
  readonly target: Target;
  readonly port: number;
  readonly host: string;
  readonly keepHost: boolean;
  /** What the proxy answers in the target's place; null to pass everything on. */
  readonly refusals: Refusals | null;
  readonly directory: string;
  readonly command: string;
  /** Reason why the run cannot start; null if the target answers. */
  readonly obstacle: Obstacle | null;
  readonly onListening: (baseUrl: string) => void;
}

/** The record that the run writes; a run of the proxy has one. */
const NTH = 1;

/**
 * Passes traffic on until the signal or the end of the command, judges both sides, and returns the log. Each
 * exchange is logged as soon as it is over. Throws UsageError for a bad command, and what `listen` throws.
 */
export async function runProxy(run: ProxyRun): Promise<RunLog> {
  const { target, directory, command, obstacle } = run;
  const secrets = [...keysIn(target), ...keysInEnvironment(run.env)];
  const met = new MetSecrets();
  return logTraffic(
    { directory, secrets, met, target, sides: ['service', 'client'], command, obstacle },
    (journal, learn) => passAndJudge(run, { journal, learn, secrets: met }),
  );
}

interface Log {
  readonly journal: Journal;
  readonly learn: (key: string) => void;
  readonly secrets: MetSecrets;
}

/** Returns why the run was cut short: an interrupt ends a command before its time. Null for a whole run. */
async function passAndJudge(run: ProxyRun, { journal, learn, secrets }: Log): Promise<string | null> {
  const { target, words, signal } = run;
  const basePath = new URL(target.baseUrl).pathname;
  const startedAt = now();
  const facts: TrafficFacts = { source: 'proxy', basePath, graceMs: SHORTEST_GRACE_MS };
  const reader = new CredentialReader(
    Object.fromEntries(namedKeys(target).map(([name, key]) => [name, key.reveal()] as const)),
    learn,
  );
  const record = recording(journal, NTH, facts);
  const service = serviceJudge(facts);
  const ofService = atRest((exchange: ClientExchange) => service.add(exchange));
  const take = (exchange: ClientExchange): void => {
    const { request, credential } = exchange;
    const reason = outOfScope(request, { basePath, hasKey: credential.key.kind !== 'none' });
    if (reason !== null) record.leaveOut(reason);
    else if (record.add(exchange)) ofService.add(exchange);
  };
  const nextId = trafficIds();
  const later = soonAfter((passed: Passed) => {
    take(recordOf(passed, nextId(), { reader, secrets, maxBytes: target.http.maxBodyBytes }));
  });
  await using elsewhere =
    run.refusals !== null && redirects(run.refusals)
      ? await otherOrigin({ clock: now, reader, secrets, nextId, onExchange: take })
      : null;
  const proxy = await serveProxy({
    target,
    port: run.port,
    host: run.host,
    keepHost: run.keepHost,
    mostKept: target.http.maxBodyBytes,
    shortestGraceMs: SHORTEST_GRACE_MS,
    intervene:
      run.refusals === null
        ? undefined
        : refusing(run.refusals, {
            reader,
            basePath,
            clock: now,
            graceMs: () => proxy.graceMs(),
            elsewhere: elsewhere?.origin ?? null,
          }),
    onRefused: (reason) => record.leaveOut(reason),
    onPassed: (passed) => later.add(passed),
  });
  try {
    const baseUrl = `${proxy.origin}${basePath}`;
    run.onListening(baseUrl);
    const { command, finished } = await whileCommandRuns(run, {
      baseUrl,
      key: target.keys[target.suiteKey]?.reveal(),
      scenario: 'proxy',
    });
    const endedAt = now();
    // The record holds what is under way as well.
    await proxy[Symbol.asyncDispose]();
    later.flush();
    const traffic = record.end({ endedAt, finished, graceMs: proxy.graceMs() }, command);
    ofService.end();
    for (const finding of [
      ...withRowsNotShown(service.findings(traffic.exchanges)),
      ...judgeClient([traffic]),
    ])
      journal.append({ type: 'finding', finding });
    for (const change of addressChanges(startedAt))
      journal.append({ type: 'remark', text: changeWords(change) });
  } finally {
    await proxy[Symbol.asyncDispose]();
  }
  return words !== null && signal.aborted ? 'interrupted' : null;
}
