import { randomBytes } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import { extname, join } from 'node:path';
import { secretIn } from '../../loadkit/fleet/order.js';
import { openRedis } from '../../loadkit/fleet/redis.js';
import { namesInScenario } from '../../wire/scenario/journey.js';
import { WHOLE, type Slice } from '../../wire/scenario/slice.js';
import { placed } from '../../wire/scenario/schedule.js';
import { redactor, type Redact } from '../../wire/exchange/redact.js';
import { FILES } from '../../log/files.js';
import { fileJournal, redactRecord } from '../../log/journal.js';
import { readLog } from '../../log/read.js';
import type { LogRecord } from '../../log/record.js';
import { capacityReporter } from '../../report/terminal/capacity-lines.js';
import { keysOf, ownWordsOf } from '../../run/request.js';
import { openRecords } from '../../loadkit/outputs/load-records.js';
import type { Crew } from '../../run/fleet/crew.js';
import { originOf, type CapacityRunPlan } from '../../run/plan-capacity-run.js';
import { makeReportDir } from '../../run/report-dir.js';
import { finishLoad } from '../../run/write-reports.js';
import { badOption } from '../../base/kernel/errors.js';
import { AGENT_NAME } from '../../loadkit/fleet/messages.js';
import { TARGETS_VARIABLE } from '../../loadkit/fleet/take-order.js';
import { SECRET_VARIABLE } from '../../loadkit/fleet/seal.js';
import type { Arguments } from './command-options.js';
import { interruption } from './process-end.js';
import { line, type Io } from './io.js';

export type Senders =
  | { readonly kind: 'agents'; readonly count: number; readonly redis: string }
  | { readonly kind: 'workers'; readonly count: number | 'auto' };

/** Most agents: each slice is polled in Redis. */
const MOST_AGENTS = 1000;
/** Most workers: beyond the cores of a large machine, they only wait for each other. */
const MOST_WORKERS = 256;
const PREFIX = /^[\w.:{}-]{1,64}$/;

/** Who sends the parts; null if this process sends all. Throws UsageError for options that conflict. */
export function sendersOf({ agents, redis, workers }: Arguments<'load'>): Senders | null {
  if (agents === undefined && redis === undefined && workers === undefined) return null;
  if (workers !== undefined && (agents !== undefined || redis !== undefined))
    throw badOption(
      '--workers and --agents exclude each other: both split the scenario.',
      'Leave one of them out.',
    );
  if (workers !== undefined) return { kind: 'workers', count: workersOf(workers) };
  if (agents === undefined || redis === undefined)
    throw badOption(
      agents === undefined
        ? '--redis needs --agents, the number of agents.'
        : '--agents needs --redis, the address of their Redis.',
      'Give both, e.g. --agents 4 --redis redis://host:6379; or --workers N for processes of this machine, which needs no Redis.',
    );
  if (!Number.isInteger(agents) || agents < 1 || agents > MOST_AGENTS)
    throw badOption(
      `--agents takes a whole number from 1 to ${MOST_AGENTS}.`,
      'Use one agent for each machine.',
    );
  return { kind: 'agents', count: agents, redis };
}

function workersOf(text: string): number | 'auto' {
  if (text === 'auto') return text;
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MOST_WORKERS) return count;
  throw badOption(
    `--workers takes auto or a whole number from 1 to ${MOST_WORKERS}, not "${text}".`,
    'auto leaves one core to the server and to other programs.',
  );
}

/**
 * Returns the number of parts. `auto` leaves one core free, and gives each worker a key where the plans'
 * limits apply.
 */
export function partsOf({ count }: Senders, { capacity }: CapacityRunPlan): number {
  if (count !== 'auto') return count;
  const cores = Math.max(1, availableParallelism() - 1);
  return capacity.scenario.overLimit === 'allow' ? cores : Math.min(cores, capacity.keys.length);
}

/** Returns the plans of the parts. Throws ConfigError if a part cannot keep to its plan. */
export const slicesOf = (
  planOf: (slice: Slice) => CapacityRunPlan,
  count: number,
): readonly CapacityRunPlan[] => Array.from({ length: count }, (_, index) => planOf({ index, count }));

