import { appendFileSync, closeSync, openSync } from 'node:fs';
import type { Finding } from '../findings/finding.js';
import type { Redact, Redacted } from '../exchange/redact.js';
import { knownRedacted } from './known-redacted.js';
import type { Answer, Exchange } from '../exchange/types.js';
import { counted } from '../format/format.js';
import { cut } from '../format/visible.js';
import type { Scenario } from '../scenario/scenario.js';
import type { LogHeader, LogRecord, SampleRow } from './record.js';

/** Log of a run while it is written. One process writes at a time. */
export interface Journal {
  append(record: LogRecord): void;
  close(): void;
}

/**
 * Opens a journal in a file, one record a line. `append` writes before it returns, so a crash loses at most a line.
 * Everything that the target sent is redacted here, and only here.
 */
export function fileJournal(file: string, redact: Redact, onRecord?: (record: Redacted<LogRecord>) => void): Journal {
  const descriptor = openSync(file, 'a');
  return {
    append(record) {
      const redacted = redactRecord(record, redact);
      // On a nearly full disk, a single write may omit the end without an error.
      appendFileSync(descriptor, `${JSON.stringify(redacted)}\n`);
      onRecord?.(redacted);
    },
    close: () => closeSync(descriptor),
  };
}

/** Opens a journal in memory, for runs whose log has no reader. Their keys are valid only for the kit's own server. */
export function memoryJournal(
  onRecord?: (record: LogRecord) => void,
): Journal & { readonly records: readonly Redacted<LogRecord>[] } {
  const records: Redacted<LogRecord>[] = [];
  return {
    records,
    append(record) {
      records.push(knownRedacted(record));
      onRecord?.(record);
    },
    close: () => undefined,
  };
}

/** Redacts everything in a record that the target wrote. The kit's own words stay. */
export const redactRecord = (record: LogRecord, redact: Redact): Redacted<LogRecord> =>
  knownRedacted(withoutKeys(record, redact));

function withoutKeys(record: LogRecord, redact: Redact): LogRecord {
  switch (record.type) {
    case 'exchange':
      return { ...record, exchange: redactExchange(record.exchange, redact) };
    case 'finding':
      return { ...record, finding: redactFinding(record.finding, redact) };
    case 'created':
      return { ...record, id: redact(record.id), name: quoted(record.name, redact) };
    case 'preflight':
      return {
        ...record,
        facts: {
          ...record.facts,
          limitSeen: record.facts.limitSeen === null ? null : redact(record.facts.limitSeen),
          remarks: record.facts.remarks.map(redact),
        },
      };
    case 'series':
      return {
        ...record,
        rows: record.rows.map(
          (row) => row.map((cell, at) => (at > 0 ? redactCell(cell, at, redact) : cell)) as unknown as typeof row,
        ),
      };
    case 'profile':
      return {
        ...record,
        summary: {
          ...record.summary,
          sentence: redact(record.summary.sentence),
          marks: record.summary.marks.map((mark) => ({ ...mark, text: redact(mark.text) })),
        },
      };
    case 'progress':
      return { ...record, text: redact(record.text) };
    case 'footer':
      return {
        ...record,
        reason: record.reason === null ? null : redact(record.reason),
        ...(record.obstacle && { obstacle: { ...record.obstacle, message: redact(record.obstacle.message) } }),
        ...(record.fault !== undefined && { fault: redact(record.fault) }),
      };
    case 'capacity-phase':
      return {
        ...record,
        phase: redact(record.phase),
        violations: record.violations.map((violation) => ({ ...violation, message: redact(violation.message) })),
        remarks: record.remarks.map(redact),
      };
    case 'agents':
      return {
        ...record,
        agents: record.agents.map((agent) => ({
          ...agent,
          name: redact(agent.name),
          problem: agent.problem && redact(agent.problem),
        })),
        problems: record.problems.map(redact),
      };
    case 'own-problem':
      return { ...record, problem: { ...record.problem, message: quoted(record.problem.message, redact) } };
    case 'header':
      return redactHeader(record, redact);
    case 'scenario':
      return { ...record, scenario: redactScenario(record.scenario, redact) };
    case 'second':
      return { ...record, phase: redact(record.phase) };
    case 'explored':
    case 'phase':
    case 'settled':
    case 'waiting':
    case 'tally':
      return record;
  }
}

/** Redacts names, labels and commands: a user may type a key into them by mistake. */
function redactHeader(header: LogHeader, redact: Redact): LogHeader {
  const { target, scope, label, own, acceptance } = header;
  const { selection } = scope;
  const { origin } = new URL(target.baseUrl);
  return {
    ...header,
    // A host that contains a key was rejected earlier; reports parse the address again.
    target: { ...target, name: redact(target.name), baseUrl: origin + redact(target.baseUrl.slice(origin.length)) },
    scope: selection?.scenario
      ? { ...scope, selection: { ...selection, scenario: redact(selection.scenario) } }
      : scope,
    ...(label !== undefined && { label: redact(label) }),
    ...(own && { own: { ...own, rows: own.rows.map((row) => ({ ...row, statement: redact(row.statement) })) } }),
    ...(acceptance?.accepted && {
      acceptance: {
        ...acceptance,
        accepted: acceptance.accepted.map((each) => ({
          ...each,
          reason: redact(each.reason),
          link: redact(each.link),
        })),
      },
    }),
    command: redact(header.command),
  };
}

