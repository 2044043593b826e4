import { hostname } from 'node:os';
import { secretIn } from '../../loadkit/fleet/order.js';
import { openRedis } from '../../loadkit/fleet/redis.js';
import { WHOLE, type Slice } from '../../wire/scenario/slice.js';
import { redactor } from '../../wire/exchange/redact.js';
import { redactRecord } from '../../log/journal.js';
import { capacityReporter } from '../../report/terminal/capacity-lines.js';
import { keysOf, ownWordsOf } from '../../run/request.js';
import { openRecords } from '../../loadkit/outputs/load-records.js';
import type { CapacityRunPlan } from '../../run/plan-run.js';
import { makeReportDir } from '../../run/report-dir.js';
import { badOption } from '../../base/kernel/errors.js';
import { AGENT_NAME } from '../../loadkit/fleet/state.js';
import { TARGETS_VARIABLE } from '../../loadkit/fleet/take-order.js';
import { SECRET_VARIABLE } from '../../loadkit/fleet/seal.js';
import type { Arguments } from './command-table.js';
import { finishMerged } from './merge-command.js';
import { interruption } from './process-end.js';
import { line, type Io } from './io.js';

/** `load --agents N --redis URL`: distributes the slices of a plan, merges them and judges the whole. */
export async function fleetCommand(
  { agents, redis }: NonNullable<ReturnType<typeof fleetOf>>,
  planOf: (slice: Slice) => CapacityRunPlan,
  scenarioText: string,
  args: Arguments<'load'>,
  io: Io,
): Promise<number> {
  const prefix = prefixOf(args.redisPrefix);
  const secret = secretIn(io.env);
  const whole = planOf(WHOLE);
  const slices = Array.from({ length: agents }, (_, index) => planOf({ index, count: agents }));
  const { target } = whole.run.request;
  const { scenario } = whole.capacity;
  const words = [...ownWordsOf(whole.run.request), scenario.name, ...scenario.phases.map(({ name }) => name)];
  const redact = redactor(keysOf(whole.run.request), words);
  using interrupted = interruption();
  using link = await openRedis(redis, io.env, prefix);
  const out = await openRecords(
    { out: args.out },
    {
      version: '',
      run: whole.run.request.run,
      part: null,
      scenario: whole.capacity.scenario.name,
      baseUrl: target.baseUrl,
    },
  );
  const { runFleet } = await import('../../run/run-fleet.js');
  const directory = makeReportDir(args.reportDir, target.name, new Date());
  let records;
  {
    using reporter = capacityReporter({ stream: io.out, env: io.env, reporter: args.reporter, plan: whole.capacity });
    records = await runFleet({
      link,
      prefix,
      waitMs: args.wait * 1000,
      whole,
      slices,
      scenarioText,
      readOnly: args.readOnly,
      secret,
      directory,
      signal: interrupted.signal,
      onRecord: (record) => reporter.record(redactRecord(record, redact)),
      say: (text) => args.reporter === 'quiet' || line(io.out, text),
    });
  }
  for (const record of records) if (record.type === 'second') out?.second(record);
  for (const text of (await out?.close()) ?? [])
    line(
      args.reporter === 'quiet' ? io.err : io.out,
      `${text} It has only seconds, because the agents measure the requests.`,
    );
  return finishMerged(records, directory, redact, args.reporter, io);
}

/** Most agents: each slice is polled in Redis. */
const MOST_AGENTS = 1000;
const PREFIX = /^[\w.:{}-]{1,64}$/;

/** Checks the prefix of all names in Redis. Throws UsageError. */
function prefixOf(prefix: string): string {
  if (PREFIX.test(prefix)) return prefix;
  throw badOption(
    '--redis-prefix takes up to 64 letters, digits, dots, colons and dashes.',
    'Use the same prefix for all agents and for load.',
  );
}

/** Number of agents and their Redis; null if one process sends. Throws UsageError for options that conflict. */
export function fleetOf({ agents, redis, slice, startAt }: Arguments<'load'>) {
  if (agents === undefined && redis === undefined) return null;
  if (agents === undefined || redis === undefined)
    throw badOption(
      agents === undefined
        ? '--redis needs --agents, the number of agents.'
        : '--agents needs --redis, the address of their Redis.',
      'Give both, e.g. --agents 4 --redis redis://host:6379; or --slice I/N, which needs no Redis.',
    );
  if (slice !== undefined || startAt !== undefined) {
    const other = slice === undefined ? '--start-at' : '--slice';
    throw badOption(
      `--agents and ${other} exclude each other: agents get their slices and their start from load.`,
      'Leave one of them out.',
    );
  }
  if (!Number.isInteger(agents) || agents < 1 || agents > MOST_AGENTS)
    throw badOption(`--agents takes a whole number from 1 to ${MOST_AGENTS}.`, 'Use one agent for each machine.');
  return { agents, redis };
}

/** `agent`: takes slices of load runs from Redis and sends them, one at a time, until an interrupt. */
export async function agentCommand(args: Arguments<'agent'>, io: Io): Promise<number> {
  const name = args.name ?? `${hostname().replaceAll(/[^\w.-]+/g, '-')}-${process.pid}`;
  if (!AGENT_NAME.test(name))
    throw badOption('--name takes up to 64 letters, digits, dots and dashes.', 'Give a name such as agent-1.');
  if (args.redis === undefined)
    throw badOption(
      '--redis is missing: an agent gets its work from Redis.',
      'Give the same address to all agents and to load, e.g. --redis redis://host:6379.',
    );
  const prefix = prefixOf(args.redisPrefix);
  const isVouched = secretIn(io.env) !== null || Boolean(io.env[TARGETS_VARIABLE]) || args.allowLoopback;
  using interrupted = interruption();
  using link = await openRedis(args.redis, io.env, prefix);
  const { runAgent } = await import('../../run/run-agent.js');
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
