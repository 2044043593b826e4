import { resolve } from 'node:path';
import { otherOrigin } from '../drive/weather/other-origin.js';
import { redirects, refusing } from '../drive/weather/refusals.js';
import type { Weather } from '../drive/weather/weather.js';
import { judgeClient } from '../judge/clients/judge-client.js';
import { SHORTEST_GRACE_MS } from '../judge/clients/timing.js';
import { serviceJudge, withRowsNotShown } from '../judge/service/judge-service.js';
import { FILES } from '../log/files.js';
import { fileJournal, type Journal } from '../log/journal.js';
import { readOwnLog } from '../log/read.js';
import type { Obstacle } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';
import type { ClientExchange, TrafficEnd, TrafficFacts } from '../wire/exchange/client-exchange.js';
import { now } from '../wire/exchange/connection.js';
import { redactor } from '../wire/exchange/redact.js';
import { credentialReader } from '../wire/exchange/request-credential.js';
import type { Passed } from '../wire/proxy/passed.js';
import { leftOutBecause, recordOf } from '../wire/proxy/record.js';
import { serveProxy } from '../wire/proxy/serve.js';
import { keysIn, namedKeys } from '../wire/targets/keys.js';
import type { Target } from '../wire/targets/target.js';
import { whileCommandRuns } from './command-under-test.js';
import { bounded } from './proxy-bounds.js';
import { atRest, soonAfter } from './proxy-later.js';
import { keysInEnvironment, trafficHeader, trafficIds, writeTrafficLog } from './traffic-log.js';

/** A run of the proxy: in front of a target, between its clients and it. */
export interface ProxyRun {
  /** Its host is resolved. */
  readonly target: Target;
  readonly port: number;
  readonly host: string;
  readonly keepHost: boolean;
  /** What the proxy answers in the target's place; null to pass everything on. */
  readonly weather: Weather | null;
  /** Command to run through the proxy; null to wait for the signal. */
  readonly words: readonly string[] | null;
  readonly directory: string;
  /** The line that repeats this run. */
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Reason why the run cannot start; null if the target answers. */
  readonly obstacle: Obstacle | null;
  /** Called once the proxy listens. */
  readonly onListening: (baseUrl: string) => void;
}

/** The record that the run writes; a run of the proxy has one. */
const NTH = 1;

/**
 * Passes traffic on until the signal or the end of the command, judges both sides, and returns the log. Each exchange is logged
 * as soon as it is over. Throws UsageError for a bad command, and what `listen` throws.
 */
export async function runProxy(run: ProxyRun): Promise<RunLog> {
  const { target, directory, obstacle } = run;
  const file = resolve(directory, FILES.log);
  const own = [target.name, target.baseUrl, run.command];
  const journal = fileJournal(file, redactor([...keysIn(target), ...keysInEnvironment(run.env)], own));
  const header = trafficHeader({ target, sides: ['service', 'client'], command: run.command });
  await writeTrafficLog({ journal, header, obstacle }, () => passAndJudge(run, journal));
  return readOwnLog(file);
}

/** Returns why the run was cut short: an interrupt ends a command before its time. Null for a whole run. */
async function passAndJudge(run: ProxyRun, journal: Journal): Promise<string | null> {
  const { target, words, signal } = run;
  const basePath = new URL(target.baseUrl).pathname;
  const facts: TrafficFacts = { source: 'proxy', basePath, graceMs: SHORTEST_GRACE_MS };
  const reader = credentialReader(
    Object.fromEntries(namedKeys(target).map(([name, key]) => [name, key.reveal()] as const)),
  );
  const record = recording(journal, facts);
  const nextId = trafficIds();
  const later = soonAfter((passed: Passed) => {
    record.add(recordOf(passed, nextId(), { reader, maxBytes: target.http.maxBodyBytes }));
  });
  await using elsewhere =
    run.weather !== null && redirects(run.weather)
      ? await otherOrigin({ clock: now, reader, nextId, onExchange: (exchange) => record.add(exchange) })
      : null;
  const proxy = await serveProxy({
    target,
    port: run.port,
    host: run.host,
    keepHost: run.keepHost,
    mostKept: target.http.maxBodyBytes,
    shortestGraceMs: SHORTEST_GRACE_MS,
    intervene: run.weather === null ? undefined : refusing(run.weather, reader, basePath, elsewhere?.origin ?? null),
    onUnreadable: () => record.leaveOut('unreadable'),
    onPassed: (passed) => later.add(passed),
  });
  try {
    journal.append({ type: 'traffic', nth: NTH, facts });
    const baseUrl = `${proxy.origin}${basePath}`;
    run.onListening(baseUrl);
    const { command, finished } = await whileCommandRuns(run, {
      baseUrl,
      key: target.keys[target.suiteKey]?.reveal(),
      scenario: 'proxy',
    });
    // What has been written is recorded in the next turn.
    await new Promise(setImmediate);
    later.flush();
    const end = record.end({ endedAt: now(), finished, graceMs: proxy.graceMs() });
    journal.append({ type: 'traffic-end', nth: NTH, end, ...(command && { command }) });
    for (const finding of record.findings(end)) journal.append({ type: 'finding', finding });
  } finally {
    await proxy[Symbol.asyncDispose]();
  }
  return words !== null && signal.aborted ? 'interrupted' : null;
}

/** Writes the record as it comes, and judges it. */
function recording(journal: Journal, facts: TrafficFacts) {
  const service = serviceJudge(facts);
  const ofService = atRest((exchange: ClientExchange) => service.add(exchange));
  const exchanges: ClientExchange[] = [];
  const bounds = bounded();
  const reasons: Record<string, number> = {};
  /** Set once the record is full: it does not hold what came later. */
  let fullAt: number | null = null;
  let isOver = false;
  const leaveOut = (reason: string): void => {
    reasons[reason] = (reasons[reason] ?? 0) + 1;
    const entries = Object.values(reasons).reduce((sum, count) => sum + count, 0);
    // With each, so that a killed proxy has them too.
    journal.append({ type: 'left-out', nth: NTH, entries, reasons: { ...reasons } });
  };
  return {
    leaveOut(reason: string): void {
      if (!isOver) leaveOut(reason);
    },
    add(exchange: ClientExchange): void {
      // What ends with the proxy is no request that was answered.
      if (isOver) return;
      const reason = leftOutBecause(exchange, facts.basePath);
      if (reason !== null) {
        leaveOut(reason);
        return;
      }
      const kept = bounds.take(exchange);
      if (kept === null) {
        fullAt ??= exchange.times.kind === 'server' ? exchange.times.readAt : now();
        reasons[bounds.reason] = (reasons[bounds.reason] ?? 0) + 1;
        return;
      }
      exchanges.push(kept);
      journal.append({ type: 'client-exchange', nth: NTH, exchange: kept });
      ofService.add(exchange);
    },
    end(end: TrafficEnd): TrafficEnd {
      isOver = true;
      ofService.end();
      if (fullAt === null) return end;
      const entries = Object.values(reasons).reduce((sum, count) => sum + count, 0);
      journal.append({ type: 'left-out', nth: NTH, entries, reasons: { ...reasons } });
      return { ...end, endedAt: fullAt, finished: false };
    },
    /** Returns what both sides show, the service first. */
    findings: (end: TrafficEnd) => [
      ...withRowsNotShown(service.findings(exchanges)),
      ...judgeClient([{ ...facts, exchanges, end }]),
    ],
  };
}
