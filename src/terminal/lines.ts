import pc from 'picocolors';
import stringWidth from 'string-width';
import { safeText } from '../words/safe-text.js';
import type { Table } from '../report/document.js';
import type { Outcome } from '../verdict/verdict.js';
import { say, type Look } from './look.js';

/** Meaning of a text, which determines its colour; colour never carries information by itself. */
export type Tone = 'plain' | 'strong' | 'quiet' | 'good' | 'bad' | 'warn' | 'doubt' | 'kit';

/** Tones of outcomes, which determine their colours. */
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
}

/** A line to print; `whole` prevents cutting, for text to paste. */
export interface Line {
  readonly spans: readonly Span[];
  readonly whole?: true;
}

/** Returns a piece of a line in one tone, with its text made harmless for a terminal. */
export const span = (text: string, tone: Tone = 'plain'): Span => ({ text: safeText(text, true), tone });
/** Returns a line of such pieces. */
export const line = (...spans: readonly Span[]): Line => ({ spans });
export const BLANK: Line = { spans: [] };

const ASCII = /^[\x20-\x7e]*$/;

/** Characters of a piece for measuring: the library takes quadratic time. */
const MEASURED = 256;

/** Returns the columns of a text: East Asian characters and emoji take two, marks over a letter none. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (let at = 0; at < text.length; at += MEASURED) width += stringWidth(text.slice(at, at + MEASURED));
  return width;
}

/** Returns the columns of a line. */
export const lineWidth = ({ spans }: Line): number => spans.reduce((sum, { text }) => sum + widthOf(text), 0);

/** Cuts a text to the width, with the look's mark at the cut. */
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

function cutLine(whole: Line, width: number, mark: string): Line {
  if (whole.whole || lineWidth(whole) <= width) return whole;
  const spans: Span[] = [];
  let left = width;
  for (const { text, tone } of whole.spans) {
    const size = widthOf(text);
    // Cuts the span at the limit, and one that just fits if more follows it.
    if (size > left - widthOf(mark)) {
      spans.push(span(cut(`${text}${' '.repeat(left)}x`, left, mark), tone));
      break;
    }
    spans.push(span(text, tone));
    left -= size;
  }
  return { spans };
}

/**
 * Wraps a text between words and changes no character, unlike libraries. A word wider than the line is broken.
 * @param width of a line, in columns
 * @param most maximum number of lines; the rest is cut
 */
export function wrap(text: string, width: number, most: number, mark: string): string[] {
  const lines = filled(text.split(' ').filter(Boolean), width, (word) => chop(word, width));
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), cut(lines.slice(most - 1).join(' '), width, mark)];
}

