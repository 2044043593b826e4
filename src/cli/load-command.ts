import { join } from 'node:path';
import { describeCapacity } from '../capacity/describe.js';
import { planCapacity } from '../capacity/plan.js';
import type { CapacityPlan } from '../capacity/plan.js';
import { readScenarioFile } from '../capacity/scenario.js';
import type { Scenario } from '../capacity/scenario.js';
import { parseSlice, WHOLE } from '../capacity/slice.js';
import type { Slice } from '../capacity/slice.js';
import { configPath } from '../contract/config-file.js';
import { FILES } from '../report/files.js';
import { capacityReporter } from '../report/capacity/terminal.js';
import { lockKeys } from '../run/key-lock.js';
import { planRun } from '../run/plan-run.js';
import { makeReportDir, shownPath, writeLatest } from '../run/report-dir.js';
import { UsageError } from '../run/usage-error.js';
import { EMBEDDED, readTargetFile } from '../target/load-target.js';
import { targetFromOptions } from '../target/target-options.js';
import type { Target } from '../target/target.js';
import { EXIT_CODES } from '../verdict/verdict.js';
import { loadCommandLine } from './command-line.js';
import { interruption } from './interruption.js';
import { line } from './io.js';
import type { Io } from './io.js';
import type { LoadArguments } from './load-options.js';

/** `load`: puts a scenario's load on a target and gives the exit code of what came of it. */
export async function loadCommand(args: LoadArguments, io: Io): Promise<number> {
  const named = namedTarget(args, io.env);
  if (args.scenario === undefined && named !== null)
    throw new UsageError(
      'bad-option',
      'A target is named, and no scenario.',
      'Say with --scenario what is to be sent to it; the built-in scenario is for the embedded server alone.',
    );
  const scenario = readScenarioFile(args.scenario ?? configPath('scenarios', 'newcomer.yaml'));
  const [slice, startAt] = [sliceOf(args.slice), startOf(args.startAt)];
  const { plannedEmbedded, startEmbeddedProcess } = await import('../run/embedded-process.js');
  const planned = planFor(named ?? plannedEmbedded(io.env), scenario, slice, args);
  if (named?.production && !args.allowLoadOnProduction && !args.dryRun)
    throw new UsageError(
      'bad-option',
      `The target ${named.name} is marked production: real clients depend on it.`,
      'Put load on another target, or permit it with --allow-load-on-production. Nothing was sent.',
    );
  if (args.dryRun) {
    const target = named ?? { ...plannedEmbedded(io.env), baseUrl: 'on a free port' };
    for (const text of describeCapacity(planned.capacity, target)) line(io.out, text);
    return 0;
  }
  if (named) return runLoad(planFor(named, scenario, slice, args), startAt, args, io);
  const embedded = await startEmbeddedProcess(io.env);
  try {
    return await runLoad(planFor(embedded.target, scenario, slice, args), startAt, args, io);
  } finally {
    await embedded.close();
  }
}

type Planned = ReturnType<typeof planFor>;

/** The run and its scenario, planned for a target. */
function planFor(given: Target, scenario: Scenario, slice: Slice, args: LoadArguments) {
  // Preflight asks with a key that the scenario uses.
  const [first] = scenario.keys;
  const target = first !== undefined && given.keys[first] ? { ...given, suiteKey: first } : given;
  const run = planRun({
    target,
    requirement: [],
    profile: [],
    readOnly: args.readOnly,
    failedBefore: null,
    acceptance: { certificate: false, baseline: false },
    command: loadCommandLine(args),
    now: Date.now(),
  });
  const request = { ...run.request, selection: { scenario: scenario.name } };
  const capacity: CapacityPlan = planCapacity({
    scenario,
    target,
    writes: request.writes,
    fetches: run.removal === 'before',
    slice,
  });
  return { run: { ...run, request }, capacity };
}

async function runLoad(
  { run, capacity }: Planned,
  startAt: number | null,
  args: LoadArguments,
  io: Io,
): Promise<number> {
  const { target } = run.request;
  const unlock = lockKeys(target);
  const interrupted = interruption();
  const reporter = capacityReporter({ stream: io.out, env: io.env, reporter: args.reporter, plan: capacity });
  try {
    const directory = makeReportDir(args.reportDir, target.name, new Date());
    const { executeCapacity } = await import('../run/execute-capacity.js');
    const log = await executeCapacity({
      ...run,
      plan: capacity,
      directory,
      startAt,
      signal: interrupted.signal,
      onRecord: (record) => reporter.record(record),
    });
    reporter.stop();
    const { writeReports, writeStepSummary } = await import('../run/write-reports.js');
    const results = writeReports(directory, log, null);
    writeLatest(directory, results);
    writeStepSummary(results, io.env);
    reporter.finish(results, log, shownPath(join(directory, FILES.page)));
    return EXIT_CODES[results.verdict];
  } finally {
    reporter.stop();
    unlock();
    interrupted.release();
  }
}

/** The target that was named; null for the embedded server. */
function namedTarget({ target, baseUrl, key }: LoadArguments, env: NodeJS.ProcessEnv): Target | null {
  if (target !== undefined && baseUrl !== undefined)
    throw new UsageError('bad-option', '--target and --base-url both name a target.', 'Give one of them.');
  if (baseUrl !== undefined) return targetFromOptions({ baseUrl, keys: key, env });
  if (key.length > 0)
    throw new UsageError(
      'bad-option',
      '--key goes with --base-url.',
      'Give the address of the server with --base-url, or put the keys into a target file.',
    );
  return target === undefined || target === EMBEDDED ? null : readTargetFile(target, env);
}

function sliceOf(text: string | undefined): Slice {
  const slice = text === undefined ? WHOLE : parseSlice(text);
  if (slice) return slice;
  throw new UsageError(
    'bad-option',
    `--slice takes I/N, and “${text}” is none.`,
    'Write it as 1/4 for the first of four parts.',
  );
}

/** Further ahead than this a start is taken for a slip of the hand, ms. */
const FURTHEST_MS = 24 * 3_600_000;

function startOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const at = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new UsageError(
      'bad-option',
      `--start-at takes a moment, and “${text}” is none.`,
      'Write it as 2026-11-22T10:00:00Z.',
    );
  if (at < Date.now() || at > Date.now() + FURTHEST_MS)
    throw new UsageError(
      'bad-option',
      `--start-at ${text} ${at < Date.now() ? 'is over' : 'is more than a day ahead'}.`,
      'Name a moment that all parts can reach, within a day. Nothing was sent.',
    );
  return at;
}
