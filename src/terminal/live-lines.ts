import type { Requirement } from '../contract/types.js';
import { count, counted, duration } from '../format/format.js';
import { hang, line, span, type Line, type Span } from './lines.js';
import { say, type Look } from './look.js';
import { inScope, type View, type Wait } from './view.js';

/** Most live lines; more would hide the findings on a small screen. */
const MOST_LINES = 10;
const BAR = 20;
/** Time of one picture of the spinner, ms. */
const FRAME_MS = 80;

/**
 * Returns the live lines at the bottom of the screen. Pure.
 * @param now Unix ms, for the spinner and the remaining time
 */
export function liveLines(view: View, rows: readonly Requirement[], now: number, look: Look): Line[] {
  if (!view.log || view.log.footer) return [];
  const spinner = look.glyphs.spinner[Math.floor(now / FRAME_MS) % look.glyphs.spinner.length] ?? '';
  const waits = view.waits.filter(({ until }) => until > now);
  const lines = [...phaseLines(view, rows, spinner, now, look), ...waitLines(waits, now, look)];
  const shown = lines.length <= MOST_LINES ? lines : lines.slice(0, MOST_LINES - 1);
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, line(span(`       ${count(more)} more under way`, 'quiet'))] : shown;
}

function phaseLines(view: View, rows: readonly Requirement[], spinner: string, now: number, look: Look): Line[] {
  switch (view.phase) {
    case 'preflight':
      return [
        line(
          span(`${spinner} `, 'strong'),
          span('preflight', 'strong'),
          span('  looking at the target before judging it', 'quiet'),
        ),
      ];
    case 'suites':
      return suitesLines(view, rows, spinner, look);
    case 'explore':
      return [line(span(`${spinner} `, 'strong'), span('explore', 'strong'), span(`  ${exploreFacts(view)}`, 'quiet'))];
    case 'load':
      return loadProgress(view, spinner, now, look);
    case 'own':
      return [line(span(`${spinner} `, 'strong'), span('own', 'strong'), span('  suites of your own', 'quiet'))];
    case 'compare':
      return [
        line(
          span(`${spinner} `, 'strong'),
          span('compare', 'strong'),
          span('  both environments side by side', 'quiet'),
        ),
      ];
  }
}

/** Describes the logged progress of exploring, or else its purpose. */
function exploreFacts({ log }: View): string {
  if (!log?.explored) return 'what no fixed list of requests meets';
  const { requests, asked } = log.explored;
  const sent = Object.values(requests).reduce((sum, amount) => sum + amount, 0);
  return `${count(sent)} of ${counted(asked, 'request')}, for what no fixed list of them meets`;
}

function suitesLines({ log }: View, rows: readonly Requirement[], spinner: string, look: Look): Line[] {
  if (!log) return [];
  const suiteRows = rows.filter((row) => row.judgedBy.kind === 'suite' && inScope(row, log.header));
  const settled = suiteRows.filter(({ id }) => log.settled.has(id)).length;
  const musts = new Set(rows.filter(({ level }) => level === 'must').map(({ id }) => id));
  const violated = new Set(
    log.findings.flatMap(({ kind, requirement }) =>
      kind === 'violated' && musts.has(requirement) ? [requirement] : [],
    ),
  ).size;
  const facts = [`${count(settled)} of ${count(suiteRows.length)} judged`, counted(log.exchanges.length, 'request')];
  return [
    line(
      span(`${spinner} `, 'strong'),
      span('suites  ', 'strong'),
      ...bar(settled, suiteRows.length, look),
      span(`  ${facts.join(look.glyphs.between)}`),
      ...(violated > 0 ? [span(look.glyphs.between, 'quiet'), span(`${count(violated)} failed so far`, 'bad')] : []),
    ),
  ];
}

/** Formats each active profile below a title. */
function loadProgress({ log, progress, since }: View, spinner: string, now: number, look: Look): Line[] {
  if (!log) return [];
  const last = log.profiles.at(-1);
  const facts = [
    `${count(progress.length)} under way`,
    `${count(log.profiles.length)} done`,
    duration(Math.max(0, Math.floor((now - since) / 1_000)) * 1_000),
  ];
  return [
    line(span(`${spinner} `, 'strong'), span('load  ', 'strong'), span(facts.join(look.glyphs.between))),
    ...(last
      ? oneLine([span(`  ${look.glyphs.observed} ${label(last.profile, last.plan)}`, 'quiet')], last.sentence, look)
      : []),
    ...progress.flatMap(({ profile, plan, text }) =>
      oneLine([span('    '), span(label(profile, plan), 'strong')], text, look),
    ),
  ];
}

const label = (profile: string, plan: string): string => `${profile} ${plan}`.padEnd(20) + '  ';

const oneLine = (lead: readonly Span[], text: string, look: Look): Line[] =>
  hang(lead, say(look, text), 'plain', look, 1);

/** Formats Unix ms as this machine's time: 10:02:13. */
function clock(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Formats waits, which are no fault: reason, end and remaining time. */
function waitLines(waits: readonly Wait[], now: number, look: Look): Line[] {
  if (waits.length === 0) return [];
  return [
    line(span(`  ${look.glyphs.waiting} waiting, and nothing is wrong`, 'quiet')),
    ...waits.flatMap((wait) => oneLine([span('    '), span(`${untilOf(wait, now)}  `, 'quiet')], what(wait), look)),
  ];
}

/** Formats one wait as complete lines, for a log file. */
export const waitNote = (wait: Wait, now: number, look: Look): Line[] =>
  hang(
    [span(`  ${look.glyphs.waiting} `, 'quiet')],
    say(look, `waiting ${untilOf(wait, now)} for ${what(wait)}; nothing is wrong`),
    'quiet',
    look,
  );

const untilOf = ({ until }: Wait, now: number): string =>
  `until ${clock(until)} (${duration(Math.max(1, Math.ceil((until - now) / 1_000)) * 1_000)})`;

const what = (wait: Wait): string => wait.what.replace(/^for /, '').replace(/\.$/, '');

function bar(done: number, all: number, look: Look): Span[] {
  const filled = all === 0 ? 0 : Math.round((BAR * done) / all);
  return [span(look.glyphs.barDone.repeat(filled), 'good'), span(look.glyphs.barLeft.repeat(BAR - filled), 'quiet')];
}
