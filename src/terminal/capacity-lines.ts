import type { Redacted } from '../exchange/redact.js';
import { paceText } from '../capacity/describe.js';
import { decoded, percentilesOf, sumOf } from '../log/histogram.js';
import type { CapacityPlan } from '../capacity/plan.js';
import type { CapacityPhaseRecord, SecondRecord } from '../log/capacity-record.js';
import type { CapacityResults } from '../capacity/results.js';
import type { LogRecord } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';
import type { Results } from '../verdict/results.js';
import { annotationsOf } from '../report/machine/annotations.js';
import { line, paint, span, type Span } from './lines.js';
import { canRedraw, lookOf, say, type Look, type OutputStream } from './look.js';
import { headerLines, preflightLines } from './opening.js';
import { liveScreen, plainScreen } from './screen.js';
import { capital, count, counted, duration, ended, latencyText } from '../format/format.js';
import { cannotStart } from '../words/obstacle.js';
import { CAPACITY_LABELS } from '../words/outcomes.js';
import { wrapped } from '../words/wrapped.js';
import { sparkLine } from '../report/pages/capacity/spark.js';
import {
  AGENT_COLUMNS,
  agentColumns,
  capacityClause,
  capacityRemarks,
  isCapacityRun,
  shownText,
  valueText,
  violationKinds,
  type CapacityRun,
} from '../words/capacity.js';

/** Options of a load run's reporter: the stream and the form of its text. */
export interface CapacityReporterOptions {
  readonly stream: OutputStream;
  readonly env: NodeJS.ProcessEnv;
  readonly reporter: 'auto' | 'list' | 'github' | 'quiet';
  readonly plan: Schedule;
}

/** Phases of a plan with their times. */
type Schedule = Pick<CapacityPlan, 'phases'>;

/** Prints a load run as it goes. */
export interface CapacityReporter {
  record(record: Redacted<LogRecord>): void;
  /** Ends the live lines and restores the cursor. */
  stop(): void;
  finish(results: Results, log: RunLog, report: string): void;
}

/** Interval of lines without redrawing, s: long enough to be quiet, short enough to show progress in a CI log. */
const PLAIN_EVERY = 10;

/** Shortest wait that gets a line, ms. */
const LONG_WAIT_MS = 1000;

type Row = readonly Span[];

const BLANK: Row = [];

/** Creates a reporter for one load run. */
export function capacityReporter(options: CapacityReporterOptions): CapacityReporter {
  const { stream, env, reporter, plan } = options;
  const live = reporter === 'auto' && canRedraw(stream, env);
  const screen = live ? liveScreen(stream) : plainScreen(stream);
  const look = lookOf(stream, env);
  const painted = (rows: readonly Row[]): readonly string[] => rows.map((row) => paint(line(...row), look));
  const print = (rows: readonly Row[]): void => screen.print(painted(rows));
  const isQuiet = reporter === 'quiet';
  const seconds: SecondRecord[] = [];
  let startAt = 0;
  let toldAt = 0;

  const record = (one: LogRecord): void => {
    if (isQuiet) return;
    if (one.type === 'header') print([...headerLines(one, look).map(({ spans }) => spans), BLANK]);
    if (one.type === 'preflight') print([...preflightLines(one.facts, look).map(({ spans }) => spans), BLANK]);
    if (one.type === 'waiting' && one.until - Date.now() > LONG_WAIT_MS)
      print([[span(say(look, `waiting until ${new Date(one.until).toISOString()} for ${one.what}`), 'quiet')]]);
    if (one.type === 'capacity-phase') print(phaseLines(one, plan, look));
    if (one.type === 'scenario') {
      startAt = one.startAt;
      toldAt = startAt;
      if (one.startAt - Date.now() > LONG_WAIT_MS)
        print([[span(`waiting until ${new Date(one.startAt).toISOString()}, when all parts begin`, 'quiet')]]);
    }
    if (one.type === 'second') {
      seconds.push(one);
      if (live) screen.show(painted(liveLines(seconds, plan, startAt, look)));
      else if (isWhole(one) && one.at - toldAt >= PLAIN_EVERY * 1000 - LEAST_MS) {
        toldAt = one.at;
        print([plainLine(one, plan, startAt, look)]);
      }
    }
  };
  return {
    record,
    stop: () => screen.close(),
    finish(results, log, report) {
      screen.close();
      if (!isCapacityRun(results)) return print(notStartedLines(results, report, look));
      if (isQuiet) {
        stream.write(`${say(look, capacityClause(results))}. Report: ${report}\n`);
        return;
      }
      print(closingLines(results, log.footer?.reason ?? null, report, look));
      if (reporter === 'github' || (reporter === 'auto' && env['GITHUB_ACTIONS'] === 'true' && !stream.isTTY))
        screen.print(annotationsOf(results));
    },
  };
}

