import { REDACTED, type Redact, type Redacted } from './redact.js';
import type { Answer } from './types.js';
import type { Shape } from '../../base/kernel/shape.js';
import { isSetCookie } from './headers.js';
import { HIDDEN } from './secret-texts.js';
import { counted } from '../../base/kernel/format.js';
import { cut } from '../../base/kernel/visible.js';

/** Marks a value as redacted: for the journal after redaction, and for readers of a journal. */
export const knownRedacted = <T>(value: T): Redacted<T> => value as Redacted<T>;

/** Returns whether a value from a log is certainly as received: redaction replaced nothing in it. */
export const isAsReceived = (value: object): boolean => !JSON.stringify(value).includes(REDACTED);

const HOW = Symbol('redaction');

export type Redaction<T> = (value: T, redact: Redact) => T;

const whole: Redaction<string> = (text, redact) => redact(text);

/**
 * Returns a shape whose values are redacted before they are logged: what the target wrote, and names and
 * commands, into which a user may type a key by mistake. All other members are the kit's own words, which
 * stay.
 */
export const redacted = <S extends Shape>(
  shape: S,
  how: (value: never, redact: Redact) => unknown = whole,
): S => ({
  ...shape,
  [HOW]: how,
});

interface Parts {
  readonly [HOW]?: Redaction<unknown>;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

export const redactedBy = <T>(shape: Shape<T>, value: T, redact: Redact): T =>
  clean(shape, value, redact) as T;

function clean(shape: Shape, value: unknown, redact: Redact): unknown {
  const { [HOW]: how, properties, items, anyOf } = shape as Parts;
  if (value === null || value === undefined) return value;
  if (how) return how(value, redact);
  if (items && Array.isArray(value)) return value.map((item) => clean(items, item, redact));
  // Without own properties, it is a shape or null.
  if (!properties) return anyOf?.[0] ? clean(anyOf[0], value, redact) : value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const part = properties[name];
    return part ? [[name, clean(part, member, redact)]] : [];
  });
  return { ...value, ...Object.fromEntries(members) };
}

/**
 * Longest body that is kept, in characters: more than 100 animals of 500 characters each. The whole body was
 * judged before.
 */
const MOST_KEPT = 65_536;
/** Longest response text, or quote of a header or finding, that is kept, in characters. */
const MOST_QUOTED = 4_096;
/** Longer than any key in its longest encoded form. */
const LONGEST_FORM = 8_192;

/**
 * Returns a text's beginning, redacted before the cut. Searches the rest as far as a key across the cut may
 * reach.
 */
function beginning(text: string, length: number, redact: Redact): string {
  if (text.length <= length) return cut(redact(text), length).text;
  const searched = redact(text.slice(0, length + LONGEST_FORM));
  return cut(searched, Math.max(0, Math.min(length, searched.length - LONGEST_FORM))).text;
}

/** Returns a Set-Cookie without the cookie's value: a session may stand for the key. */
const withoutCookie = (value: string): string => value.replace(/^([^=;]*=|)[^;]*/, `$1${HIDDEN}`);

/** Redacts a text that may quote the target, and shortens it. */
export const quoted: Redaction<string> = (text, redact) => {
  const kept = beginning(text, MOST_QUOTED, redact);
  return text.length <= MOST_QUOTED ? kept : `${kept}… (cut from ${counted(text.length, 'character')})`;
};

export const ofAnswer: Redaction<Answer> = (answer, redact) => {
  if (answer.kind === 'none') return { ...answer, message: quoted(answer.message, redact) };
  const { text } = answer;
  return {
    ...answer,
    headers: answer.headers.map(
      ([name, value]) =>
        [quoted(name, redact), quoted(isSetCookie(name) ? withoutCookie(value) : value, redact)] as const,
    ),
    text: beginning(text, MOST_KEPT, redact),
    ...(text.length > MOST_KEPT && { cutFrom: answer.cutFrom ?? Buffer.byteLength(text) }),
  };
};

/**
 * Redacts long numbers in requests. Ids and categories come from the target, which could send a key of digits
 * as one.
 */
export const ofNumbers: Redaction<string> = (text, redact) => text.replace(/\d{6,}/g, redact);

/** Redacts an address. A host that contains a key was rejected earlier; reports parse the address again. */
export const ofAddress: Redaction<string> = (address, redact) => {
  if (redact(address) === address) return address;
  const { origin } = new URL(address);
  return origin + redact(address.slice(origin.length));
};

/** Cells of a sample that hold headers. A target could send a key of digits as a number. */
const HEADER_CELLS: readonly number[] = [5, 6, 7];

export const ofCells: Redaction<readonly (string | number | null)[]> = (row, redact) =>
  row.map((cell, at) => {
    if (at === 0) return cell;
    if (typeof cell === 'string') return redact(cell);
    // Shorter numbers never count as a piece of a key.
    if (typeof cell !== 'number' || cell < 100_000 || !HEADER_CELLS.includes(at)) return cell;
    const text = redact(String(cell));
    return text === String(cell) ? cell : text;
  });
