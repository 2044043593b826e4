import type { Part } from '../../base/interface/names.js';
import { isPlayed, type RunLog } from '../../log/run-log.js';
import { resultsOf, type Results } from '../../outcome/results/results.js';
import type { Outcome } from '../../judge/verdict.js';
import { runDocument, type PartView, type RunDocument } from '../run-document.js';
import { curlSource } from '../../wire/exchange/curl.js';
import type { ReportPlaces } from '../run-reporter.js';
import { behaviourLines, recordLines } from './client-lines.js';
import { closingLines as closingLinesOfLoad } from './capacity-closing.js';
import { closingLines, obstacleLines } from './closing.js';
import { BLANK, hang, type Line, line, span } from './lines.js';
import { isCapacityRun } from '../../outcome/words/capacity.js';
import { remarksOnTraffic } from '../../outcome/words/traffic.js';
import type { ProfileSummary } from '../../log/record.js';
import type { Look } from './look.js';
import { firstRunLines, firstRunPart, heightOf, isFirstRun, WHOLE, type Form } from './first-run.js';
import { headerLine, preflightLines } from './opening.js';
import type { TerminalOptions } from './reporter.js';
import { changedLines, ownLines, partLines, type Depth } from './part-lines.js';
import type { Evidence } from './row-lines.js';
import { suitesLine } from './suites-line.js';
import { isSettled, type View } from './view.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { count, counted, duration, grouped } from '../../base/kernel/format.js';

function exchangeLines(exchanges: readonly Exchange[], look: Look): Line[] {
  if (exchanges.length === 0) return [];
  return [
    line(span(`${counted(exchanges.length, 'exchange')} of the suites`, 'strong')),
    ...exchanges.map((exchange) => exchangeLine(exchange, look)),
    BLANK,
  ];
}

function exchangeLine(
  { id, request, credential, answer, latencyMs, attempts, probe }: Exchange,
  look: Look,
): Line {
  const status = answer.kind === 'response' ? String(answer.status) : answer.code;
  const key =
    credential.kind === 'valid' ? credential.plan : credential.kind === 'none' ? 'no key' : credential.manner;
  const again = attempts > 1 ? `${look.glyphs.between}sent ${attempts} times` : '';
  return line(
    span(`   ${id.padEnd(5)} `, 'quiet'),
    span(`${request.method} ${request.path}`),
    span(`  ${status}`, answer.kind === 'response' ? 'strong' : 'doubt'),
    span(
      `  ${duration(latencyMs)}${look.glyphs.between}${key}${again}${look.glyphs.between}${probe}`,
      'quiet',
    ),
  );
}

/**
 * Creates the text of a run, in pieces: `more` returns what can be printed now of a current run, and `end`
 * the rest. In order: opening, load experiments, parts in the interface's order, closing. A screen shows
 * experiments only with `--verbose`, behind the parts. Both take how many lines of the run were printed so
 * far.
 */
