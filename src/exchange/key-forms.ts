/**
 * The forms in which a request may carry a key: how each is sent, and what stands in records in its place. A POSIX shell
 * expands the first four from PETSTORE_KEY alone. A request is described with a function of these forms, so that one
 * description gives both what goes over the wire and what is recorded, and the record cannot contain a key.
 */
const FORMS = {
  whole: { recorded: '$PETSTORE_KEY', written: (key: string) => key },
  'percent-encoded': { recorded: '$PETSTORE_KEY', written: (key: string) => encodeURIComponent(key) },
  cut: { recorded: '${PETSTORE_KEY%?}', written: (key: string) => key.slice(0, -1) },
  lengthened: { recorded: '${PETSTORE_KEY}x', written: (key: string) => `${key}x` },
  half: { recorded: '$PETSTORE_KEY_HALF', written: (key: string) => key.slice(0, Math.floor(key.length / 2)) },
  first: { recorded: '$PETSTORE_KEY_FIRST', written: (key: string) => key.slice(0, 1) },
  // RFC 7617: user and password with a colon between; the key stands as the user, as token-as-user APIs have it.
  base64: { recorded: '$PETSTORE_KEY_BASE64', written: (key: string) => base64(`${key}:`) },
  'base64-password': { recorded: '$PETSTORE_KEY_BASE64_PASSWORD', written: (key: string) => base64(`api:${key}`) },
  'other-case': { recorded: '$PETSTORE_KEY_OTHER_CASE', written: (key: string) => swapCase(key) },
  'look-alike': { recorded: '$PETSTORE_KEY_LOOK_ALIKE', written: (key: string) => lookAlike(key) },
};

/** One of the forms. */
export type KeyForm = keyof typeof FORMS;

/** Text of a request that may hold a key, as a function of how a form of it is written. */
export type KeyText = (key: (form: KeyForm) => string) => string;

/** The form as it is recorded. */
export const placeholder = (form: KeyForm): string => FORMS[form].recorded;

/** The form as it is sent. */
export const written = (key: string, form: KeyForm): string => FORMS[form].written(key);

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** As many characters of a look-alike's end stand the other way round. */
const TURNED = 8;

/**
 * The key with its last eight characters the other way round: of the same length, alphabet and beginning, so that a
 * server that looks at nothing else takes it for a key.
 */
export const lookAlike = (key: string): string =>
  key.slice(0, -TURNED) + Array.from(key.slice(-TURNED)).reverse().join('');

/** Whether that is certain to be no other key that was issued: a short key, or one that ends in a number, may have a neighbour there. */
export function hasLookAlike(key: string): boolean {
  const other = lookAlike(key);
  const differing = Array.from(key).filter((character, at) => character !== other[at]).length;
  return key.length >= SHORTEST && differing >= TURNED / 2 && !/^\d+$/.test(key.slice(-TURNED));
}

/** Keys shorter than this may be no more than a name. */
const SHORTEST = 12;

/** Every letter in its other case; the key itself when it has no letter. */
export const swapCase = (key: string): string =>
  key.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));

/** Text without a key, for requests and headers that carry none. */
export const plain =
  (text: string): KeyText =>
  () =>
    text;
