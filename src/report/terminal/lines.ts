import { sum } from '../../base/kernel/format.js';
import pc from 'picocolors';
import stringWidth from 'string-width';
import { safeText } from '../../outcome/words/safe-text.js';
import type { Table } from '../document.js';
import type { Outcome } from '../../judge/verdict.js';
import { say, type Look } from './look.js';

/** Meaning of a text, which determines its colour; colour never carries information by itself. */
export type Tone = 'plain' | 'strong' | 'quiet' | 'good' | 'bad' | 'warn' | 'doubt' | 'kit';

export const TONES: Readonly<Record<Outcome, Tone>> = {
  passed: 'good',
  failed: 'bad',
  warned: 'warn',
  inconclusive: 'doubt',
  observed: 'quiet',
  'not-applicable': 'quiet',
  error: 'kit',
};

export interface Span {
  readonly text: string;
  readonly tone: Tone;
  /** Outcome whose glyph replaces the first character. */
  readonly glyph?: Outcome;
}

/** A row of the screen; `whole` prevents cutting, for text to paste. */
export interface Row {
  readonly spans: readonly Span[];
  readonly whole?: true;
}

/** Becomes rows where it is printed. */
export type Line = (look: Look) => readonly Row[];

/** Makes the text harmless for a terminal. */
export const span = (text: string, tone: Tone = 'plain'): Span => ({ text: safeText(text, true), tone });
export const mark = (glyph: Outcome, after = ' '): Span => ({ text: `?${after}`, tone: TONES[glyph], glyph });
export const line =
  (...spans: readonly Span[]): Line =>
  () => [{ spans }];
export const copyable =
  (...spans: readonly Span[]): Line =>
  () => [{ spans, whole: true }];
export const BLANK = line();

const ASCII = /^[\x20-\x7e]*$/;

/** Characters of a piece for measuring: the library takes quadratic time. */
const MEASURED = 256;

/** In columns: East Asian characters and emoji take two, marks over a letter none. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (let at = 0; at < text.length; at += MEASURED) width += stringWidth(text.slice(at, at + MEASURED));
  return width;
}

export const lineWidth = (spans: readonly Span[]): number => sum(spans, ({ text }) => widthOf(text));

export function cut(text: string, width: number, mark: string): string {
  if (widthOf(text) <= width) return text;
  const room = width - widthOf(mark);
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += widthOf(character);
    if (used > room) break;
    kept += character;
  }
  return `${kept.trimEnd()}${mark}`;
}

function cutSpans(all: readonly Span[], width: number, mark: string): readonly Span[] {
  if (lineWidth(all) <= width) return all;
  const spans: Span[] = [];
  let left = width;
  for (const { text, tone } of all) {
    const size = widthOf(text);
    // Cuts the span at the limit, and one that just fits if more follows it.
    if (size > left - widthOf(mark)) {
      spans.push(span(cut(`${text}${' '.repeat(left)}x`, left, mark), tone));
      break;
    }
    spans.push(span(text, tone));
    left -= size;
  }
  return spans;
}

/**
 * Wraps a text between words and changes no character, unlike libraries. A word wider than the line is
 * broken.
 *
 * @param width of a line, in columns
 * @param most maximum number of lines; the rest is cut
 */
export function wrap(text: string, width: number, most: number, mark: string): string[] {
  const lines = filled(text.split(' ').filter(Boolean), width, (word) => chop(word, width));
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), cut(lines.slice(most - 1).join(' '), width, mark)];
}

/** @param broken returns the lines of a word that does not fit the current one */
export function filled(
  words: readonly string[],
  width: number,
  broken: (word: string) => readonly string[],
): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (widthOf(longer) <= width) lines.splice(-1, 1, longer);
    else lines.push(...broken(word));
  }
  return lines.length === 0 ? [''] : lines;
}

function chop(word: string, width: number): readonly string[] {
  if (widthOf(word) <= width) return [word];
  const pieces = [''];
  let used = 0;
  for (const character of word) {
    const columns = widthOf(character);
    used += columns;
    if (used <= width) pieces[pieces.length - 1] += character;
    else {
      pieces.push(character);
      used = columns;
    }
  }
  return pieces;
}

/** Fewest columns of a text next to its lead; in less room the lead gets its own line. */
const ROOM = 16;

/**
 * Formats a lead and a text next to it, with further rows aligned; on a screen at most `most` rows. A file is
 * cut nowhere.
 */
export const hang =
  (lead: readonly Span[], text: string, tone: Tone = 'plain', most = Infinity): Line =>
  (look) => {
    const indent = lineWidth(lead);
    const room = look.columns - indent;
    if (room < ROOM && indent > 4)
      return [{ spans: trimEnd(lead) }, ...hang([span('    ')], text, tone, most)(look)];
    return wrap(say(look, text), room, look.isScreen ? most : Infinity, look.glyphs.cut).map((piece, at) => ({
      spans: [...(at === 0 ? lead : [span(' '.repeat(indent))]), span(piece, tone)],
    }));
  };

/** Width of the labels at the end of a run: the longest headline and a gap. */
export const LABEL_WIDTH = 18;

export const labelled = (label: string, texts: readonly string[], tone: Tone = 'plain'): Line[] =>
  texts.map((text, at) => hang([span((at === 0 ? label : '').padEnd(LABEL_WIDTH), tone)], text));