const between = (look: Look, parts: readonly string[]): string => parts.filter(Boolean).join(look.glyphs.between);

const statuses = (byStatus: Readonly<Record<string, number>>): string =>
  Object.entries(byStatus)
    .map(([status, amount]) => `${status === 'none' ? 'no response' : status}: ${count(amount)}`)
    .join('  ');

/** Returns the remaining time. */
function leftText({ phases }: Schedule, startAt: number, at: number): string {
  const left = startAt + (phases.at(-1)?.endMs ?? 0) - at;
  return left > 0 ? `${duration(Math.round(left / 1000) * 1000)} left` : 'waiting for the last responses';
}

/** Shortest second that gives a rate, ms: a phase may end within a second. */
const LEAST_MS = 500;

const isWhole = ({ ms }: SecondRecord): boolean => ms >= LEAST_MS;

const perSecond = ({ sent, ms }: SecondRecord): number => Math.round((sent * 1000) / Math.max(1, ms));

const tone = (amount: number): 'bad' | 'plain' => (amount > 0 ? 'bad' : 'plain');

/** Returns the lines that are redrawn each second. */
function liveLines(seconds: readonly SecondRecord[], plan: Schedule, startAt: number, look: Look): readonly Row[] {
  const last = seconds.at(-1);
  if (!last) return [];
  const phase = plan.phases.find((placed) => placed.phase.name === last.phase);
  const width = Math.max(10, Math.min(40, look.columns - 40));
  const whole = seconds.filter(isWhole);
  const total = { errors: 0, violations: 0, dropped: 0 };
  for (const { errors, violations, dropped } of seconds) {
    total.errors += errors;
    total.violations += violations;
    total.dropped += dropped;
  }
  return [
    [
      span(`  ${last.phase.padEnd(12)} `, 'strong'),
      span(phase ? paceText(phase.phase) : '', 'quiet'),
      span(`${look.glyphs.between}${leftText(plan, startAt, last.at)}`),
    ],
    [
      span('  sent         '),
      span(sparkLine(whole.map(perSecond), width, look.unicode)),
      span(`  ${count(perSecond(last))}/s`, 'strong'),
    ],
    [
      span('  p99          '),
      span(
        sparkLine(
          whole.map(({ p99 }) => p99),
          width,
          look.unicode,
        ),
      ),
      span(`  ${latencyText(last.p99)}`, 'strong'),
    ],
    [
      span(
        `  latency      p50 ${latencyText(last.p50)}  p90 ${latencyText(last.p90)}  longest ${latencyText(last.max)}`,
      ),
    ],
    [span(`  responses    ${statuses(last.byStatus) || 'none'}`)],
    [
      span('  total        '),
      span(counted(total.errors, 'error'), tone(total.errors)),
      span(look.glyphs.between),
      span(counted(total.violations, 'violation'), tone(total.violations)),
      span(look.glyphs.between),
      span(`${count(total.dropped)} dropped`, tone(total.dropped)),
      ...(last.behind ? [span(`${look.glyphs.between}this machine is at its limit`, 'warn')] : []),
    ],
  ];
}

/** Formats a second as a separate line. */
const plainLine = (second: SecondRecord, plan: Schedule, startAt: number, look: Look): Row => [
  span(`  ${duration(Math.round((second.at - startAt) / 1000) * 1000).padStart(8)}  ${second.phase}  `),
  span(
    between(look, [
      leftText(plan, startAt, second.at),
      `${count(perSecond(second))}/s`,
      `p50 ${latencyText(second.p50)}, p99 ${latencyText(second.p99)}`,
      statuses(second.byStatus),
      second.violations > 0 ? counted(second.violations, 'violation') : '',
      second.dropped > 0 ? `${count(second.dropped)} dropped` : '',
    ]),
    'quiet',
  ),
];

