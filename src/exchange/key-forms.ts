/**
 * The forms in which a request may carry a key. A request is described with a function of these forms, so that one
 * description gives both what goes over the wire and what is recorded, and the record cannot contain a key.
 */
export type KeyForm = 'whole' | 'base64' | 'base64-password' | 'percent-encoded' | 'cut' | 'lengthened' | 'other-case';

/** Text of a request that may hold a key, as a function of how a form of it is written. */
export type KeyText = (key: (form: KeyForm) => string) => string;

/** What stands in records in place of a form; a POSIX shell expands all but the last three from PETSTORE_KEY alone. */
const PLACEHOLDERS: Readonly<Record<KeyForm, string>> = {
  whole: '$PETSTORE_KEY',
  'percent-encoded': '$PETSTORE_KEY',
  cut: '${PETSTORE_KEY%?}',
  lengthened: '${PETSTORE_KEY}x',
  base64: '$PETSTORE_KEY_BASE64',
  'base64-password': '$PETSTORE_KEY_BASE64_PASSWORD',
  'other-case': '$PETSTORE_KEY_OTHER_CASE',
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
    case 'lengthened':
      return `${key}x`;
    case 'other-case':
      return swapCase(key);
  }
}

/** Every letter in its other case; the key itself when it has no letter. */
export const swapCase = (key: string): string =>
  key.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));

/** Text without a key, for requests and headers that carry none. */
export const plain =
  (text: string): KeyText =>
  () =>
    text;
