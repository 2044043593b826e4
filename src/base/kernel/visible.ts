import { counted } from './format.js';

/** Piece of a text: visible characters, or one hidden or misleading character. */
type Segment =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'hidden'; readonly label: string };

/**
 * Inside of a character class (flag `u`): characters that are invisible or change how their neighbours look.
 * Controls except line feed and tab, format characters such as zero-width and bidirectional marks (Unicode TR
 * 9 and TR 36), fillers, variation selectors, line and paragraph separators, tags, lone surrogates,
 * noncharacters. They could make one response look like another.
 */
export const HIDDEN_CHARACTERS = [
  String.raw`\0-\x08\x0b-\x1f\x7f-\x9f`,
  String.raw`\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}`,
  String.raw`\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2065\ufe00-\ufe0e\ufff0-\ufff8\u{e0000}-\u{e0fff}`,
].join('');

const HIDDEN = new RegExp(`[${HIDDEN_CHARACTERS}]`, 'gu');

/** Splits a text into pieces; hidden characters become code points, e.g. `U+202E`. */
export function segments(text: string): readonly Segment[] {
  const pieces: Segment[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) pieces.push({ kind: 'plain', text: text.slice(from, match.index) });
    pieces.push({ kind: 'hidden', label: codePoint(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ kind: 'plain', text: text.slice(from) });
  return pieces;
}

/** Returns one string for attributes and titles: hidden characters as `[U+202E]`. */
export const visible = (text: string): string =>
  text.replaceAll(HIDDEN, (character) => `[${codePoint(character)}]`);

/** As `visible`, on one line: newlines and tabs are escaped too. */
export const oneLine = (text: string): string =>
  visible(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');

/** Cuts a text to `length` characters, never inside a surrogate pair, and counts the rest. */
export function cut(text: string, length: number): { readonly text: string; readonly leftOff: number } {
  if (text.length <= length) return { text, leftOff: 0 };
  const end = isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length;
  return { text: text.slice(0, end), leftOff: text.length - end };
}

export function clip(text: string, length: number): string {
  const { text: head, leftOff } = cut(text, length);
  return leftOff === 0 ? text : `${head}… (${counted(leftOff, 'more character')})`;
}

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

export const shellWord = (word: string): string =>
  /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