/** `load --agents N` or `--workers N`: distributes the slices of a plan, merges them and judges the whole. */
export async function fleetCommand(
  senders: Senders & { readonly count: number },
  planOf: (slice: Slice) => CapacityRunPlan,
  scenarioText: string,
  args: Arguments<'load'>,
  io: Io,
): Promise<number> {
  const whole = planOf(WHOLE);
  const slices = slicesOf(planOf, senders.count);
  const { request } = whole.run;
  const { target } = request;
  const { scenario } = whole.capacity;
  const words = [...ownWordsOf(request), ...namesInScenario(scenario)];
  const keys = keysOf(request);
  const redact = redactor(keys, words);
  const say = (text: string): void => {
    if (args.reporter !== 'quiet') line(io.out, text);
  };
  using interrupted = interruption();
  using link =
    senders.kind === 'agents' ? await openRedis(senders.redis, io.env, prefixOf(args.redisPrefix)) : null;
  const out = await openRecords({ out: args.out }, originOf(whole));
  const { runFleet } = await import('../../run/fleet/run-fleet.js');
  const directory = makeReportDir(args.reportDir, target.name, new Date());
  const directoryOf = (index: number): string => join(directory, 'parts', String(index + 1));
  const outOf = (index: number): string | null =>
    args.out === undefined ? null : join(directoryOf(index), `requests${extname(args.out)}`);
  const secret = link === null ? randomBytes(32).toString('base64url') : secretIn(io.env);
  let crew: Crew;
  if (link === null) {
    const { workerCrew } = await import('../../run/fleet/worker-crew.js');
    const ca = target.http.ca ?? null;
    crew = workerCrew({ secret: secret ?? '', ca, directoryOf, outOf, say }, request.run, slices.length);
  } else {
    const { redisCrew } = await import('../../run/fleet/redis-crew.js');
    crew = await redisCrew({ link, prefix: prefixOf(args.redisPrefix), secret }, request.run, slices.length);
  }
  let records;
  {
    using reporter = capacityReporter({
      stream: io.out,
      env: io.env,
      reporter: args.reporter,
      plan: whole.capacity,
    });
    records = await runFleet({
      crew,
      waitMs: args.wait * 1000,
      whole,
      slices,
      scenarioText,
      readOnly: args.readOnly,
      otlp: args.otlp ?? null,
      secret,
      directory,
      signal: interrupted.signal,
      onRecord: (record) => reporter.record(redactRecord(record, redact)),
      say,
    });
  }
  for (const record of records) if (record.type === 'second') out?.second(record);
  if (crew.noun === 'worker') for (const index of slices.keys()) out?.join(outOf(index) ?? '');
  const written = (await out?.close()) ?? [];
  // Agents' names are the user's own too, and known only now.
  const names = records.flatMap((record) =>
    record.type === 'agents' ? record.agents.map(({ name }) => name) : [],
  );
  const code = await finishMerged(
    records,
    directory,
    redactor(keys, [...words, ...names]),
    args.reporter,
    io,
  );
  for (const text of written)
    line(
      args.reporter === 'quiet' ? io.err : io.out,
      crew.noun === 'worker' ? text : `${text} It has only seconds, because the agents measure the requests.`,
    );
  return code;
}

/** @param redact for text that merging adds; each part is redacted already, with its own keys */
async function finishMerged(
  records: readonly LogRecord[],
  directory: string,
  redact: Redact,
  reporter: Arguments<'load'>['reporter'],
  io: Io,
): Promise<number> {
  const file = join(directory, FILES.log);
  const journal = fileJournal(file, redact);
  for (const record of records) journal.append(record);
  journal.close();
  const log = await readLog(file);
  const { phases = [], thresholds = [] } = log.capacity?.scenario.scenario ?? {};
  const plan = { phases: placed(phases), scenario: { thresholds } };
  const told = capacityReporter({ stream: io.out, env: io.env, reporter, plan });
  for (const record of records)
    if (record.type === 'capacity-phase') told.record(redactRecord(record, redact));
  return finishLoad(directory, log, told, io);
}

/** Throws UsageError. */
function prefixOf(prefix: string): string {
  if (PREFIX.test(prefix)) return prefix;
  throw badOption(
    '--redis-prefix takes up to 64 letters, digits, dots, colons and dashes.',
    'Use the same prefix for all agents and for load.',
  );
}

/** `agent`: takes slices of load runs from Redis and sends them, one at a time, until an interrupt. */
export async function command(args: Arguments<'agent'>, io: Io): Promise<number> {
  const name = args.name ?? `${hostname().replaceAll(/[^\w.-]+/g, '-')}-${process.pid}`;
  if (!AGENT_NAME.test(name))
    throw badOption(
      '--name takes up to 64 letters, digits, dots and dashes.',
      'Give a name such as agent-1.',
    );
  if (args.redis === undefined)
    throw badOption(
      '--redis is missing: an agent gets its work from Redis.',
      'Give the same address to all agents and to load, e.g. --redis redis://host:6379.',
    );
  const prefix = prefixOf(args.redisPrefix);
  const isVouched = secretIn(io.env) !== null || Boolean(io.env[TARGETS_VARIABLE]) || args.allowLoopback;
  using interrupted = interruption();
  using link = await openRedis(args.redis, io.env, prefix);
  const { runAgent } = await import('../../run/fleet/run-agent.js');
  line(io.out, `agent ${name} waits for work at ${link.shown} (${prefix}); Ctrl-C ends it`);
  if (!isVouched)
    line(
      io.out,
      `agent ${name} has no permitted target: set the same ${SECRET_VARIABLE} as for load, ` +
        `list addresses in ${TARGETS_VARIABLE}, or allow its own machine with --allow-loopback`,
    );
  await runAgent({
    link,
    prefix,
    name,
    env: io.env,
    allowLoopback: args.allowLoopback,
    signal: interrupted.signal,
    say: (text) => line(io.out, `${new Date().toISOString()}  ${text}`),
  });
  return 0;
}
