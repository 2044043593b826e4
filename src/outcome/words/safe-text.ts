import { HIDDEN_CHARACTERS, oneLine } from '../../base/kernel/visible.js';

/**
 * Characters escaped on a terminal only: line breaks, characters of unknown width, and the third and later
 * marks on a letter, which would outgrow the line.
 */
const UNSEEN = new RegExp(String.raw`[\n\t\p{Co}\p{Cn}${HIDDEN_CHARACTERS}]|(?<=\p{M}{2})\p{M}`, 'gu');

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** ASCII for typographic characters in the kit's own sentences. */
const PLAIN: Readonly<Record<string, string>> = {
  '…': '...',
  '–': '-',
  '—': '-',
  '·': '-',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '≤': '<=',
  '≥': '>=',
  '×': 'x',
  '±': '+-',
};

/**
 * Makes text safe to print. Control characters, escape sequences, line breaks, bidi overrides and other
 * invisible characters become visible escapes; without Unicode, all other non-ASCII characters too.
 */
export function safeText(text: string, unicode: boolean): string {
  const seen = text.replace(UNSEEN, escaped);
  return unicode
    ? seen
    : seen.replace(/[^\x20-\x7e]/gu, (character) => PLAIN[character] ?? escaped(character));
}

export function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return NAMED[character] ?? (code < 0x100 ? `\\x${hex(code, 2)}` : `\\u{${hex(code, 4)}}`);
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

/**
 * Escapes text for Markdown, on one line. Marks that could begin markup, HTML, a link, a mention, an emoji or
 * a table cell become character references, which CommonMark reads as plain text. Other marks stay, so that
 * the source is readable too.
 */
export const markdownText = (text: string): string =>
  oneLine(text).replace(MARKUP, (match) =>
    match.replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`),
  );

const MARKUP = new RegExp(
  [
    // At the start of a line: a list, a rule, the underline of a heading. An address may start with digits and a full stop.
    /^[-+=]+/,
    /^\d+[.)](?=\s|$)/,
    // A colon before a space, or within a time, is punctuation; any other may belong to an address or an emoji.
    /:(?! |\d\d(?!\d))/,
    /\bwww\./,
    /[!#$&*<>@[\\\]^_`{|}~]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);

/** Formats text as Markdown code; an empty text gets a name, because an empty `code` element shows nothing. */
export const markdownCode = (text: string): string =>
  text === '' ? '(empty)' : `<code>${markdownText(text)}</code>`;

/** Width of text on a terminal of 80 columns. */
const WIDTH = 80;

/** Wraps text into lines, aligned after a label. */
export function wrapped(label: string, text: string): readonly string[] {
  const lines: string[] = [];
  let current = label;
  for (const word of text.split(/\s+/)) {
    if (current.length + word.length + 1 > WIDTH && current.trim() !== '') {
      lines.push(current.trimEnd());
      current = ' '.repeat(label.length);
    }
    current += current.endsWith(' ') ? word : ` ${word}`;
  }
  return [...lines, current];
}
