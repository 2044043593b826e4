/**
 * The forms in which a request may carry a key. A request is described with a function of these forms, so that one
 * description gives both what goes over the wire and what is recorded, and the record cannot contain a key.
 */
export type KeyForm =
  | 'whole'
  | 'base64'
  | 'base64-password'
  | 'percent-encoded'
  | 'cut'
  | 'half'
  | 'first'
  | 'lengthened'
  | 'other-case'
  | 'look-alike';

/** Text of a request that may hold a key, as a function of how a form of it is written. */
export type KeyText = (key: (form: KeyForm) => string) => string;

/** What stands in records in place of a form; a POSIX shell expands the first four from PETSTORE_KEY alone. */
const PLACEHOLDERS: Readonly<Record<KeyForm, string>> = {
  whole: '$PETSTORE_KEY',
  'percent-encoded': '$PETSTORE_KEY',
  cut: '${PETSTORE_KEY%?}',
  lengthened: '${PETSTORE_KEY}x',
  half: '$PETSTORE_KEY_HALF',
  first: '$PETSTORE_KEY_FIRST',
  base64: '$PETSTORE_KEY_BASE64',
  'base64-password': '$PETSTORE_KEY_BASE64_PASSWORD',
  'other-case': '$PETSTORE_KEY_OTHER_CASE',
  'look-alike': '$PETSTORE_KEY_LOOK_ALIKE',
};

/** The form as it is recorded. */
export const placeholder = (form: KeyForm): string => PLACEHOLDERS[form];

/** The form as it is sent. */
export function written(key: string, form: KeyForm): string {
  switch (form) {
    case 'whole':
      return key;
    case 'base64':
      // RFC 7617: user and password with a colon between; the key stands as the user, as token-as-user APIs have it.
      return Buffer.from(`${key}:`).toString('base64');
    case 'base64-password':
      return Buffer.from(`api:${key}`).toString('base64');
    case 'percent-encoded':
      return encodeURIComponent(key);
    case 'cut':
      return key.slice(0, -1);
    case 'half':
      return key.slice(0, Math.floor(key.length / 2));
    case 'first':
      return key.slice(0, 1);
    case 'lengthened':
      return `${key}x`;
    case 'other-case':
      return swapCase(key);
    case 'look-alike':
      return lookAlike(key);
  }
}

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
