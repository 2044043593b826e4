/**
 * Forms of a key in a request: as sent, and its placeholder in records. A POSIX shell expands the first four with only
 * PETSTORE_KEY. A request is a function of these forms. So one description gives both the bytes to send and the record, and the
 * record cannot contain a key.
 */
const FORMS = {
  whole: { recorded: '$PETSTORE_KEY', written: (key: string) => key },
  'percent-encoded': { recorded: '$PETSTORE_KEY', written: (key: string) => encodeURIComponent(key) },
  cut: { recorded: '${PETSTORE_KEY%?}', written: (key: string) => key.slice(0, -1) },
  lengthened: { recorded: '${PETSTORE_KEY}x', written: (key: string) => `${key}x` },
  half: { recorded: '$PETSTORE_KEY_HALF', written: (key: string) => key.slice(0, Math.floor(key.length / 2)) },
  first: { recorded: '$PETSTORE_KEY_FIRST', written: (key: string) => key.slice(0, 1) },
  // RFC 7617: user and password with a colon between; the key is the user, as in token-as-user APIs.
  base64: { recorded: '$PETSTORE_KEY_BASE64', written: (key: string) => base64(`${key}:`) },
  'base64-password': { recorded: '$PETSTORE_KEY_BASE64_PASSWORD', written: (key: string) => base64(`api:${key}`) },
  'other-case': { recorded: '$PETSTORE_KEY_OTHER_CASE', written: (key: string) => swapCase(key) },
  'look-alike': { recorded: '$PETSTORE_KEY_LOOK_ALIKE', written: (key: string) => lookAlike(key) },
};

export type KeyForm = keyof typeof FORMS;

/** Text of a request that may contain a key, as a function of the text of its forms. */
export type KeyText = (key: (form: KeyForm) => string) => string;

/** Returns the placeholder of a form in records. */
export const placeholder = (form: KeyForm): string => FORMS[form].recorded;

/** Returns a form as sent. */
export const written = (key: string, form: KeyForm): string => FORMS[form].written(key);

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Number of last characters that a look-alike reverses. */
const TURNED = 8;

/** Returns the key with its last eight characters reversed: length, alphabet and beginning stay the same. */
export const lookAlike = (key: string): string =>
  key.slice(0, -TURNED) + Array.from(key.slice(-TURNED)).reverse().join('');

/** Is true if the look-alike was certainly not issued. A short or numbered key may have such a neighbour. */
export function hasLookAlike(key: string): boolean {
  const other = lookAlike(key);
  const differing = Array.from(key).filter((character, at) => character !== other[at]).length;
  return key.length >= SHORTEST && differing >= TURNED / 2 && !/^\d+$/.test(key.slice(-TURNED));
}

/** Keys shorter than this may be just names. */
const SHORTEST = 12;

/** Swaps the case of every letter; returns a key without letters unchanged. */
export const swapCase = (key: string): string =>
  key.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));

/** Returns text without a key, for requests and headers that carry none. */
export const plain =
  (text: string): KeyText =>
  () =>
    text;

/**
 * Shortest maximum that common servers set for a part of a request, in bytes: IIS refuses a longer query with 404. Others refuse
 * from 4 KiB or 8 KiB on.
 */
const LEAST_MAXIMUM = 2048;

/**
 * Returns the length of a request's longest part, its target or a header, in bytes, if the form of the key made it longer than in
 * the usual request and long enough for a server to refuse it; else null.
 */
export function grownTo(
  { path, headers }: { readonly path: KeyText; readonly headers: readonly (readonly [name: string, value: KeyText])[] },
  key: string,
): number | null {
  const lengthOf = (text: KeyText): number => Buffer.byteLength(text((form) => written(key, form)));
  const target = lengthOf(path);
  const header = Math.max(0, ...headers.map(([, value]) => lengthOf(value)));
  const usual = Buffer.byteLength(`Bearer ${key}`);
  const longest = Math.max(target, header > usual ? header : 0);
  return longest >= LEAST_MAXIMUM ? longest : null;
}