/** Fills lines with words; `broken` returns the lines of a word that does not fit the current one. */
export function filled(words: readonly string[], width: number, broken: (word: string) => readonly string[]): string[] {
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

/** Formats a lead and a text next to it, with further lines aligned; at most `most` lines. */
export function hang(lead: readonly Span[], text: string, look: Look, tone: Tone = 'plain', most = Infinity): Line[] {
  const indent = lineWidth({ spans: lead });
  const room = look.columns - indent;
  if (room < ROOM && indent > 4) return [trimEnd(line(...lead)), ...hang([span('    ')], text, look, tone, most)];
  return wrap(say(look, text), room, most, look.glyphs.cut).map((piece, index) =>
    index === 0 ? line(...lead, span(piece, tone)) : line(span(' '.repeat(indent)), span(piece, tone)),
  );
}

/** Width of the labels at the end of a run: the longest headline and a gap. */
export const LABEL_WIDTH = 18;

/** Formats texts next to a label, which stands at the first. */
export const labelled = (label: string, texts: readonly string[], look: Look, tone: Tone = 'plain'): Line[] =>
  texts.flatMap((text, at) => hang([span((at === 0 ? label : '').padEnd(LABEL_WIDTH), tone)], text, look));

/** Formats facts side by side after a lead, broken only between facts, unless one is too wide itself. */
export function flow(lead: readonly Span[], facts: readonly Span[], look: Look): Line[] {
  const indent = lineWidth({ spans: lead });
  const lines: Span[][] = [[...lead]];
  let used = indent;
  for (const { text, tone } of facts) {
    const fact = span(say(look, text), tone);
    const current = lines.at(-1) as Span[];
    const first = used === indent;
    const separator = first ? '' : look.glyphs.between;
    const size = widthOf(separator) + widthOf(fact.text);
    if (first || used + size <= look.columns) {
      current.push(...(first ? [] : [span(separator, 'quiet')]), fact);
      used += size;
    } else {
      lines.push([span(' '.repeat(indent)), fact]);
      used = indent + widthOf(fact.text);
    }
  }
  return lines.map((spans) => ({ spans }));
}

/** Figures, or nothing: such columns are right-aligned. */
const FIGURE = /^(?:[-+±−–]?\d.*|–|)$/;

/** Formats a table with the columns that a terminal shows, each row below the other; outcomes get their glyphs. */
export function tableLines({ columns, brief, rows }: Table, look: Look, lead: string, hasHead = true): Line[] {
  const shown = brief ?? columns.map((_, at) => at);
  const hasGlyphs = rows.some(({ cells }) => cells.some(({ glyph }) => glyph));
  const all = rows.map(({ cells }) => shown.map((at) => ({ ...cells[at], text: say(look, cells[at]?.text ?? '') })));
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
    ...(hasHead ? [[span(heads.map(padded).join(''), 'quiet')]] : []),
    ...all.map((cells) => {
      const glyph = cells.find((cell) => cell.glyph)?.glyph;
      return [
        ...(hasGlyphs ? [glyph ? span(`${look.glyphs[glyph]} `, TONES[glyph]) : span('  ')] : []),
        ...cells.map(({ text, ink }, at) =>
          span(padded(text, at), ink === undefined ? 'plain' : ink === 'note' ? 'quiet' : TONES[ink]),
        ),
      ];
    }),
  ];
  return lines.map((spans, at) => line(span(at === 0 ? lead : ' '.repeat(lead.length)), ...spans));
}

const trimEnd = ({ spans, whole }: Line): Line => {
  const last = spans.at(-1);
  const trimmed = last ? [...spans.slice(0, -1), span(last.text.trimEnd(), last.tone)] : spans;
  return { spans: trimmed, ...(whole && { whole }) };
};

/** Returns a line as text: cut to the width, coloured if the look allows it. */
export function paint(whole: Line, look: Look): string {
  const safe = whole.spans.map(({ text, tone }) => span(say(look, text), tone));
  const { spans } = trimEnd(cutLine(disarm({ ...whole, spans: safe }), look.columns, look.glyphs.cut));
  const colours = pc.createColors(look.colour);
  const painted: Readonly<Record<Tone, (text: string) => string>> = {
    plain: String,
    strong: colours.bold,
    quiet: colours.dim,
    good: colours.green,
    bad: (text) => colours.bold(colours.red(text)),
    warn: colours.yellow,
    doubt: colours.cyan,
    kit: (text) => colours.bold(colours.magenta(text)),
  };
  return spans.map(({ text, tone }) => (text.trim() === '' ? text : painted[tone](text))).join('');
}

/**
 * Disarms commands for CI systems: they obey lines that begin with `::` (after blanks), and `##[` or `##name[` anywhere: GitHub
 * Actions, Azure Pipelines. A target's text must never become one; annotations do not pass here.
 */
function disarm({ spans, whole }: Line): Line {
  const text = spans.map((piece) => piece.text).join('');
  if (!/^\s*::|##\w*\[/.test(text)) return { spans, ...(whole && { whole }) };
  const safe = text.replace(/^(\s*):/, '$1\\x3a').replace(/##(?=\w*\[)/g, '#\\x23');
  return { spans: [span(safe)], ...(whole && { whole }) };
}