/** Formats facts side by side after a lead, broken only between facts, unless one is too wide itself. */
export const flow =
  (lead: readonly Span[], facts: readonly (Span | string)[]): Line =>
  (look) => {
    const indent = lineWidth(lead);
    const rows: Span[][] = [[...lead]];
    let used = indent;
    for (const given of facts) {
      const { text, tone } = typeof given === 'string' ? span(given) : given;
      const fact = span(say(look, text), tone);
      const first = used === indent;
      const separator = first ? '' : look.glyphs.between;
      const size = widthOf(separator) + widthOf(fact.text);
      if (first || used + size <= look.columns) {
        rows.at(-1)?.push(...(first ? [] : [span(separator, 'quiet')]), fact);
        used += size;
      } else {
        rows.push([span(' '.repeat(indent)), fact]);
        used = indent + widthOf(fact.text);
      }
    }
    return rows.map((spans) => ({ spans }));
  };

/** Figures, or nothing: such columns are right-aligned. */
const FIGURE = /^(?:[-+±−–]?\d.*|–|)$/;

/**
 * Formats a table with the columns that a terminal shows, each row below the other; outcomes get their
 * glyphs.
 */
export const tableLine =
  ({ columns, brief, rows }: Table, lead: string, hasHead = true): Line =>
  (look) => {
    const shown = brief ?? columns.map((_, at) => at);
    const hasGlyphs = rows.some(({ cells }) => cells.some(({ glyph }) => glyph));
    const all = rows.map(({ cells }) =>
      shown.map((at) => ({ ...cells[at], text: say(look, cells[at]?.text ?? '') })),
    );
    const heads = shown.map((at) => columns[at] ?? '');
    const layout = heads.map((name, at) => {
      const texts = all.map((cells) => cells[at]?.text ?? '');
      return {
        width: Math.max(hasHead ? name.length : 0, ...texts.map(widthOf)),
        isRight: at > 0 && texts.every((text) => FIGURE.test(text)),
      };
    });
    const padded = (text: string, at: number): string => {
      const { width = 0, isRight } = layout[at] ?? {};
      const room = ' '.repeat(Math.max(0, width - widthOf(text)));
      return `${isRight ? room + text : text + room}  `;
    };
    const lines = [
      ...(hasHead ? [[span((hasGlyphs ? '  ' : '') + heads.map(padded).join(''), 'quiet')]] : []),
      ...all.map((cells) => {
        const glyph = cells.find((cell) => cell.glyph)?.glyph;
        return [
          ...(hasGlyphs ? [glyph ? mark(glyph) : span('  ')] : []),
          ...cells.map(({ text, ink }, at) =>
            span(padded(text, at), ink === undefined ? 'plain' : ink === 'note' ? 'quiet' : TONES[ink]),
          ),
        ];
      }),
    ];
    // Figures that are cut say nothing: a table that is too wide begins below its label.
    const isWide = (spans: readonly Span[]): boolean =>
      lead.length + lineWidth(trimEnd(spans)) > look.columns;
    const isLed = lead.trim() !== '';
    if (isLed && lines.some(isWide))
      return [{ spans: [span(lead)] }, ...lines.map((spans) => ({ spans: [span('    '), ...spans] }))];
    return lines.flatMap((spans, at) => {
      const row = [span(at === 0 ? lead : ' '.repeat(lead.length)), ...spans];
      const last = spans.at(-1);
      // A sentence in the last column goes on below itself.
      return look.isScreen && last && isWide(spans)
        ? hang(row.slice(0, -1), last.text, last.tone)(look)
        : [{ spans: trimEnd(row) }];
    });
  };

const trimEnd = (spans: readonly Span[]): readonly Span[] =>
  spans.map((piece, at) => (at === spans.length - 1 ? { ...piece, text: piece.text.trimEnd() } : piece));

/** Returns lines as texts: cut to the width, coloured if the look allows it. */
export const paint = (lines: readonly Line[], look: Look): readonly string[] =>
  lines.flatMap((one) => one(look)).map((row) => painted(row, look));

function painted({ spans, whole }: Row, look: Look): string {
  const safe = disarmed(
    spans.map(({ text, tone, glyph }) =>
      span(glyph ? `${look.glyphs[glyph]}${text.slice(1)}` : say(look, text), tone),
    ),
  );
  const shown = trimEnd(whole ? safe : cutSpans(safe, look.columns, look.glyphs.cut));
  const colours = pc.createColors(look.colour);
  const inks: Readonly<Record<Tone, (text: string) => string>> = {
    plain: String,
    strong: colours.bold,
    quiet: colours.dim,
    good: colours.green,
    bad: (text) => colours.bold(colours.red(text)),
    warn: colours.yellow,
    doubt: colours.cyan,
    kit: (text) => colours.bold(colours.magenta(text)),
  };
  return shown.map(({ text, tone }) => (text.trim() === '' ? text : inks[tone](text))).join('');
}

/**
 * Disarms commands for CI systems: they obey lines that begin with `::` (after blanks), and `##[` or
 * `##name[` anywhere: GitHub Actions, Azure Pipelines. A target's text must never become one; annotations do
 * not pass here.
 */
function disarmed(spans: readonly Span[]): readonly Span[] {
  const text = spans.map((piece) => piece.text).join('');
  if (!/^\s*::|##\w*\[/.test(text)) return spans;
  return [span(text.replace(/^(\s*):/, '$1\\x3a').replace(/##(?=\w*\[)/g, '#\\x23'))];
}