export function transcript({ rows }: Pick<TerminalOptions, 'rows'>) {
  let isOpen = false;
  let profiles = 0;
  let isBlank = false;
  let suites: 'none' | 'running' | 'over' = 'none';
  const parts = new Set<Part>();
  const outcomes = new Map<string, Outcome>();

  const opening = ({ header, preflight }: RunLog): Line[] => {
    if (isOpen) return [];
    isOpen = true;
    return [headerLine(header), ...(preflight ? preflightLines(preflight) : []), BLANK];
  };
  const experiments = (log: RunLog, look: Look): Line[] => {
    const fresh = log.profiles.slice(profiles);
    profiles = log.profiles.length;
    // All plans are asked the same: the smallest one's lines show where a run is.
    const { plans, selection } = log.header.scope;
    const smallest = plans.find((plan) => selection?.plans?.includes(plan) ?? true);
    const shown = fresh.filter(({ plan }) => look.verbose || plan === smallest || plan === 'sacrificial');
    return shown.flatMap((summary) => profileLines(summary, look));
  };
  const left = (): readonly Part[] =>
    [...new Set(rows.map(({ part }) => part))].sort((a, b) => a - b).filter((part) => !parts.has(part));

  return {
    more(view: View, look: Look, printed: number): readonly Line[] {
      const { log } = view;
      // A run that cannot start has only three lines, so the opening waits for the start.
      if (!log?.preflight) return [];
      const lines = opening(log);
      if (view.phase === 'suites') suites = 'running';
      if (view.phase === 'load' && suites === 'running') {
        suites = 'over';
        const verdict = suitesLine(log, rows);
        if (verdict !== null) lines.push(verdict, ...(look.isScreen ? [BLANK] : []));
      }
      // A file holds what was done first and the verdict in one piece below; a screen shows each part as it is settled.
      if (!look.isScreen) lines.push(...experiments(log, look));
      else
        for (const part of left()) {
          if (!rows.every((row) => row.part !== part || isSettled(row, view))) break;
          const soFar = runDocument(resultsOf(log, rows), { log });
          const atDepth = (depth: Depth): readonly Line[] =>
            partsIn(soFar, [part]).flatMap((one) => partLines(one, soFar.rows, evidenceOf(log, look), depth));
          const isCounted = isFirstRun(log.header) && !look.verbose;
          lines.push(
            ...(isCounted ? firstRunPart(atDepth, printed + heightOf(lines, look), look) : atDepth('full')),
          );
          parts.add(part);
          for (const row of soFar.rows) if (row.part === part) outcomes.set(row.id, row.outcome);
        }
      if (lines.length > 0) isBlank = lines.at(-1) === BLANK;
      return lines;
    },
    end(
      document: RunDocument,
      log: RunLog,
      places: ReportPlaces,
      look: Look,
      printed: number,
    ): readonly Line[] {
      const { results, rows: views, own } = document;
      const { obstacle } = results;
      if (obstacle && !look.verbose) return obstacleLines({ ...results, obstacle }, places);
      const evidence = evidenceOf(log, look);
      const load = experiments(log, look);
      // Passive checks go on under load: rows that came out otherwise than had been printed are shown again.
      const changed = views.filter((row) => (outcomes.get(row.id) ?? row.outcome) !== row.outcome);
      const before = [
        ...opening(log),
        ...trafficLines(log, results),
        ...(look.isScreen ? [] : load),
        ...(look.isScreen || log.profiles.length === 0 ? [] : [BLANK]),
      ];
      const parts = partsIn(document, left());
      const ending = (faults: Form['faults']): readonly Line[] => {
        if (obstacle) return obstacleLines({ ...results, obstacle }, places);
        if (isCapacityRun(results))
          return closingLinesOfLoad(results, log.footer?.reason ?? null, places.report);
        return closingLines(document, log, places, { verbose: look.verbose, faults });
      };
      const inForm = ({ depth, shows, faults }: Form): readonly Line[] => {
        const lines = [
          ...before,
          ...parts.filter(shows).flatMap((part) => partLines(part, views, evidence, depth)),
          ...(depth === 'full' ? [...grouped(changed, ({ part }) => part)] : []).flatMap(([part, of]) =>
            changedLines(part, of, evidence),
          ),
          ...(own && results.own ? ownLines(own, results.own, evidence) : []),
          ...(look.isScreen && look.verbose ? [...load, BLANK] : []),
          ...(look.verbose ? exchangeLines(log.exchanges, look) : []),
        ];
        return [
          ...lines,
          ...((lines.length === 0 ? isBlank : lines.at(-1) === BLANK) ? [] : [BLANK]),
          ...ending(faults),
        ];
      };
      return isFirstRun(log.header) && !look.verbose ? firstRunLines(inForm, printed, look) : inForm(WHOLE);
    },
  };
}

const partsIn = ({ parts }: RunDocument, wanted: readonly Part[]): readonly PartView[] =>
  parts.filter(({ part }) => wanted.includes(part));

function trafficLines({ traffic }: RunLog, results: Results): readonly Line[] {
  if (traffic.length === 0) return [];
  const remarks = results.traffic ? remarksOnTraffic(results.traffic) : [];
  return [
    ...remarks.map((remark) => hang([span('  ')], remark, 'quiet')),
    ...(remarks.length === 0 ? [] : [BLANK]),
    ...traffic.flatMap(recordLines),
    BLANK,
    ...behaviourLines(traffic),
    BLANK,
  ];
}

const evidenceOf = (log: RunLog, { verbose }: Look): Evidence => ({
  source: curlSource(log.header, log.exchanges, isPlayed(log)),
  verbose,
});

const SENTENCE_LINES = 3;
/** Columns before the sentence of a profile. */
const PROFILE_COLUMNS = 21;

/**
 * Returns as many whole clauses of a sentence as fit into a length, or its first words up to a comma or a
 * bracket, without a full stop. The report has the others.
 */
function clausesWithin(sentence: string, length: number): string {
  if (sentence.length <= length) return sentence.replace(/\.$/, '');
  const before = (end: RegExp): string | undefined =>
    [...sentence.matchAll(end)]
      .map(({ index }) => sentence.slice(0, index))
      .findLast((prefix) => prefix.length <= length && !/\([^)]*$/.test(prefix));
  return before(/; |: |\. /g) ?? before(/, | \(/g) ?? sentence;
}

/** One row each, so that the verdict stays on the first screen. */
const profileLines = ({ latency, ...summary }: ProfileSummary, { verbose, columns }: Look): Line[] => [
  beside(
    summary.profile,
    verbose
      ? `${summary.plan}: ${summary.sentence}`
      : `${summary.plan}: ${clausesWithin(summary.sentence, columns - PROFILE_COLUMNS - summary.plan.length - 2)}`,
  ),
  ...(verbose && latency
    ? [
        beside(
          '',
          `${count(summary.sent)} sent, ${count(summary.served)} allowed, ${count(summary.refused)} refused, limit ` +
            `${count(summary.allowance)}; latency p50 ${duration(latency.p50)}, p90 ${duration(latency.p90)}, ` +
            `p99 ${duration(latency.p99)}, max ${duration(latency.max)}`,
        ),
      ]
    : []),
];

const beside = (profile: string, text: string): Line =>
  hang([span(`  load ${profile}`.padEnd(PROFILE_COLUMNS), 'quiet')], text, 'plain', SENTENCE_LINES);
