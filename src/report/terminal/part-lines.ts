import type { Level } from '../../base/interface/types.js';
import type { OwnResults } from '../../outcome/results/results.js';
import { WORST_FIRST, type Outcome } from '../../judge/verdict.js';
import { OUTCOME_LABELS } from '../../outcome/words/outcomes.js';
import { OWN_TITLE, problemText } from '../../outcome/words/own.js';
import { AMOUNTS } from '../amounts.js';
import { isBeyondOneRun } from '../../outcome/words/reasons.js';
import { hasOutcome } from '../../outcome/words/required-count.js';
import { type Part, partTitles } from '../../base/interface/names.js';
import { count, grouped } from '../../base/kernel/format.js';
import { BLANK, flow, hang, line, lineWidth, mark, paint, span, TONES, widthOf, type Line } from './lines.js';
import { lookOf, say, type Look } from './look.js';
import type { RowGroup } from '../rows/row-group.js';
import type { RowView } from '../rows/row-view.js';
import type { PartView, RunDocument } from '../run-document.js';
import {
  acceptedLines,
  blockedLines,
  faultLines,
  fullLines,
  openLines,
  openLinesInBrief,
  titleLine,
  violationLines,
  type Evidence,
} from './row-lines.js';

const LEAD = 2;
const ASIDE_INDENT = '   ';
/** Width of the parts' titles; the longest is "Authentication". */
const TITLE_WIDTH = 16;

/** How much a part shows of the rows that did not pass: all, a line each, or only how many there are. */
export type Depth = 'full' | 'brief' | 'counted';

/**
 * Formats one part of the interface: a line, and below it the rows that did not pass; with `verbose` all
 * rows. Rows that were not selected, not reached or beyond traffic are omitted. A part without rows has no
 * line.
 *
 * @param rows all rows of the run
 */
export const partLines = (
  part: PartView,
  rows: readonly RowView[],
  evidence: Evidence,
  depth: Depth = 'full',
): Line[] => groupLines(`${part.part}  ${part.title}`, part, rows, evidence, depth);

/** Without colour. */
export function failingCards({ parts, rows, results }: RunDocument): readonly string[] {
  const look = { ...lookOf(process.stderr, process.env, false), colour: false, isScreen: false };
  const evidence = { source: { baseUrl: results.target.baseUrl }, verbose: false };
  const lines = parts
    .filter((part) => part.rows.some(isBad))
    .flatMap((part) => partLines(part, rows, evidence));
  return paint(lines, look).map((text) => text.trimEnd());
}

const isBad = ({ level, outcome }: RowView): boolean =>
  outcome === 'failed' || outcome === 'error' || (level === 'must' && outcome === 'inconclusive');

export function ownLines(own: RowGroup, { problems }: OwnResults, evidence: Evidence): Line[] {
  const broken = problems.map((problem) =>
    hang([span(ASIDE_INDENT), mark('error', ''), span(' ')], problemText(problem)),
  );
  return [
    ...groupLines(OWN_TITLE, own, own.rows, evidence),
    ...broken,
    ...(broken.length > 0 ? [BLANK] : []),
  ];
}

function groupLines(
  title: string,
  group: RowGroup,
  rows: readonly RowView[],
  evidence: Evidence,
  depth: Depth = 'full',
): Line[] {
  const { verbose } = evidence;
  const all = group.rows.filter(
    ({ reason }) => reason?.code !== 'not-selected' && reason?.code !== 'beyond-traffic',
  );
  if (all.length === 0 || (!verbose && wasNotReached(all))) return [];
  const block = verbose
    ? all.flatMap((row) => fullLines(row, evidence))
    : BLOCKS[depth](group, rows, evidence);
  // Rows out of scope stand next to the heading, or, without room, below the block.
  const withAside: Line = (look) => {
    const starts = heading(title, all)(look);
    const { spans = [] } = starts.at(-1) ?? {};
    const aside = asideForms(all, look);
    const { between } = look.glyphs;
    const beside = fitting(aside, look.columns - lineWidth(spans) - widthOf(between));
    const below =
      beside === '' && block.length > 0 ? fitting(aside, look.columns - widthOf(ASIDE_INDENT) - 2) : '';
    const isFollowing = starts.length > 1 || spans.length > LEAD;
    const joined = [...(isFollowing ? [span(between, 'quiet')] : []), span(beside, 'quiet')];
    return [
      ...starts.slice(0, -1),
      { spans: [...spans, ...(beside === '' ? [] : joined)] },
      ...block.flatMap((one) => one(look)),
      ...(below === ''
        ? []
        : [{ spans: [span(ASIDE_INDENT), mark('not-applicable', ''), span(` ${below}`, 'quiet')] }]),
    ];
  };
  return [withAside, ...(block.length === 0 ? [] : [BLANK])];
}

export function changedLines(part: Part, rows: readonly RowView[], evidence: Evidence): Line[] {
  const heading = [
    mark(worstOf(rows), ''),
    span(` ${part}  ${partTitles[part].padEnd(TITLE_WIDTH)}`, 'strong'),
  ];
  return [
    line(...heading, span('changed since it was printed above')),
    ...rows.flatMap((row) => fullLines(row, evidence)),
    BLANK,
  ];
}

const isPending = ({ reason }: RowView): boolean => reason?.code === 'interrupted';

