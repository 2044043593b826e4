import { CAPACITY_LABEL, describeCapacity } from '../../loadkit/describe.js';
import {
  MOST_PER_SECOND,
  readScenarioFile,
  readScenarioText,
  type Scenario,
} from '../../wire/scenario/scenario.js';
import { perSecondOf } from '../../wire/scenario/units.js';
import { parseCondition, withDefaults, type Threshold } from '../../wire/scenario/threshold.js';
import { count, counted } from '../../base/kernel/format.js';
import { WHOLE } from '../../wire/scenario/slice.js';
import type { CapacityPlan } from '../../loadkit/plan.js';
import { configPath } from '../../base/kernel/config-file.js';
import { capacityReporter } from '../../report/terminal/capacity-lines.js';
import { mostLoadSeconds } from '../../run/time-limits.js';
import { openRecords } from '../../loadkit/outputs/load-records.js';
import { metricsUrl } from '../../loadkit/outputs/otlp-metrics.js';
import {
  lockCapacityKeys,
  originOf,
  planCapacityRun,
  type CapacityRunOptions,
  type CapacityRunPlan,
} from '../../run/plan-capacity-run.js';
import { makeReportDir } from '../../run/report-dir.js';
import type { Target } from '../../wire/targets/target.js';
import { commandLine } from './command-line.js';
import type { Arguments } from './command-options.js';
import { fleetCommand, partsOf, sendersOf, slicesOf, type Senders } from './fleet-command.js';
import { interruption } from './process-end.js';
import { print, printLabelled, type Io } from './io.js';
import { namedTarget } from './open-target.js';
import { badOption } from '../../base/kernel/errors.js';

export async function command(args: Arguments<'load'>, io: Io): Promise<number> {
  const named = namedTarget(args, io);
  const find = findOf(args);
  if (args.scenario === undefined && named !== null && find === null)
    throw badOption(
      'There is a target but no scenario.',
      'Add --scenario FILE. The built-in scenario is only for the embedded server.',
    );
  const senders = sendersOf(args);
  const file = args.scenario ?? configPath('scenarios', 'newcomer.yaml');
  const scenario = readScenarioFile(file);
  checkOptions({ hasTarget: named !== null, senders, find, scenario });
  const planFor = (target: Target, slice = WHOLE): CapacityRunPlan =>
    planCapacityRun({
      target,
      scenario,
      slice,
      readOnly: args.readOnly,
      label: args.label,
      find,
      command: commandLine('load', args),
    });
  const { plannedEmbedded, startEmbeddedProcess } = await import('../../run/embedded.js');
  const planned = planFor(named ?? plannedEmbedded(io.env));
  if (named?.production && !args.allowLoadOnProduction && !args.dryRun)
    throw badOption(
      `The target ${named.name} is marked as production: real clients depend on it.`,
      'Use another target, or add --allow-load-on-production. Nothing was sent.',
    );
  if (args.otlp !== undefined) metricsUrl(args.otlp);
  const parts = senders ? partsOf(senders, planned) : 1;
  const isFleet = senders?.kind === 'agents' || parts > 1;
  if (args.dryRun) {
    // Parts that cannot keep to their plans are no surprise later.
    if (isFleet) slicesOf((part) => planFor(named ?? plannedEmbedded(io.env), part), parts);
    const target = named ?? { ...plannedEmbedded(io.env), baseUrl: 'on a free port' };
    const most = mostLoadSeconds(lengthOf(planned.capacity), target);
    const noun = senders?.kind === 'agents' ? 'agent' : 'worker';
    const sentBy = isFleet ? [`sent by     ${counted(parts, noun)}`] : [];
    const lines = describeCapacity(planned.capacity, target, most).toSpliced(-1, 0, ...sentBy);
    printLabelled(io.out, lines, CAPACITY_LABEL);
    return 0;
  }
  const loadOn = (target: Target): Promise<number> =>
    senders && isFleet
      ? fleetCommand(
          { ...senders, count: parts },
          (part) => planFor(target, part),
          readScenarioText(file),
          args,
          io,
        )
      : runLoad(planFor(target), args, io);
  if (named) return loadOn(named);
  await using embedded = await startEmbeddedProcess(io.env);
  return await loadOn(embedded.target);
}

interface Parsed {
  readonly hasTarget: boolean;
  readonly senders: Senders | null;
  readonly find: ReturnType<typeof findOf>;
  readonly scenario: Scenario;
}

/** Throws UsageError for options that need others, or that exclude each other. */
function checkOptions({ hasTarget, senders, find, scenario }: Parsed): void {
  if (senders?.kind === 'agents' && !hasTarget)
    throw badOption(
      '--agents needs a target, because agents cannot reach an embedded server.',
      'Name the server that all agents send to with --target or --base-url, and a --scenario.',
    );
  if (find && senders)
    throw badOption(
      '--find decides after each step, so one process sends all of it.',
      'Leave out --workers and --agents. Nothing was sent.',
    );
  if (find && scenario.journeys)
    throw badOption(
      '--find looks for a rate of single requests, and the scenario has journeys.',
      'Leave out journeys in the scenario of a search. Nothing was sent.',
    );
}

async function runLoad(planned: CapacityRunPlan, args: Arguments<'load'>, io: Io): Promise<number> {
  const { run, capacity } = planned;
  using _ = await lockCapacityKeys(planned);
  using interrupted = interruption();
  using reporter = capacityReporter({ stream: io.out, env: io.env, reporter: args.reporter, plan: capacity });
  const records = await openRecords(args, originOf(planned));
  let directory, log, recordLines;
  try {
    directory = makeReportDir(args.reportDir, run.request.target.name, new Date());
    const { executeCapacity } = await import('../../run/execute-capacity.js');
    log = await executeCapacity({
      ...run,
      plan: capacity,
      directory,
      most: async () => mostLoadSeconds(lengthOf(capacity), run.request.target),
      signal: interrupted.signal,
      onRecord(record) {
        reporter.record(record);
        if (record.type === 'second') records?.second(record);
      },
      onFinished: records?.finished,
    });
  } finally {
    recordLines = (await records?.close()) ?? [];
  }
  const { finishLoad } = await import('../../run/write-reports.js');
  const code = finishLoad(directory, log, reporter, io);
  print(args.reporter === 'quiet' ? io.err : io.out, recordLines);
  return code;
}

/** Durations of a plan's phases, ms. */
const lengthOf = ({ phases, find }: CapacityPlan): number =>
  find ? find.bound.seconds * 1000 : (phases.at(-1)?.endMs ?? 0);

function findOf({ find, findMost }: Arguments<'load'>): NonNullable<CapacityRunOptions['find']> | null {
  if (find.length === 0) return null;
  const given = find.map((text): Threshold => {
    const parsed = parseCondition(text);
    if (parsed.ok) return { ...parsed.value, text: text.trim(), phase: null, operation: null };
    throw badOption(`--find "${text}" ${parsed.problem}.`, `Expected: ${parsed.expected}. Nothing was sent.`);
  });
  const upTo = perSecondOf(findMost) ?? 0;
  if (upTo > 0 && upTo <= MOST_PER_SECOND) return { conditions: withDefaults(given, ['search']), upTo };
  throw badOption(
    `--find-most takes a rate above 0, at most ${count(MOST_PER_SECOND)}/s, not "${findMost}".`,
    'Write it as 500/s or 3000/min. Nothing was sent.',
  );
}
