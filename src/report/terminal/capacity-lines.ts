import type { Redacted } from '../../wire/exchange/redact.js';
import { paceText } from '../../loadkit/describe.js';
import { judgeThreshold, measuredIn, throughputOf } from '../../loadkit/thresholds.js';
import { unansweredPhases } from '../../loadkit/unanswered.js';
import type { LatencyMetric } from '../../wire/scenario/threshold.js';
import type { CapacityPlan } from '../../loadkit/plan.js';
import type { CapacityPhaseRecord, SecondRecord } from '../../log/capacity-record.js';
import type { LogRecord } from '../../log/record.js';
import type { RunLog } from '../../log/run-log.js';
import type { RunDocument } from '../run-document.js';
import { annotationsOf } from '../machine/annotations.js';
import { count, counted, duration, latencyText, sum } from '../../base/kernel/format.js';
import { droppedIn, isWholeSecond, LEAST_SECOND_MS, rateIn, sumOfCounts } from '../../loadkit/figures.js';
import { capacityClause, isCapacityRun, percentileText } from '../../outcome/words/capacity.js';
import { BLANK, flow, hang, line, mark, paint, span, type Line, type Tone } from './lines.js';
import { isGithub, lookOf, say, type Look, type Output } from './look.js';
import { headerLine, preflightLines } from './opening.js';
import { screenOf } from './screen.js';
import { closingLines, notStartedLines } from './capacity-closing.js';

type Schedule = Pick<CapacityPlan, 'phases'> & {
  readonly scenario: Pick<CapacityPlan['scenario'], 'thresholds'>;
};

/** Interval of lines without redrawing, s: long enough to be quiet, short enough to show progress in a CI log. */
const PLAIN_EVERY = 10;
const LONG_WAIT_MS = 1000;

export function capacityReporter(options: Output & { readonly plan: Schedule }) {
  const { stream, env, reporter, plan } = options;
  const { live, ...screen } = screenOf(options);
  const look = lookOf(stream, env);
  const print = (...lines: readonly Line[]): void => screen.print(paint(lines, look));
  const note = (text: string): void => print(hang([], text, 'quiet'));
  const isQuiet = reporter === 'quiet';
  const seconds: SecondRecord[] = [];
  let startAt = 0;
  let toldAt = 0;

  const record = (one: Redacted<LogRecord>): void => {
    if (isQuiet) return;
    if (one.type === 'header') print(headerLine(one), BLANK);
    if (one.type === 'preflight') print(...preflightLines(one.facts), BLANK);
    if (one.type === 'waiting' && one.until - Date.now() > LONG_WAIT_MS)
      note(`waiting until ${new Date(one.until).toISOString()} for ${one.what}`);
    if (one.type === 'capacity-phase') print(...phaseLines(one, plan));
    if (one.type === 'scenario') {
      startAt = one.startAt;
      toldAt = startAt;
      if (one.startAt - Date.now() > LONG_WAIT_MS)
        note(`waiting until ${new Date(one.startAt).toISOString()}, when all parts begin`);
    }
    // The last piece of a run comes after its end, and nothing is waited for any more.
    if (one.type === 'second' && one.sent + one.underWay + secondsLeft(plan, startAt, one.at) > 0) {
      seconds.push(one);
      if (live) screen.show(paint(liveLines(seconds, plan, startAt, look), look));
      else if (
        isWholeSecond(one) &&
        one.sent + one.underWay > 0 &&
        one.at - toldAt >= PLAIN_EVERY * 1000 - LEAST_SECOND_MS
      ) {
        toldAt = one.at;
        print(plainLine(one, plan, startAt));
      }
    }
  };
  return {
    record,
    // Restores the cursor.
    [Symbol.dispose]: () => screen.close(),
    finish(document: RunDocument, log: RunLog, report: string): void {
      const { results } = document;
      screen.close();
      const reason = log.footer?.reason ?? null;
      if (!isCapacityRun(results)) return print(...notStartedLines(results, reason, report));
      if (isQuiet) {
        stream.write(`${say(look, capacityClause(results))}. Report: ${report}\n`);
        return;
      }
      print(BLANK, ...closingLines(results, reason, report));
      if (isGithub(options)) screen.print(annotationsOf(document));
    },
  };
}

/** Facts side by side, without empty ones. A narrow screen breaks the line between them, so no figure is cut. */
const facts = (lead: string, texts: readonly string[], tone: Tone = 'plain'): Line =>
  flow(
    [span(lead)],
    texts.filter(Boolean).map((text) => span(text, tone)),
  );

