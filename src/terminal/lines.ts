import pc from 'picocolors';
import stringWidth from 'string-width';
import { harmless } from '../words/harmless.js';
import type { Look } from './look.js';

/** What a piece of text means; colour follows from it, and never stands alone. */
export type Tone = 'plain' | 'strong' | 'quiet' | 'good' | 'bad' | 'warn' | 'doubt' | 'kit';

/** A piece of a line. */
export interface Span {
  readonly text: string;
  readonly tone: Tone;
}

/** A line to print; `whole` exempts it from being cut, for what is meant to be pasted. */
export interface Line {
  readonly spans: readonly Span[];
  readonly whole?: true;
}

/** A piece of a line in one tone; whatever a log says, it does nothing to the terminal. */
export const span = (text: string, tone: Tone = 'plain'): Span => ({ text: harmless(text, true), tone });
/** A line of such pieces. */
export const line = (...spans: readonly Span[]): Line => ({ spans });
/** An empty line. */
export const BLANK: Line = { spans: [] };

const ASCII = /^[\x20-\x7e]*$/;

/** A longer text is measured in pieces of so many characters: the library takes time by the square of a length. */
const MEASURED = 256;

/** Columns that a text takes: East Asian characters and emoji take two, marks over a letter none. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (let at = 0; at < text.length; at += MEASURED) width += stringWidth(text.slice(at, at + MEASURED));
  return width;
}

/** Columns that the spans of a line take. */
export const lineWidth = ({ spans }: Line): number => spans.reduce((sum, { text }) => sum + widthOf(text), 0);

/** A text that fits the width; where it was cut stands the look's cut mark. */
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

/** A line that fits the width. */
function cutLine(whole: Line, width: number, mark: string): Line {
  if (whole.whole || lineWidth(whole) <= width) return whole;
  const spans: Span[] = [];
  let left = width;
  for (const { text, tone } of whole.spans) {
    const size = widthOf(text);
    // The span in which the room ends is cut; a span that just fits is, too, when more would follow it.
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
 * Breaks a text between words, and changes no character of it, which what wraps text for others does (it normalises it); a word wider than the line is broken anywhere.
 * @param width of a line, in columns
 * @param most lines at most; what does not fit is cut
 */
export function wrap(text: string, width: number, most: number, mark: string): string[] {
  const lines: string[] = [];
  let current = '';
  const words = text.split(' ').filter(Boolean);
  for (const [index, word] of words.entries()) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (widthOf(longer) <= width) {
      current = longer;
      continue;
    }
    if (lines.length + 1 >= most) {
      const rest = words.slice(index).join(' ');
      return [...lines, cut(current === '' ? rest : `${current} ${rest}`, width, mark)];
    }
    if (current !== '') lines.push(current);
    if (widthOf(word) <= width) {
      current = word;
      continue;
    }
    const pieces = chop(word, width);
    for (const piece of pieces.slice(0, -1)) {
      if (lines.length + 1 >= most) return [...lines, cut(`${piece}${mark}`, width, mark)];
      lines.push(piece);
    }
    current = pieces.at(-1) ?? '';
  }
  return current === '' && lines.length > 0 ? lines : [...lines, current];
}

function chop(word: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const character of word) {
    const columns = widthOf(character);
    if (used + columns > width) {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += character;
    used += columns;
  }
  return [...pieces, piece];
}

/** Never fewer columns than this for a text beside its lead: narrower, the lead gets a line to itself. */
const ROOM = 16;

/** A lead and a text beside it, whose further lines stand under its first; at most `most` lines of text. */
export function hang(lead: readonly Span[], text: string, tone: Tone, look: Look, most = Infinity): Line[] {
  const indent = lineWidth({ spans: lead });
  const room = look.columns - indent;
  if (room < ROOM && indent > 4)
    return [line(...lead), ...hang([span('    ')], text, tone, look, most)].map((piece) => trimEnd(piece));
  return wrap(text, room, most, look.glyphs.cut).map((piece, index) =>
    index === 0 ? line(...lead, span(piece, tone)) : line(span(' '.repeat(indent)), span(piece, tone)),
  );
}

/** Facts side by side after a lead, broken between facts and never inside one unless it alone is too wide. */
export function flow(lead: readonly Span[], facts: readonly Span[], look: Look): Line[] {
  const indent = lineWidth({ spans: lead });
  const lines: Span[][] = [[...lead]];
  let used = indent;
  for (const fact of facts) {
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

const trimEnd = ({ spans, whole }: Line): Line => {
  const last = spans.at(-1);
  const trimmed = last ? [...spans.slice(0, -1), span(last.text.trimEnd(), last.tone)] : spans;
  return { spans: trimmed, ...(whole && { whole }) };
};

/** A line as text for its place: cut to the width, coloured where the look allows it. */
export function paint(whole: Line, look: Look): string {
  const { spans } = trimEnd(cutLine(disarm(whole), look.columns, look.glyphs.cut));
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
 * CI systems obey lines that begin with `::` (blanks before it do not matter) and `##[` or `##name[` anywhere: GitHub
 * Actions, Azure Pipelines. What a target sent must never become such a command; annotations do not come this way.
 */
function disarm({ spans, whole }: Line): Line {
  const text = spans.map((piece) => piece.text).join('');
  if (!/^\s*::|##\w*\[/.test(text)) return { spans, ...(whole && { whole }) };
  const safe = text.replace(/^(\s*):/, '$1\\x3a').replace(/##(?=\w*\[)/g, '#\\x23');
  return { spans: [span(safe)], ...(whole && { whole }) };
}
