import type { Requirement } from '../../base/interface/types.js';
import { keyNames } from '../../base/interface/names.js';
import { capital, count, counted, duration, sumAll } from '../../base/kernel/format.js';
import { hang, span, type Line, type Span } from './lines.js';
import type { Look } from './look.js';
import type { PhaseName } from '../../log/record.js';
import type { RunLog } from '../../log/run-log.js';
import { inScope, type View, type Wait } from './view.js';

/** Columns of the bar. On a narrow terminal, and while the run waits, the words behind it need the space. */
const BAR = { wide: 20, narrow: 8 };
/** Columns of a usual terminal, less the one that stays free so that a line never wraps. */
const WIDE = 79;
/** Time of one picture of the spinner, ms. */
const FRAME_MS = 80;

/**
 * A line for what is happening now and how long the run still takes, and under it one for each key that is
 * asked a question; redrawn at the bottom of the screen. Pure.
 *
 * @param now Unix ms; the spinner and the time that is left follow from it
 */
export function liveLines(view: View, rows: readonly Requirement[], now: number, look: Look): Line[] {
  const { phase, log } = view;
  if (!log || log.footer) return [];
  const spinner = look.glyphs.spinner[Math.floor(now / FRAME_MS) % look.glyphs.spinner.length] ?? '';
  const { done, facts } = FACTS[phase](log, rows);
  const questions = questionsNow(view);
  const isQuiet = questions.length === 0;
  // Why nothing happens comes first: a narrow terminal cuts the end.
  const wait = isQuiet ? waitWords(view, now) : null;
  const lead = [
    span(`${spinner} ${phase.padEnd(7)}  `, 'strong'),
    ...(done
      ? [...bar(done, wait === null && look.columns >= WIDE ? BAR.wide : BAR.narrow, look), span('  ')]
      : []),
  ];
  const text = [
    wait,
    ...facts,
    timeLeft(view.startedAt, log, now),
    isQuiet ? sendingWords(view) : null,
  ].filter((fact) => fact !== null);
  return [
    hang(lead, text.join(look.glyphs.between), 'plain', 1),
    ...questions.map((question) => questionLine(question, now, look)),
  ];
}

/** What is known of a phase, and how much of it is done. */
interface PhaseFacts {
  readonly done?: readonly [number, number];
  readonly facts: readonly string[];
}

type FactsOf = (log: RunLog, rows: readonly Requirement[]) => PhaseFacts;

const FACTS: Readonly<Record<PhaseName, FactsOf>> = {
  preflight: () => ({ facts: ['first request'] }),
  suites: suitesFacts,
  load: (log) => ({ facts: [`${counted(log.profiles.length, 'question')} answered`] }),
  explore: exploreFacts,
  own: () => ({ facts: ['own suites'] }),
};

function suitesFacts(log: RunLog, rows: readonly Requirement[]): PhaseFacts {
  const suiteRows = rows.filter((row) => row.judgedBy.kind === 'suite' && inScope(row, log.header));
  const settled = suiteRows.filter(({ id }) => log.settled.has(id)).length;
  const musts = new Set(rows.filter(({ level }) => level === 'must').map(({ id }) => id));
  const violated = log.findings.filter(
    ({ kind, requirement }) => kind === 'violated' && musts.has(requirement),
  );
  const failed = new Set(violated.map(({ requirement }) => requirement)).size;
  return {
    done: [settled, suiteRows.length],
    facts: [
      ...(failed > 0 ? [`${count(failed)} failed so far`] : []),
      `${count(settled)} of ${count(suiteRows.length)} judged`,
      counted(log.exchanges.length, 'request'),
    ],
  };
}

function exploreFacts({ explored }: RunLog): PhaseFacts {
  if (!explored) return { facts: ['random requests'] };
  const sent = sumAll(Object.values(explored.requests));
  return { done: [sent, explored.asked], facts: [`${count(sent)} of ${counted(explored.asked, 'request')}`] };
}

/** What is left of the planned time; null once that is over, or where nothing was planned. */
function timeLeft(startedAt: number, { preflight }: RunLog, now: number): string | null {
  if (!preflight) return null;
  const left = Math.ceil(preflight.plannedSeconds - (now - startedAt) / 1000);
  return left > 0 ? `${duration(left * 1000)} left` : null;
}

type Question = View['progress'][number] & { readonly until: number };

/** The question that each key is asked now, smallest plan first. */
const questionsNow = ({ progress }: View): readonly Question[] =>
  keyNames.flatMap((name) =>
    progress.flatMap((one) =>
      one.plan === name && one.until !== undefined ? [{ ...one, until: one.until }] : [],
    ),
  );

/** "Free · the steady run · 1 min 12 s left · 95 % of the plan, evenly, for two windows". */
function questionLine({ plan, text, until }: Question, now: number, look: Look): Line {
  const [title = text, sends] = text.split(': ', 2);
  const left = until > now ? `${duration(secondsTo({ until }, now) * 1000)} left` : null;
  const facts = [title, left, sends].filter((fact) => fact !== null && fact !== undefined);
  return hang(
    [span(`  ${capital(plan).padEnd(KEY_COLUMNS)}`, 'quiet')],
    facts.join(look.glyphs.between),
    'quiet',
    1,
  );
}

/** Columns of a key's name: Enterprise is the longest that is asked. */
const KEY_COLUMNS = 11;

/** A question that takes long, as a line that is complete in itself, for a log file. */
export function questionNote({ plan, text, until }: Question, now: number, look: Look): Line {
  const [title] = text.split(': ', 1);
  const left = `until ${clock(until)} (${duration(secondsTo({ until }, now) * 1000)})`;
  return hang(
    [span(`  ${look.glyphs.waiting} `, 'quiet')],
    `limits: ${title}, first with ${plan}, ${left}`,
    'quiet',
  );
}

function sendingWords({ progress }: View): string | null {
  const sending = progress.at(-1);
  return sending ? `${sending.profile} ${sending.plan}: ${sending.text}` : null;
}

/** The longest wait; null without one, and while a key sends. */
function waitWords({ progress, waits }: View, now: number): string | null {
  if (progress.length > 0) return null;
  const [longest] = waits
    .filter(({ until }) => until > now)
    .toSorted((one, other) => other.until - one.until);
  return longest ? `waiting for ${longest.what}, ${duration(secondsTo(longest, now) * 1000)}` : null;
}

/** Formats Unix ms as this machine's time: 10:02:13. */
const clock = (at: number): string => new Date(at).toTimeString().slice(0, 8);

/**
 * One pause as lines that are complete in themselves, for a log file; with a word of comfort where there is
 * room.
 */
export function waitNote(wait: Wait, now: number, look: Look): Line {
  const prefix = `  ${look.glyphs.waiting} `;
  const text = `waiting for ${wait.what}, until ${clock(wait.until)} (${duration(secondsTo(wait, now) * 1_000)})`;
  const lines = (words: string): Line => hang([span(prefix, 'quiet')], words, 'quiet');
  const whole = lines(`${text}; nothing is wrong`);
  return whole(look).length <= lines(text)(look).length ? whole : lines(text);
}

const secondsTo = ({ until }: Pick<Wait, 'until'>, now: number): number =>
  Math.max(1, Math.ceil((until - now) / 1_000));

/** @param length in columns */
function bar([done, all]: readonly [number, number], length: number, look: Look): Span[] {
  const filled = all === 0 ? 0 : Math.round((length * done) / all);
  return [
    span(look.glyphs.barDone.repeat(filled), 'good'),
    span(look.glyphs.barLeft.repeat(length - filled), 'quiet'),
  ];
}
