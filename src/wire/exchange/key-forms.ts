/**
 * Forms of a key in a request: the placeholder in records, the form as sent, and as POSIX shell text inside
 * double quotes, made from such a text of the key. A request is a function of these forms. So one description
 * gives the bytes to send, the record and the curl line, and a record cannot contain a key.
 */
const FORMS = {
  whole: form(
    '$PETSTORE_KEY',
    (key) => key,
    (key) => key,
  ),
  'percent-encoded': form('$PETSTORE_KEY', encodeURIComponent, (key) => key),
  cut: form(
    '${PETSTORE_KEY%?}',
    (key) => key.slice(0, -1),
    (key) => `$(printf %s "${key}" | sed 's/.$//')`,
  ),
  lengthened: form(
    '${PETSTORE_KEY}x',
    (key) => `${key}x`,
    (key) => `${key.replace(/^\$(\w+)$/, '${$1}')}x`,
  ),
  half: form(
    '$PETSTORE_KEY_HALF',
    (key) => key.slice(0, Math.floor(key.length / 2)),
    (key) => `$(printf %s "${key}" | awk '{ print substr($0, 1, int(length($0) / 2)) }')`,
  ),
  first: form(
    '$PETSTORE_KEY_FIRST',
    (key) => key.slice(0, 1),
    (key) => `$(printf %.1s "${key}")`,
  ),
  // RFC 7617: user and password with a colon between; the key is the user, as in token-as-user APIs.
  base64: form(
    '$PETSTORE_KEY_BASE64',
    (key) => base64(`${key}:`),
    (key) => `$(printf %s: "${key}" | base64 | tr -d '\\n')`,
  ),
  'base64-password': form(
    '$PETSTORE_KEY_BASE64_PASSWORD',
    (key) => base64(`api:${key}`),
    (key) => `$(printf api:%s "${key}" | base64 | tr -d '\\n')`,
  ),
  'other-case': form(
    '$PETSTORE_KEY_OTHER_CASE',
    swapCase,
    (key) => `$(printf %s "${key}" | tr 'a-zA-Z' 'A-Za-z')`,
  ),
  'look-alike': form(
    '$PETSTORE_KEY_LOOK_ALIKE',
    lookAlike,
    (key) => `$(printf %s "${key}" | sed '${REVERSES_EIGHT}')`,
  ),
};

export type KeyForm = keyof typeof FORMS;

/** Text of a request that may contain a key, as a function of the text of its forms. */
export type KeyText = (key: (form: KeyForm) => string) => string;

/** Placeholder in records of cookies that the server set; a valid key may have opened their session. */
export const SERVER_COOKIES = '$PETSTORE_COOKIES';

/** Returns a text that only the sent request contains; records have `shown` in its place. */
export const onlySent =
  (text: string, shown: string): KeyText =>
  (key) =>
    key('whole') === placeholder('whole') ? shown : text;

export const placeholder = (form: KeyForm): string => FORMS[form].recorded;

/** Shell text of every placeholder, from that of the key. */
export const shellForms = (key: string): ReadonlyMap<string, string> =>
  new Map(Object.values(FORMS).map(({ recorded, shell }) => [recorded, shell(key)]));

export const written = (key: string, form: KeyForm): string => FORMS[form].written(key);

function form(recorded: string, written: (key: string) => string, shell: (key: string) => string) {
  return { recorded, written, shell };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Number of last characters that a look-alike reverses. */
const TURNED = 8;
const REVERSES_EIGHT = String.raw`s/\(.\)\(.\)\(.\)\(.\)\(.\)\(.\)\(.\)\(.\)$/\8\7\6\5\4\3\2\1/`;

/** Returns the key with its last eight characters reversed: length, alphabet and beginning stay the same. */
export function lookAlike(key: string): string {
  return key.slice(0, -TURNED) + Array.from(key.slice(-TURNED)).reverse().join('');
}

/** Is true if the look-alike was certainly not issued. A short or numbered key may have such a neighbour. */
export function hasLookAlike(key: string): boolean {
  const other = lookAlike(key);
  const differing = Array.from(key).filter((character, at) => character !== other[at]).length;
  return key.length >= SHORTEST && differing >= TURNED / 2 && !/^\d+$/.test(key.slice(-TURNED));
}

/** Keys shorter than this may be just names. */
const SHORTEST = 12;

export function swapCase(key: string): string {
  return key.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

/** Returns text without a key, for requests and headers that carry none. */
export const plain =
  (text: string): KeyText =>
  () =>
    text;

/**
 * Shortest maximum that common servers set for a part of a request, in bytes: IIS refuses a longer query with 404.
 * Others refuse from 4 KiB or 8 KiB on.
 */
const LEAST_MAXIMUM = 2048;

/**
 * Returns the length in bytes of a request's longest part: its target or a header. Null unless the form of
 * the key made it longer than in the usual request, and long enough for a server to refuse it.
 */
export function grownTo(
  {
    path,
    headers,
  }: { readonly path: KeyText; readonly headers: readonly (readonly [name: string, value: KeyText])[] },
  key: string,
): number | null {
  const lengthOf = (text: KeyText): number => Buffer.byteLength(text((form) => written(key, form)));
  const target = lengthOf(path);
  const header = Math.max(0, ...headers.map(([, value]) => lengthOf(value)));
  const usual = Buffer.byteLength(`Bearer ${key}`);
  const longest = Math.max(target, header > usual ? header : 0);
  return longest >= LEAST_MAXIMUM ? longest : null;
}
