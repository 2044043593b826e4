import type { Finding } from '../judge/findings/finding.js';
import { judgeClient } from '../judge/clients/judge-client.js';
import { serviceJudge, withRowsNotShown } from '../judge/service/judge-service.js';
import type { Side } from '../log/header-record.js';
import type { RunLog } from '../log/run-log.js';
import { FULL_WINDOWS } from '../base/interface/plans.js';
import { basePathOf } from '../wire/exchange/request-spec.js';
import { readHar, type HarRecord } from '../wire/har/read-har.js';
import { MetSecrets } from '../wire/exchange/met-secrets.js';
import { plannedEmbedded } from './embedded.js';
import { leftOut, logTraffic, trafficIds } from './traffic-log.js';

interface TrafficRun {
  /** HAR files, each its own record. */
  readonly files: readonly string[];
  readonly baseUrl: string;
  readonly sides: readonly Side[];
  readonly name: string;
  readonly directory: string;
  readonly command: string;
}

interface Read {
  readonly record: HarRecord;
  readonly ofService: readonly Finding[];
}

/**
 * Judges recorded traffic, and returns the log. The log is written after the last file was read: only then
 * all keys are known, and none may be in it. Throws UsageError for a file that cannot be read, or that is no
 * HAR file.
 */
export async function judgeTraffic(run: TrafficRun): Promise<RunLog> {
  const { name, baseUrl, sides, directory, command } = run;
  const read: Read[] = [];
  const nextId = trafficIds();
  const met = new MetSecrets();
  for (const file of run.files) read.push(await readOne(run, file, { nextId, secrets: met }));
  const secrets = newestOf(read.flatMap(({ record }) => record.secrets));
  const target = { ...plannedEmbedded({}), name, baseUrl, windows: FULL_WINDOWS, keys: {}, keyPlaces: {} };
  return logTraffic({ directory, secrets, met, target, sides, command }, (journal) => {
    for (const [at, { record }] of read.entries()) {
      const nth = at + 1;
      const { exchanges, end, ...facts } = record.traffic;
      journal.append({ type: 'traffic', nth, facts });
      for (const exchange of exchanges) journal.append({ type: 'client-exchange', nth, exchange });
      if (end) journal.append({ type: 'traffic-end', nth, end });
      journal.append(leftOut(nth, record.leftOut));
    }
    for (const finding of findingsOf(run, read)) journal.append({ type: 'finding', finding });
    const cut = run.files.filter((_, at) => read[at]?.record.traffic.end === null);
    return cut.length === 0 ? null : `${cut.join(', ')} was cut short`;
  });
}

/**
 * Characters of tokens to search for in pieces. The search for more takes minutes, and finds pieces by chance
 * in ordinary text. Clients that get a new token with each request have thousands.
 */
const SEARCHED_CHARACTERS = 10_000;

/** Returns the newest tokens, for a redactor. The record holds no whole token, however many there are. */
export function newestOf(tokens: readonly string[]): readonly string[] {
  let room = SEARCHED_CHARACTERS;
  const oldest = tokens.findLastIndex((token) => {
    room -= token.length;
    return room < 0;
  });
  return tokens.slice(oldest + 1);
}

/** Reads a file, and judges the service while it is read: whole bodies are kept no longer. */
async function readOne(
  { baseUrl, sides }: TrafficRun,
  file: string,
  { nextId, secrets }: { readonly nextId: () => string; readonly secrets: MetSecrets },
): Promise<Read> {
  const judge = sides.includes('service')
    ? serviceJudge({ source: 'har', basePath: basePathOf(new URL(baseUrl)), graceMs: 0 })
    : null;
  const record = await readHar({
    file,
    baseUrl,
    keys: {},
    nextId,
    secrets,
    onExchange: (exchange) => judge?.add(exchange),
  });
  return { record, ofService: judge?.findings(record.traffic.exchanges) ?? [] };
}

const findingsOf = ({ sides }: TrafficRun, read: readonly Read[]): readonly Finding[] => [
  ...(sides.includes('service') ? withRowsNotShown(read.flatMap(({ ofService }) => ofService)) : []),
  ...(sides.includes('client') ? judgeClient(read.map(({ record }) => record.traffic)) : []),
];
