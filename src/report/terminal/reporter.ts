import type { Requirement } from '../../base/interface/types.js';
import type { RunLog } from '../../log/run-log.js';
import { SILENT, type ReportPlaces, type RunReporter } from '../run-reporter.js';
import type { RunDocument } from '../run-document.js';
import { annotationsOf } from '../machine/annotations.js';
import type { LogRecord } from '../../log/record.js';
import { AMOUNTS } from '../amounts.js';
import { isFirstRun } from './first-run.js';
import { paint, type Line } from './lines.js';
import { liveLines, questionNote, waitNote } from './live-lines.js';
import { isGithub, lookOf, say, type Look, type Output } from './look.js';
import { screenOf } from './screen.js';
import { closingSentence } from './closing.js';
import { transcript } from './transcript.js';
import { NOTHING_SEEN, viewing, type View } from './view.js';

export interface TerminalOptions extends Output {
  readonly verbose: boolean;
  readonly rows: readonly Requirement[];
  /** Unix ms; for tests. */
  readonly now?: () => number;
}

/** Interval of redrawing, ms: short enough for a spinner, long enough for a slow connection. */
const REDRAW_MS = 100;
/** Shortest wait that gets its own line without redrawing, ms, so that a CI log shows progress. */
const LONG_WAIT_MS = 10_000;

/**
 * Returns a test for waits that get a line: long ones, and of several in parallel only one that ends much
 * later.
 */
function longWaits(now: () => number): (wait: { readonly until: number }) => boolean {
  let until = 0;
  return (wait) => {
    if (wait.until - Math.max(now(), until) < LONG_WAIT_MS) return false;
    ({ until } = wait);
    return true;
  };
}

/** A log file shows the progress of a longer run only by its waits. */
const mostWaits = ({ log }: View): number =>
  log !== null && isFirstRun(log.header) ? AMOUNTS.terminal.firstRun.waits : Infinity;

export function createTerminalReporter(options: TerminalOptions): RunReporter {
  if (options.reporter === 'quiet')
    return { ...SILENT, finish: (...run) => void options.stream.write(renderFinal(...run, options)) };
  const { rows, now = Date.now } = options;
  const { live, ...screen } = screenOf(options);
  const look = () => lookFor(options);
  let printed = 0;
  const print = (lines: readonly Line[]) => {
    const painted = paint(lines, look());
    printed += painted.length;
    screen.print(painted);
  };
  const see = viewing();
  const text = transcript(options);
  let view = NOTHING_SEEN;
  const isNews = longWaits(now);
  let waits = 0;

  const noteOf = (record: LogRecord): Line | null => {
    if (record.type === 'waiting') return isNews(record) ? waitNote(record, now(), look()) : null;
    if (record.type !== 'progress' || record.until === undefined) return null;
    const question = { ...record, until: record.until };
    return isNews(question) ? questionNote(question, now(), look()) : null;
  };
  const draw = () => screen.show(paint(liveLines(view, rows, now(), narrower(look())), narrower(look())));
  const timer = live ? setInterval(draw, REDRAW_MS).unref() : undefined;
  const stop = () => {
    clearInterval(timer);
    screen.close();
  };

  return {
    record(record) {
      view = see(record);
      print(text.more(view, look(), printed));
      if (live || waits >= mostWaits(view)) return;
      const note = noteOf(record);
      if (note === null) return;
      waits += 1;
      print([note]);
    },
    finish(document, log, places) {
      stop();
      print(text.end(document, log, places, look(), printed));
      if (isGithub(options)) screen.print(annotationsOf(document));
    },
    [Symbol.dispose]: stop,
  };
}

/** Prints only long waits, so that a program that prints nothing else does not look stuck. */
export function createWaitReporter(options: TerminalOptions): RunReporter {
  const { now = Date.now, stream } = options;
  const isNews = longWaits(now);
  return {
    ...SILENT,
    record(record) {
      if (record.type !== 'waiting' || !isNews(record)) return;
      for (const line of paint([waitNote(record, now(), lookFor(options))], lookFor(options)))
        stream.write(`${line}\n`);
    },
  };
}

/** The reporter's output without waits. Ends with a line break. */
export function renderFinal(
  document: RunDocument,
  log: RunLog,
  places: ReportPlaces,
  options: TerminalOptions,
): string {
  const look = lookFor(options);
  if (options.reporter === 'quiet') return `${say(look, closingSentence(document.results, log, places))}\n`;
  const lines = paint(transcript(options).end(document, log, places, look, 0), look);
  const marks = isGithub(options) ? annotationsOf(document) : [];
  return [...lines, ...marks].map((line) => `${line}\n`).join('');
}

function lookFor({ stream, env, verbose, reporter }: TerminalOptions): Look {
  const look = lookOf(stream, env, verbose);
  return { ...look, isScreen: look.isScreen && reporter === 'auto' };
}

/** Terminals differ in the cursor after a line of full width. */
const narrower = (look: Look): Look => ({ ...look, columns: look.columns - 1 });
