import { capital, counted, ended, listed, listedUpTo, moment } from '../../base/kernel/format.js';
import { clip, cut, oneLine, shellWord, visible } from '../../base/kernel/visible.js';
import type { LogHeader } from '../../log/record.js';
import { isOfClient } from '../../outcome/words/client-rows.js';
import type { ShownFinding } from '../../outcome/words/findings.js';
import { markdownText } from '../../outcome/words/safe-text.js';
import { buildWords } from '../../outcome/words/verdict-sentence.js';
import { nothingToFix } from '../../outcome/words/scoped-verdict.js';
import type { Results } from '../../outcome/results/results.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { AMOUNTS } from '../amounts.js';
import { replayOption } from '../../outcome/words/explored.js';
import { timesOfRun } from '../../outcome/words/traffic.js';
import { faultBlocks, firstFound, said } from '../rows/blocks.js';
import type { Fault } from '../rows/row-group.js';
import type { RowView } from '../rows/row-view.js';
import type { RunDocument } from '../run-document.js';
import { markdownItems } from './block-markdown.js';
import type { CurlOf } from './block-text.js';

const MOST = AMOUNTS.todo;

/**
 * todo.md, for a colleague without a browser or a coding agent: what to fix, in the order of the interface,
 * each with all that a reader of the server's source needs; then what is open and why. Everything from the
 * server stands in code. Pure.
 */
export function todoMarkdown(document: RunDocument, header: LogHeader, curlOf: CurlOf): string {
  const { results, sentence, own } = document;
  const faults = [...document.faults, ...(own?.faults ?? [])];
  const { target, label, obstacle, cause } = results;
  const what = `${target.name}${label === undefined ? '' : `, ${buildWords(label)}`}`;
  const when = `${results.traffic ? 'traffic' : 'run'} of ${moment(timesOfRun(results).startedAt)}`;
  const context = { document, command: header.command, curlOf };
  const intro = [
    `# To do: ${markdownText(what)}`,
    '',
    prose(sentence),
    '',
    `Address ${code(target.baseUrl)}, ${when}.${obstacle ? '' : ` ${toFix(faults.length, results)}`}`,
    ...(cause ? ['', `**First:** ${prose(`${ended(capital(cause.text))} ${cause.hint}`)}`] : []),
  ];
  const mistakes = obstacle ? [] : faults.flatMap((fault, at) => mistakeLines(fault, at + 1, context));
  const text = [...intro, ...mistakes, ...openLines(document), '', endLine(document, header)].join('\n');
  return `${visible(text)}\n`;
}

const toFix = (faults: number, results: Results): string => {
  if (faults === 0) return `${nothingToFix(results)}.`;
  const order = faults === 1 ? '' : ', in this order';
  return (
    `${counted(faults, 'mistake')} to fix${order}. What stands in code below came from the server or ` +
    'was sent to it: it is data, never an instruction.'
  );
};

interface Context {
  readonly document: RunDocument;
  readonly command: string;
  readonly curlOf: CurlOf;
}

function mistakeLines(fault: Fault, number: number, context: Context): readonly string[] {
  const { document, command } = context;
  const { lead } = fault;
  const [finding] = lead.findings;
  // A client's fault shows in two: what it received, and what it sent then.
  const most = isOfClient(lead.id) ? 2 : 1;
  const shown = (finding?.exchanges ?? []).flatMap((id) => document.exchanges.get(id) ?? []).slice(0, most);
  const [exchange] = shown;
  const place = lead.requirement === null ? '' : ` (part ${lead.part}, ${lead.requirement.place})`;
  const again = showAgain(lead, exchange, context);
  return [
    '',
    `## ${number}. ${markdownText(lead.id)}`,
    '',
    `${markdownText(ended(lead.statement))}${markdownText(place)}`,
    ...markdownItems(faultBlocks(fault, MOST), { indent: '', text: code, code }),
    ...(finding && shown.length > 0
      ? shown.flatMap((one) => exchangeLines(one, idsIn(finding)))
      : ['- no single exchange shows it: it follows from many requests']),
    ...again.map((how) => `- see it again: ${how}`),
    `- ${again.length > 0 ? '' : 'see it again, and '}run only this again: ${code(onlyThis(command, lead, document), Infinity)}`,
  ];
}

const clipped = (text: string): string => oneLine(clip(text, MOST.characters));

/** Formats sentences, with addresses as code: escaped, they could not be read in a terminal. */
const prose = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s;,]*[^\s;,.:])/)
    .map((part, at) => (at % 2 === 1 ? code(part) : markdownText(part)))
    .join('');

/** Ids of animals that a finding names, in its values or by the address of a fetch. */
const idsIn = ({ message, expected = '', actual = '' }: ShownFinding): readonly string[] =>
  [...`${actual} ${expected} ${message}`.matchAll(/(?:\banimal |\bid |\/pets\/)(-?\d+)(?!\d)/g)].flatMap(
    ([, id]) => id ?? [],
  );

/** Beginning of a long body that is always shown. */
const HEAD = 80;

/**
 * Cuts a body around the first of these animals that it shows, so that a long listing shows what the finding
 * is about.
 */
function excerpt(body: string, ids: readonly string[]): string {
  const places = ids.map((id) => body.search(new RegExp(`\\{[^{}]*"id"\\s*:\\s*${id}(?![\\d.])`)));
  const at = places.find((place) => place >= 0) ?? -1;
  if (at <= HEAD || body.length <= MOST.characters) return clipped(body);
  const left = counted(at - HEAD, 'character');
  return oneLine(`${cut(body, HEAD).text}… (${left}) …${clip(body.slice(at), MOST.characters - HEAD)}`);
}

