import type { Part, Requirement } from '../contract/types.js';
import type { RunLog } from '../log/run-log.js';
import type { Places, RunReporter } from '../run/judge-target.js';
import { resultsOf, type Results } from '../verdict/results.js';
import type { KnownFlaw } from '../report/causes/likely.js';
import { annotationsOf } from '../report/machine/annotations.js';
import { evidenceOf, NOTHING_PRINTED, openingLines, profileLines, remainingLines, type Printed } from './document.js';
import { BLANK, paint, type Line } from './lines.js';
import { liveLines, waitNote } from './live-lines.js';
import { isGithub, lookOf, say, type Look, type Output } from './look.js';
import { partLines } from './part-lines.js';
import { screenOf } from './screen.js';
import { closingSentence } from './closing.js';
import { isSettled, NOTHING_SEEN, partsAround, viewing, type View } from './view.js';

/** Options of a run's reporter: the stream and the form of its text. */
export interface TerminalOptions extends Output {
  readonly verbose: boolean;
  readonly rows: readonly Requirement[];
  /** Known flaws, read at the end; none by default. */
  readonly flaws?: () => readonly KnownFlaw[];
  /** Unix ms; for tests. */
  readonly now?: () => number;
}

/** Interval of redrawing, ms: short enough for a spinner, long enough for a slow connection. */
const REDRAW_MS = 100;
/** Shortest wait that gets its own line without redrawing, ms, so that a CI log shows progress. */
const LONG_WAIT_MS = 10_000;

/** Creates a reporter for one run. */
export function createTerminalReporter(options: TerminalOptions): RunReporter {
  if (options.reporter === 'quiet')
    return {
      record: () => undefined,
      finish: (...run) => void options.stream.write(renderFinal(...run, options)),
      [Symbol.dispose]: () => undefined,
    };
  const { rows, now = Date.now } = options;
  const { live, ...screen } = screenOf(options);
  const look = () => lookFor(options);
  const print = (lines: readonly Line[]) => screen.print(lines.map((line) => paint(line, look())));
  const see = viewing();
  let view: View = NOTHING_SEEN;
  let printed: Printed = NOTHING_PRINTED;

  const draw = () =>
    screen.show(liveLines(view, rows, now(), narrower(look())).map((line) => paint(line, narrower(look()))));
  const timer = live ? setInterval(draw, REDRAW_MS).unref() : undefined;
  const stop = () => {
    clearInterval(timer);
    screen.close();
  };

  return {
    record(record) {
      view = see(record);
      const next = printable(printed, view, rows, look());
      const last = next.lines.at(-1);
      printed = last ? { ...next.printed, endsBlank: last === BLANK } : next.printed;
      print(next.lines);
      if (!live && record.type === 'waiting' && record.until - now() >= LONG_WAIT_MS)
        print(waitNote(record, now(), look()));
    },
    finish(results, log, places) {
      stop();
      print(remainingLines(printed, results, log, rows, places, look(), options.flaws?.()));
      if (isGithub(options)) screen.print(annotationsOf(results));
    },
    [Symbol.dispose]: stop,
  };
}

/** Returns the whole text of a finished run: the reporter's output without waits. Ends with a line break. */
export function renderFinal(results: Results, log: RunLog, places: Places, options: TerminalOptions): string {
  const look = lookFor(options);
  if (options.reporter === 'quiet') return `${say(look, closingSentence(results, log, places))}\n`;
  const lines = remainingLines(NOTHING_PRINTED, results, log, options.rows, places, look, options.flaws?.()).map(
    (line) => paint(line, look),
  );
  const marks = isGithub(options) ? annotationsOf(results) : [];
  return [...lines, ...marks].map((line) => `${line}\n`).join('');
}

function lookFor({ stream, env, verbose, reporter }: TerminalOptions): Look {
  const look = lookOf(stream, env, verbose);
  return reporter === 'auto' ? look : { ...look, lines: Infinity };
}

/** Terminals differ in the cursor after a line of full width. */
const narrower = (look: Look): Look => ({ ...look, columns: look.columns - 1 });

/** Returns the lines that can be printed now of a current run, in the order of `remainingLines`, and the new progress. */
function printable(
  printed: Printed,
  view: View,
  rows: readonly Requirement[],
  look: Look,
): { printed: Printed; lines: Line[] } {
  const { log } = view;
  // A run that cannot start has only three lines, so the opening waits for the start.
  if (!log?.preflight) return { printed, lines: [] };
  const lines: Line[] = [];
  let next = printed;
  if (!next.opening) {
    lines.push(...openingLines(log, look));
    next = { ...next, opening: true };
  }
  // A file holds what was done first and the verdict in one piece below; a screen shows each part as it is settled.
  if (look.lines === Infinity) {
    lines.push(...log.profiles.slice(next.profiles).flatMap((summary) => profileLines(summary, look)));
    return { printed: { ...next, profiles: log.profiles.length }, lines };
  }
  const { before } = partsAround(rows, log.header);
  const isReady = (part: Part) => rows.every((row) => row.part !== part || isSettled(row, view));
  for (const part of before.filter((one) => !next.parts.has(one))) {
    if (!isReady(part)) return { printed: next, lines };
    const { requirements } = resultsOf(log, rows);
    lines.push(...partLines(part, requirements, evidenceOf(log), look));
    const outcomes = requirements.filter((row) => row.part === part).map(({ id, outcome }) => [id, outcome] as const);
    next = { ...next, parts: new Set([...next.parts, part]), outcomes: new Map([...next.outcomes, ...outcomes]) };
  }
  return { printed: next, lines };
}