const wasNotReached = (rows: readonly RowView[]): boolean =>
  rows.some(isPending) && rows.every((row) => isPending(row) || row.outcome === 'not-applicable');

const worstOf = (rows: readonly RowView[]): Outcome =>
  WORST_FIRST.find((outcome) => rows.some((row) => row.shown === outcome)) ?? 'inconclusive';

/**
 * Formats a heading such as "✓ 4 Endpoints 20 of 20 · 8 observed": first the rows that can pass, then the
 * others.
 */
function heading(title: string, rows: readonly RowView[]): Line {
  const amount = (outcome: Outcome) => rows.filter((row) => hasOutcome(row, outcome)).length;
  const accepted = rows.filter(({ acceptedUntil }) => acceptedUntil !== undefined).length;
  const judged = rows.filter(
    ({ level, outcome }) => CAN_PASS.has(level) && outcome !== 'not-applicable',
  ).length;
  const passed = amount('passed');
  const facts = [
    ...(judged > 0 ? [`${count(passed)} of ${count(judged)}${passed === judged ? '' : ' passed'}`] : []),
    ...COUNTED.flatMap((outcome) =>
      amount(outcome) > 0 ? [span(`${count(amount(outcome))} ${WORDS[outcome]}`, TONES[outcome])] : [],
    ),
    ...(accepted > 0 ? [span(`${count(accepted)} accepted`, TONES.warned)] : []),
  ];
  const lead = [mark(worstOf(rows), ''), span(` ${title.padEnd(TITLE_WIDTH + 3)}`, 'strong')];
  return flow(lead, facts);
}

const CAN_PASS: ReadonlySet<Level> = new Set(['must', 'should']);

const WORDS = { ...OUTCOME_LABELS, error: 'not judged because of a kit fault' };
const COUNTED = ['error', 'failed', 'warned', 'inconclusive', 'observed'] as const;

/**
 * Formats rows worst first, then in the interface's order. Rows blocked by a broken one appear only with it.
 *
 * @param all the rows of all parts
 */
function notPassed(group: RowGroup, all: readonly RowView[], evidence: Evidence): Line[] {
  const part = group.rows[0]?.part ?? 1;
  const failedSoFar = new Set(
    all.filter((row) => hasOutcome(row, 'failed') && row.part <= part).map(({ id }) => id),
  );
  return [
    ...group.kitFaults.flatMap((row) => violationLines(row, evidence)),
    ...[...group.faults, ...group.warnings].flatMap((fault) =>
      faultLines({ ...fault, blocks: fault.blocks.filter((row) => row.part >= part) }, evidence),
    ),
    ...group.open.filter(({ code }) => code !== 'interrupted').flatMap(openLines),
    ...blockedLines(group.blocked.filter(({ blockedBy }) => !blockedBy.some((id) => failedSoFar.has(id)))),
    ...acceptedLines(group.accepted),
  ];
}

function notPassedInBrief({ rows, kitFaults, faults, warnings, accepted }: RowGroup): Line[] {
  const open = rows.filter((row) => hasOutcome(row, 'inconclusive') && !isPending(row));
  return [
    ...[...kitFaults, ...[...faults, ...warnings].map(({ lead }) => lead), ...accepted].map(titleLine),
    ...openLinesInBrief(open, AMOUNTS.terminal.firstRun.reasons),
  ];
}

const BLOCKS: Readonly<Record<Depth, typeof notPassed>> = {
  full: notPassed,
  brief: notPassedInBrief,
  counted: () => [],
};

/**
 * Returns forms of the out-of-scope rows, longest first: figures with full reasons, with short ones, and
 * without. The first that fits is shown. Rows that no single run can show are only counted if there are
 * others: they are the same in every run, and the report has the reasons.
 */
function asideForms(rows: readonly RowView[], look: Look): readonly string[] {
  const away = rows.filter(({ outcome }) => outcome === 'not-applicable');
  if (away.length === 0) return [];
  const listed = away.length === rows.length ? away : away.filter((row) => !isBeyondOneRun(row));
  const total = `${count(away.length)} not tested`;
  const reasons = [whole(listed, away.length), inWords(listed, away.length)].filter(
    (reason) => reason !== '',
  );
  return [...reasons.map((reason) => total + say(look, reason)), total];
}

const fitting = (forms: readonly string[], room: number): string =>
  forms.find((form) => widthOf(form) <= room) ?? '';

/** Returns the only reason in its own words: ": before 2030-12-05". */
function whole(away: readonly RowView[], all: number): string {
  const texts = new Set(away.map(({ reason }) => reason?.text ?? ''));
  const [only = ''] = texts;
  return texts.size === 1 && away.length === all ? `: ${only}` : '';
}

/**
 * Returns ": opt-in"; ": 5 opt-in, 1 no key" for different ones; ", of them 5 opt-in" if the others need no
 * reason.
 */
function inWords(away: readonly RowView[], all: number): string {
  const groups = [...grouped(away, ({ reason }) => reason?.words ?? '')];
  const [only] = groups;
  if (!only) return '';
  if (only[1].length === all) return `: ${only[0]}`;
  const ofThem = away.length === all ? ': ' : ', of them ';
  return ofThem + groups.map(([words, { length }]) => `${count(length)} ${words}`).join(', ');
}
