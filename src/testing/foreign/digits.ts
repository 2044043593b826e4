import { randomUUID } from 'node:crypto';

/** Number in its written form. */
export interface Digits {
  readonly digits: string;
}

/** True for a number that `readDigits` read. */
export const isDigits = (value: unknown): value is Digits =>
  typeof value === 'object' && value !== null && 'digits' in value;

/** JSON string or number. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Random, so that no client's string can pass for a number. */
const MARK = `number ${randomUUID()} `;

/**
 * Reads JSON and keeps the written form of numbers, which a double could lose. JSON.parse sees each number as
 * a string behind a mark. Throws SyntaxError.
 */
export function readDigits(text: string): unknown {
  // Parse the original first: inside quotes 007 would pass.
  JSON.parse(text);
  const quoted = text.replaceAll(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') ? token : `"${MARK}${token}"`,
  );
  return JSON.parse(quoted, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? { digits: value.slice(MARK.length) } : value,
  );
}
