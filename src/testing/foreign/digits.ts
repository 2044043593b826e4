import { randomUUID } from 'node:crypto';

/** A number as it was written. */
export interface Digits {
  readonly digits: string;
}

/** Whether a value is an integer that was read with its digits. */
export const isDigits = (value: unknown): value is Digits =>
  typeof value === 'object' && value !== null && 'digits' in value;

/** A string as JSON writes it, or a number. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** No client can know it, so that no string of a client is taken for a number. */
const MARK = `number ${randomUUID()} `;

/**
 * Reads JSON with its numbers as they were written, which a double could not hold. Each number is put into quotes behind
 * a mark before JSON.parse sees it. Throws SyntaxError.
 */
export function readDigits(text: string): unknown {
  // Once as it is: inside quotes 007 would pass.
  JSON.parse(text);
  const quoted = text.replaceAll(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${MARK}${token}"`));
  return JSON.parse(quoted, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? { digits: value.slice(MARK.length) } : value,
  );
}