/** Formats a finished phase. */
function phaseLines(record: CapacityPhaseRecord, plan: Schedule, look: Look): readonly Row[] {
  const placed = plan.phases.find(({ phase }) => phase.name === record.phase);
  const sum = (of: (operation: CapacityPhaseRecord['operations'][number]) => number): number =>
    record.operations.reduce((total, operation) => total + of(operation), 0);
  const [sent, errors, violations, refused] = [
    sum((each) => each.sent),
    sum((each) => each.errors),
    sum((each) => each.violations),
    sum((each) => each.refused),
  ];
  const dropped = record.droppedLate + record.droppedFull;
  const isBad = errors + violations > 0;
  const mark = isBad ? look.glyphs.failed : record.saturated ? look.glyphs.warned : look.glyphs.passed;
  return [
    [
      span(`${mark} `, isBad ? 'bad' : record.saturated ? 'warn' : 'good'),
      span(record.phase.padEnd(12), 'strong'),
      span(` ${placed ? paceText(placed.phase) : ''}`, 'quiet'),
    ],
    [
      span(
        `  ${between(look, [
          `${count(sent)}${record.intended === null ? '' : ` of ${count(record.intended)}`} sent`,
          `${count(sum((each) => each.served))} served`,
          refused > 0 ? `${count(refused)} refused over the limit` : '',
          counted(errors, 'error'),
          counted(violations, 'violation'),
          `${count(dropped)} dropped`,
        ])}`,
      ),
    ],
    ...(sent === 0 ? [] : [[span(`  ${latencies(record)}`, 'quiet')]]),
  ];
}

/** Formats the percentiles of all responses of a phase. */
function latencies({ operations }: CapacityPhaseRecord): string {
  const { p50, p90, p99, max } = percentilesOf(sumOf(operations.map(({ latency }) => decoded(latency))));
  return `p50 ${latencyText(p50)}, p90 ${latencyText(p90)}, p99 ${latencyText(p99)}, longest ${latencyText(max)}`;
}

const TONES = { met: 'good', missed: 'bad', inconclusive: 'warn' } as const;

/** Formats the end of a load run: the generator's health, the quotable sentence, thresholds and violations. */
function closingLines(results: CapacityRun, reason: string | null, report: string, look: Look): readonly Row[] {
  const { capacity, verdict } = results;
  const texts = (label: string, words: string): Row[] =>
    wrapped(label.padEnd(18), say(look, words)).map((text) => [span(text)]);
  const glyph = { met: look.glyphs.passed, missed: look.glyphs.failed, inconclusive: look.glyphs.inconclusive };
  return [
    BLANK,
    // Remarks report missing parts.
    ...(reason === null || results.complete || capacity.problems
      ? []
      : [...texts('cut short', ended(capital(reason))), BLANK]),
    ...capacityRemarks(capacity).flatMap((remark, at) => texts(at === 0 ? 'before you rely' : '', remark)),
    ...(capacityRemarks(capacity).length > 0 ? [BLANK] : []),
    ...capacity.thresholds.map((threshold, at): Row => [
      span((at === 0 ? 'thresholds' : '').padEnd(18)),
      span(`${glyph[threshold.outcome]} `, TONES[threshold.outcome]),
      span(`${say(look, threshold.text).padEnd(32)} ${valueText(threshold)}`),
      span(threshold.outcome === 'inconclusive' ? '  inconclusive' : '', 'quiet'),
    ]),
    ...agentLines(capacity),
    ...violationKinds(capacity, results.exchanges)
      .slice(0, MOST_SHOWN)
      .flatMap((kind, at) =>
        texts(at === 0 ? 'violations' : '', `${kind.requirement}: ${kind.message} (${shownText(kind)})`),
      ),
    BLANK,
    ...texts(CAPACITY_LABELS[verdict].toUpperCase(), `${capacityClause(results)}.`),
    ...texts('report', report),
  ];
}

/** Formats the agents' shares, if there are several. */
function agentLines({ agents }: CapacityResults): readonly Row[] {
  const rows = agents.map((agent) => ({
    columns: agentColumns(agent),
    isWell: agent.problem === null && !agent.saturated,
  }));
  const widths = AGENT_COLUMNS.map((_, at) => Math.max(0, ...rows.map(({ columns }) => columns[at]?.length ?? 0)));
  return rows.map(({ columns: [name = '', , clock = '', sent = '', , , , health = ''], isWell }, at): Row => [
    span((at === 0 ? 'agents' : '').padEnd(18)),
    span(
      `${name.padEnd(widths[0] ?? 0)}  ${sent.padStart(widths[3] ?? 0)} sent${clock === '–' ? '' : `  clock ${clock.padEnd(widths[2] ?? 0)}`}  `,
    ),
    span(health, isWell ? 'quiet' : 'warn'),
  ]);
}

/** Formats an obstacle in three lines: the cause and a hint. */
const notStartedLines = ({ obstacle }: Results, report: string, look: Look): readonly Row[] =>
  [
    obstacle ? cannotStart(obstacle) : 'The run ended before anything was sent.',
    ...(obstacle ? [obstacle.hint] : []),
    `Nothing was sent. Report: ${report}`,
  ].flatMap((text) => wrapped('', say(look, text)).map((words): Row => [span(words.trimStart())]));

/** Most violations shown; the page has all. */
const MOST_SHOWN = 5;
