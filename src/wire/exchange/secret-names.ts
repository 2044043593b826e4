/**
 * Names of headers, parameters and body members whose values are secrets: the one list of `proxy`, `client`
 * and `judge`. The values say nothing about the interface, and none of the interface's names is among them.
 */

/** A name is a secret's if it holds one of these anywhere, in any letter case: `X-CSRF-Token`, `accessToken`. */
const ANYWHERE =
  'token|secret|session|sessid|csrf|xsrf|password|passwd|passphrase|cookie|credential|signature|authorization|' +
  'apikey|accesskey|bearer|authentication|auth(?!or|enticat)';
const HOLDS = new RegExp(ANYWHERE, 'i');

/** It also is if one of these is a word of it: `X-Api-Key`, `AWSAccessKeyId`, `connect.sid`, `sig`. */
const WORDS = ['key', 'keys', 'sid', 'sig', 'jwt', 'otp', 'pass', 'pwd', 'ticket'];
const IS_WORD: ReadonlySet<string> = new Set(WORDS);

/** Returns the words of a name in camelCase, kebab-case, snake_case or with dots and brackets. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);

/** Digits at the end of a word do not count: `Cookie2`, `key1`. */
export const isSecretName = (name: string): boolean =>
  HOLDS.test(name) || wordsOf(name).some((word) => IS_WORD.has(word.replace(/\d+$/, '')));

const PERHAPS = new RegExp(`${ANYWHERE}|${WORDS.join('|')}|\\\\u|%|@`, 'i');

/** Returns false for a text that certainly names no secret: most bodies, which so need no reading. */
export const mayNameSecret = (text: string): boolean => PERHAPS.test(text);
