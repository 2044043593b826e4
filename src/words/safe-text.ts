import { HIDDEN_CHARACTERS } from '../format/visible.js';

/**
 * Characters escaped on a terminal only: line breaks, characters of unknown width, and the third and later marks on a
 * letter, which would outgrow the line.
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
 * Makes text safe to print. Control characters, escape sequences, line breaks, bidi overrides and other invisible characters
 * become visible escapes; without Unicode, all other non-ASCII characters too.
 */
export function safeText(text: string, unicode: boolean): string {
  const seen = text.replace(UNSEEN, escaped);
  return unicode ? seen : seen.replace(/[^\x20-\x7e]/gu, (character) => PLAIN[character] ?? escaped(character));
}

/** Returns the escape of a character. */
export function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return NAMED[character] ?? (code < 0x100 ? `\\x${hex(code, 2)}` : `\\u{${hex(code, 4)}}`);
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