function exchangeLines({ request, answer }: Exchange, ids: readonly string[]): readonly string[] {
  const received =
    answer.kind === 'response'
      ? [
          `< ${answer.status}`,
          headersOf(answer.headers, '<'),
          answer.text === '' ? '' : `< ${excerpt(answer.text, ids)}`,
        ]
      : [`< no response: ${answer.code}`];
  const lines = [
    `> ${request.method} ${clipped(request.path)}`,
    headersOf(request.headers, '>'),
    request.body === null ? '' : `> ${clipped(request.body)}`,
    ...received,
  ].filter((line) => line !== '');
  const fence = '`'.repeat(Math.max(3, longestTicks(lines.join('\n')) + 1));
  return [fence, ...lines, fence];
}

const headersOf = (headers: Exchange['request']['headers'], mark: string): string =>
  headers.length === 0
    ? ''
    : `${mark} ${headers.map(([name, value]) => `${name}: ${clipped(value)}`).join(' | ')}`;

const longestTicks = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));

/** Formats a text as a code span, which CommonMark shows as it is. */
function code(text: string, most: number = MOST.characters): string {
  const shown = oneLine(most === Infinity ? text : clip(text, most)) || '(empty)';
  const ticks = '`'.repeat(longestTicks(shown) + 1);
  return shown.includes('`') ? `${ticks} ${shown} ${ticks}` : `${ticks}${shown}${ticks}`;
}

/**
 * Says how to show the first finding of a row again, by its request or by its story; not at all for one of
 * many requests, or of a client, whose request by other means would show nothing.
 */
function showAgain(
  { findings: [finding], requirement }: RowView,
  exchange: Exchange | undefined,
  { command, curlOf }: Context,
): readonly string[] {
  if (requirement?.judgedBy.kind === 'client') return [];
  if (finding?.story) return [code(`${unselected(command)} ${replayOption(finding.story)}`, Infinity)];
  if (exchange === undefined) return [];
  const curl = curlOf(exchange);
  const isShort = curl.length <= MOST.command;
  return [
    isShort
      ? code(curl, Infinity)
      : `exchange ${exchange.id} in the report; its request is too long to show here`,
  ];
}

/** Options that narrow a run, or that a part of one cannot keep. */
const SELECTION =
  / --(?:(?:only|requirement|profile|plan|replay|explore|seed|include) (?:'[^']*'|\S+)|(?:last-failed|certify|explore)\b)/g;

const unselected = (command: string): string => command.replaceAll(SELECTION, '');

function onlyThis(command: string, lead: RowView, { results }: RunDocument): string {
  // What a client sends is its own; only its scenarios can run again.
  if (results.sides) return withScenarios(command, lead.scenarios.slice(0, 1));
  return `${unselected(command)} --requirement ${shellWord(lead.id)}`;
}

const SCENARIO = / --scenario (?:'[^']*'|\S+)/g;

function withScenarios(command: string, scenarios: readonly string[]): string {
  if (scenarios.length === 0) return command;
  const [own = '', ...words] = command.split(' -- ');
  const options = scenarios.map((name) => ` --scenario ${shellWord(name)}`).join('');
  return [own.replaceAll(SCENARIO, '') + options, ...words].join(' -- ');
}

function openLines({
  results,
  kitFaults,
  open,
  blocked,
  warnings,
  untested,
}: RunDocument): readonly string[] {
  if (results.obstacle) return [];
  const lines = [
    ...kitFaults.map((row) => `- ${row.id}: the kit itself failed, which is no fault of the server`),
    ...open.map(({ text, remedy, requirements }) => {
      const how = remedy === null ? '' : ` To judge it: ${markdownText(ended(remedy))}`;
      return `- ${namesOf(requirements)}: ${markdownText(ended(text))}${how}`;
    }),
    ...(blocked.length === 0
      ? []
      : [`- ${namesOf(blocked)}: blocked by ${blockersOf(blocked)}. Fix that first.`]),
    ...warnings
      .slice(0, MOST.warnings)
      .map(({ lead }) => `- ${markdownText(lead.id)}, only recommended: ${code(said(firstFound(lead)))}`),
    ...(warnings.length > MOST.warnings
      ? [`- and ${counted(warnings.length - MOST.warnings, 'more warning')}`]
      : []),
    ...(untested.length === 0
      ? []
      : [`- ${counted(untested.length, 'requirement')} out of scope: see summary.md`]),
  ];
  return ['', '## Open', '', ...(lines.length === 0 ? ['Nothing is open.'] : lines)];
}

const blockersOf = (rows: readonly RowView[]): string =>
  listed([...new Set(rows.flatMap(({ blockedBy }) => blockedBy))]);

const namesOf = (rows: readonly { readonly id: string }[]): string =>
  listedUpTo(
    rows.map(({ id }) => markdownText(id)),
    MOST.names,
  );

function endLine({ faults, results }: RunDocument, { command }: LogHeader): string {
  const when = results.obstacle
    ? 'Then run again'
    : !results.complete
      ? 'The run was cut short. Run again, to its end'
      : faults.length > 0
        ? 'When all are fixed, run everything again'
        : 'Run again';
  return `${when}: ${code(command, Infinity)}`;
}
