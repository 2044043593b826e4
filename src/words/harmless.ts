import { HIDDEN_CHARACTERS } from '../format/visible.js';

/**
 * On a terminal also what breaks a line, characters of which nobody knows how wide they are shown, and marks over one
 * letter from the third on: a stack of them outgrows its line.
 */
const UNSEEN = new RegExp(String.raw`[\n\t\p{Co}\p{Cn}${HIDDEN_CHARACTERS}]|(?<=\p{M}{2})\p{M}`, 'gu');

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** How typographic characters of the kit's own sentences are written where only ASCII can be shown. */
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
 * Text that does nothing but stand where it is printed. Control characters, escape sequences, line breaks, bidi
 * overrides and other invisible characters become visible escapes; without Unicode every other character does too.
 */
export function harmless(text: string, unicode: boolean): string {
  const seen = text.replace(UNSEEN, escaped);
  return unicode ? seen : seen.replace(/[^\x20-\x7e]/gu, (character) => PLAIN[character] ?? escaped(character));
}

/** A character that is not shown as it is, written out. */
export function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return NAMED[character] ?? (code < 0x100 ? `\\x${hex(code, 2)}` : `\\u{${hex(code, 4)}}`);
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
