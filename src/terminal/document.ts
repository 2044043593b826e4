import type { Part, Requirement } from '../contract/types.js';
import type { RunLog } from '../log/run-log.js';
import type { RequirementResult, Results } from '../verdict/results.js';
import type { Outcome } from '../verdict/verdict.js';
import { likelyCauses, type KnownFlaw } from '../report/causes/likely.js';
import { curlSource } from '../words/curl.js';
import type { Places } from '../run/judge-target.js';
import { closingLines, obstacleLines } from './closing.js';
import { BLANK, hang, type Line, line, span } from './lines.js';
import type { ProfileSummary } from '../log/record.js';
import type { Look } from './look.js';
import { headerLines, preflightLines } from './opening.js';
import { changedLines, ownLines, partLines } from './part-lines.js';
import type { Evidence } from './row-lines.js';
import { partsAround } from './view.js';
import type { Exchange } from '../exchange/types.js';
import { count, counted, duration } from '../format/format.js';

function exchangeLines(exchanges: readonly Exchange[], look: Look): Line[] {
  if (exchanges.length === 0) return [];
  return [
    line(span(`${counted(exchanges.length, 'exchange')} of the suites`, 'strong')),
    ...exchanges.map((exchange) => exchangeLine(exchange, look)),
    BLANK,
  ];
}

function exchangeLine({ id, request, credential, answer, latencyMs, attempts, probe }: Exchange, look: Look): Line {
  const status = answer.kind === 'response' ? String(answer.status) : answer.code;
  const key = credential.kind === 'valid' ? credential.plan : credential.kind === 'none' ? 'no key' : credential.manner;
  const again = attempts > 1 ? `${look.glyphs.between}sent ${attempts} times` : '';
  return line(
    span(`   ${id.padEnd(5)} `, 'quiet'),
    span(`${request.method} ${request.path}`),
    span(`  ${status}`, answer.kind === 'response' ? 'strong' : 'doubt'),
    span(`  ${duration(latencyMs)}${look.glyphs.between}${key}${again}${look.glyphs.between}${probe}`, 'quiet'),
  );
}

/** Progress of printing a run's text. */
export interface Printed {
  /** True after the opening: header, preflight, and a blank line. */
  readonly opening: boolean;
  /** Rows of the printed parts, with the shown outcome. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly parts: ReadonlySet<Part>;
  readonly profiles: number;
  /** True if the last line was blank, as after a part with a block. */
  readonly endsBlank: boolean;
}

/** State before the first line. */
export const NOTHING_PRINTED: Printed = {
  opening: false,
  outcomes: new Map(),
  parts: new Set(),
  profiles: 0,
  endsBlank: false,
};

/** Returns the evidence in a log that rows may reference. */
export const evidenceOf = (log: RunLog): Evidence => ({
  exchanges: new Map(log.exchanges.map((exchange) => [exchange.id, exchange])),
  source: curlSource(log.header),
});

/**
 * The text of a finished run, less what has been printed while it went: opening, load experiments, parts in the
 * interface's order, closing. A screen shows experiments only with `--verbose`, behind the parts.
 */
export function remainingLines(
  printed: Printed,
  results: Results,
  log: RunLog,
  rows: readonly Requirement[],
  places: Places,
  look: Look,
  flaws: readonly KnownFlaw[] = [],
): Line[] {
  if (results.obstacle && !look.verbose) return obstacleLines(results.obstacle, places);
  const evidence = evidenceOf(log);
  const { before, after } = partsAround(rows, log.header);
  const experiments = log.profiles.slice(printed.profiles).flatMap((summary) => profileLines(summary, look));
  const isScreen = look.lines < Infinity;
  const closing = results.obstacle
    ? obstacleLines(results.obstacle, places)
    : closingLines(results, log, places, look, likelyCauses(results, log.exchanges, flaws));
  const body = [
    ...(isScreen ? [] : experiments),
    ...(isScreen || log.profiles.length === 0 ? [] : [BLANK]),
    ...[...before, ...after]
      .filter((part) => !printed.parts.has(part))
      .flatMap((part) => partLines(part, results.requirements, evidence, look)),
    ...changes(printed, results.requirements, evidence, look),
    ...(results.own ? ownLines(results.own, evidence, look) : []),
    ...(isScreen && look.verbose ? [...experiments, BLANK] : []),
    ...(look.verbose ? exchangeLines(log.exchanges, look) : []),
  ];
  return [
    ...(printed.opening ? [] : openingLines(log, look)),
    ...body,
    ...((body.length === 0 ? printed.endsBlank || !printed.opening : body.at(-1) === BLANK) ? [] : [BLANK]),
    ...closing,
  ];
}

/** Formats the opening: header and preflight. */
export const openingLines = ({ header, preflight }: RunLog, look: Look): Line[] => [
  ...headerLines(header, look),
  ...(preflight ? preflightLines(preflight, look) : []),
  BLANK,
];

/** Passive checks go on under load: rows that came out otherwise than had been printed are shown again. */
function changes(
  { outcomes }: Printed,
  requirements: readonly RequirementResult[],
  evidence: Evidence,
  look: Look,
): Line[] {
  const changed = requirements.filter((row) => outcomes.has(row.id) && outcomes.get(row.id) !== row.outcome);
  return [...new Set(changed.map(({ part }) => part))].flatMap((part) =>
    changedLines(
      part,
      changed.filter((row) => row.part === part),
      evidence,
      look,
    ),
  );
}

const SENTENCE_LINES = 3;

/** Formats the result of one profile of one plan. */
export function profileLines(summary: ProfileSummary, look: Look): Line[] {
  const { latency } = summary;
  return [
    ...beside(summary.profile, `${summary.plan}: ${summary.sentence}`, look),
    ...(look.verbose && latency
      ? beside(
          '',
          `${count(summary.sent)} sent, ${count(summary.served)} allowed, ${count(summary.refused)} refused, limit ` +
            `${count(summary.allowance)}; latency p50 ${duration(latency.p50)}, p90 ${duration(latency.p90)}, ` +
            `p99 ${duration(latency.p99)}, max ${duration(latency.max)}`,
          look,
        )
      : []),
  ];
}

const beside = (profile: string, text: string, look: Look): Line[] =>
  hang([span(`  load ${profile.padEnd(14)}`, 'quiet')], text, look, 'plain', SENTENCE_LINES);