const redactScenario = (scenario: Scenario, redact: Redact): Scenario => ({
  ...scenario,
  name: redact(scenario.name),
  phases: scenario.phases.map((phase) => ({ ...phase, name: redact(phase.name) })),
  thresholds: scenario.thresholds.map((each) => ({
    ...each,
    text: redact(each.text),
    phase: each.phase === null ? null : redact(each.phase),
  })),
  abort: scenario.abort && { ...scenario.abort, text: redact(scenario.abort.text) },
});

/** Cells of a sample that hold headers. A target could send a key of digits as a number. */
const HEADER_CELLS: readonly number[] = [5, 6, 7];

function redactCell(cell: SampleRow[number], at: number, redact: Redact): SampleRow[number] {
  if (typeof cell === 'string') return redact(cell);
  // Shorter numbers never count as a piece of a key.
  if (typeof cell !== 'number' || cell < 100_000 || !HEADER_CELLS.includes(at)) return cell;
  const text = redact(String(cell));
  return text === String(cell) ? cell : text;
}

/** Long numbers in requests. Ids and categories come from the target, which could send a key of digits as one. */
const LONG_NUMBER = /\d{6,}/g;

function redactExchange(exchange: Exchange, redact: Redact): Exchange {
  const { request } = exchange;
  const redactNumbers = (text: string): string => text.replace(LONG_NUMBER, redact);
  return {
    ...exchange,
    probe: redactNumbers(exchange.probe),
    request: {
      ...request,
      path: redactNumbers(request.path),
      body: request.body === null ? null : redactNumbers(request.body),
    },
    answer: redactAnswer(exchange.answer, redact),
  };
}

/** Longest body that is kept, in characters: more than 100 animals of 500 characters each. The whole body was judged before. */
const MOST_KEPT = 65_536;

/** Longest response text, or quote of a header or finding, that is kept, in characters. */
const MOST_QUOTED = 4_096;

/** Longer than any key in its longest encoded form. */
const LONGEST_FORM = 8_192;

/**
 * Returns the beginning of a text, redacted before the cut: half a key would not be found. Searches the rest only as far as
 * a key across the cut may reach.
 */
function beginning(text: string, length: number, redact: Redact): string {
  if (text.length <= length) return cut(redact(text), length).text;
  const searched = redact(text.slice(0, length + LONGEST_FORM));
  return cut(searched, Math.max(0, Math.min(length, searched.length - LONGEST_FORM))).text;
}

function quoted(text: string, redact: Redact): string {
  const kept = beginning(text, MOST_QUOTED, redact);
  return text.length <= MOST_QUOTED ? kept : `${kept}… (cut from ${counted(text.length, 'character')})`;
}

function redactAnswer(answer: Answer, redact: Redact): Answer {
  if (answer.kind === 'none') return { ...answer, message: quoted(answer.message, redact) };
  const { text } = answer;
  return {
    ...answer,
    headers: answer.headers.map(([name, value]) => [quoted(name, redact), quoted(value, redact)] as const),
    text: beginning(text, MOST_KEPT, redact),
    ...(text.length > MOST_KEPT && { cutFrom: answer.cutFrom ?? Buffer.byteLength(text) }),
  };
}

/** Redacts and shortens every text of a finding, since it may quote the target. */
export function redactFinding(finding: Finding, redactWhole: Redact): Finding {
  const redact: Redact = (text) => quoted(text, redactWhole);
  switch (finding.kind) {
    case 'kept':
      return finding.message === undefined ? finding : { ...finding, message: redact(finding.message) };
    case 'violated':
      return {
        ...finding,
        message: redact(finding.message),
        ...(finding.expected !== undefined && { expected: redact(finding.expected) }),
        ...(finding.actual !== undefined && { actual: redact(finding.actual) }),
        ...(finding.story && { story: { ...finding.story, steps: finding.story.steps.map(redact) } }),
      };
    case 'observed':
      return {
        ...finding,
        value: redact(finding.value),
        ...(finding.subject !== undefined && { subject: redact(finding.subject) }),
      };
    case 'inconclusive':
    case 'not-applicable':
      return { ...finding, reason: { ...finding.reason, text: redact(finding.reason.text) } };
    case 'untried':
      return { ...finding, what: redact(finding.what) };
    case 'fault':
      return { ...finding, message: redact(finding.message) };
  }
}