const statuses = (byStatus: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(byStatus).map(
    ([status, amount]) => `${status === 'none' ? 'no response' : status}: ${count(amount)}`,
  );

/** Seconds of the schedule that are left; the steps of a search are not known before. */
const secondsLeft = ({ phases }: Schedule, startAt: number, at: number): number =>
  Math.max(0, Math.round((startAt + (phases.at(-1)?.endMs ?? Infinity) - at) / 1000));

function leftText(plan: Schedule, startAt: number, at: number): string {
  const left = secondsLeft(plan, startAt, at);
  if (left === Infinity) return 'searching';
  return left > 0 ? `${duration(left * 1000)} left` : 'waiting for the last responses';
}

const perSecond = (second: SecondRecord): number => Math.round(rateIn(second, second.sent));

const tone = (amount: number): 'bad' | 'plain' => (amount > 0 ? 'bad' : 'plain');

function liveLines(
  seconds: readonly SecondRecord[],
  plan: Schedule,
  startAt: number,
  look: Look,
): readonly Line[] {
  const last = seconds.at(-1);
  if (!last) return [];
  const phase = plan.phases.find((placed) => placed.phase.name === last.phase);
  const width = Math.max(10, Math.min(40, look.columns - 40));
  const whole = seconds.filter(isWholeSecond);
  const { errors, violations } = sumOfCounts(seconds);
  const dropped = sum(seconds, (second) => second.dropped);
  const curve = (label: string, of: (second: SecondRecord) => number | null, text: string): Line =>
    line(
      span(`  ${label.padEnd(13)}${sparkLine(whole.map(of), width, look.unicode)}`),
      span(`  ${text}`, 'strong'),
    );
  return [
    line(
      span(`  ${last.phase.padEnd(12)} `, 'strong'),
      span(phase ? paceText(phase.phase) : '', 'quiet'),
      span(`${look.glyphs.between}${leftText(plan, startAt, last.at)}`),
    ),
    curve('sent', perSecond, `${count(perSecond(last))}/s`),
    // A second without a response has no latency.
    curve('p99', ({ p99 }) => (p99 === 0 ? null : p99), percentileText(last.p99)),
    line(
      span(
        `  latency      p50 ${percentileText(last.p50)}  p90 ${percentileText(last.p90)}  longest ${percentileText(last.max)}`,
      ),
    ),
    facts('  responses    ', statuses(last.byStatus).length === 0 ? ['none'] : statuses(last.byStatus)),
    flow(
      [span('  total        ')],
      [
        span(counted(errors, 'error'), tone(errors)),
        span(counted(violations, 'violation'), tone(violations)),
        span(`${count(dropped)} dropped`, tone(dropped)),
        ...(last.behind ? [span('the generator is at its limit', 'warn')] : []),
      ],
    ),
  ];
}

const plainLine = (second: SecondRecord, plan: Schedule, startAt: number): Line => {
  const until = duration(Math.round((second.at - startAt) / 1000) * 1000).padStart(8);
  return facts(
    `  ${until}  ${second.phase}  `,
    [
      leftText(plan, startAt, second.at),
      `${count(perSecond(second))}/s`,
      ...(second.p50 === 0
        ? ['none served']
        : [`p50 ${latencyText(second.p50)}`, `p99 ${latencyText(second.p99)}`]),
      ...statuses(second.byStatus),
      second.violations > 0 ? counted(second.violations, 'violation') : '',
      second.dropped > 0 ? `${count(second.dropped)} dropped` : '',
    ],
    'quiet',
  );
};

function phaseLines(record: CapacityPhaseRecord, plan: Schedule): readonly Line[] {
  const placed = plan.phases.find(({ phase }) => phase.name === record.phase);
  const { sent, served, errors, violations, refused } = sumOfCounts(record.operations);
  return [
    line(
      // Errors are for thresholds to judge: each phase has one on them.
      mark(violations > 0 ? 'failed' : judgedOf(record, plan)),
      span(record.phase.padEnd(12), 'strong'),
      span(` ${placed ? paceText(placed.phase) : ''}`, 'quiet'),
    ),
    facts('  ', [
      sentText(record, sent),
      `${count(served)} served`,
      refused > 0 ? `${count(refused)} refused over the limit` : '',
      counted(errors, 'error'),
      counted(violations, 'violation'),
      `${count(droppedIn(record))} dropped`,
    ]),
    ...(sent === 0 ? [] : [facts('  ', latencies(record), 'quiet')]),
  ];
}

/**
 * Returns how thresholds judge a phase that is over. One of the whole run that several phases share is judged
 * at its end. Whether a step of a search holds is known only to the search.
 */
function judgedOf(
  record: CapacityPhaseRecord,
  { phases, scenario }: Schedule,
): 'passed' | 'failed' | 'warned' | 'observed' {
  if (!phases.some(({ phase }) => phase.name === record.phase)) return 'observed';
  if (record.saturated !== null || record.exhausted !== undefined || !record.whole) return 'warned';
  const evidence = { phases: [record], planned: [record.phase], aborted: false };
  const missed = scenario.thresholds.filter(
    (threshold) =>
      (threshold.phase ?? record.phase) === record.phase &&
      judgeThreshold(threshold, evidence).outcome !== 'met',
  );
  const own = missed.filter(({ phase }) => phase !== null || phases.length === 1);
  const results = [
    ...own.map((threshold) => judgeThreshold(threshold, evidence)),
    ...unansweredPhases([record]),
  ];
  if (results.length === 0) return missed.length === 0 ? 'passed' : 'observed';
  return results.some(({ outcome }) => outcome === 'missed') ? 'failed' : 'warned';
}

function sentText({ intended, again = 0 }: CapacityPhaseRecord, sent: number): string {
  const repeats = again === 0 ? '' : `, ${count(again)} again`;
  return `${count(sent - again)}${intended === null ? '' : ` of ${count(intended)}`} sent${repeats}`;
}

function latencies(record: CapacityPhaseRecord): readonly string[] {
  const measured = measuredIn([record], null);
  const of = (metric: LatencyMetric): string => percentileText(measured.percentile(metric) ?? 0);
  const wait = record.intended === null ? 'longest wait' : 'longest';
  return [
    `throughput ${count(throughputOf(measured))}/s`,
    ...(['p50', 'p90', 'p99'] as const).map((metric) => `${metric} ${of(metric)}`),
    `${wait} ${of('max')}`,
  ];
}

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII_BARS = ['_', '.', ':', '-', '=', '+', '*', '#'];

/** Null is a gap. */
function sparkLine(values: readonly (number | null)[], width: number, unicode: boolean): string {
  const shown = values.slice(-width);
  const most = Math.max(1e-9, ...shown.map((value) => value ?? 0));
  const bars = unicode ? BARS : ASCII_BARS;
  return shown
    .map((value) =>
      value === null ? ' ' : (bars[Math.max(0, Math.round((value / most) * (bars.length - 1)))] ?? ''),
    )
    .join('');
}
