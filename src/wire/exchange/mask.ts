/** Words that recorders and sanitisers write in the place of what they removed. */
const REMOVED =
  'redacted|removed|masked|hidden|sanitized|sanitised|filtered|stripped|omitted|scrubbed|censored|obfuscated';

const SHAPES = /^[<[({].*[>\])}]$|^[*x.•█-]{2,}$|^\$\{?\w+\}?$|^%\w+%$|^\{\{.*\}\}$/i;
const WORDS = new RegExp(`^[\\W_]*(${REMOVED})[\\W_]*$|^(secret|api[_-]?key|token|your[_-].*)$`, 'i');

/**
 * Returns whether a text stands for a removed key: brackets, asterisks or dots only, a variable, or a usual
 * word. Recorders and people write these.
 */
export const isMask = (text: string): boolean => SHAPES.test(text.trim()) || WORDS.test(text.trim());

/** What JavaScript and Python write for a value that is not there, and JavaScript for an object. */
const UNSET = /^(undefined|null|NaN|None|\[object [A-Z]\w*\])$/;

/**
 * Returns whether a text is what a program writes where a value is not set: the usual mistake of a client
 * without its key. It is no key, and no recorder's mask.
 */
export const isUnset = (text: string): boolean => UNSET.test(text.trim());

/** A bearer token (RFC 6750, 2.1). Three dots in it stand for what was left out. */
const TOKEN = /^(?!.*\.{3})[\w\-.~+/]+=*$/;

/**
 * Returns an Authorization as a recorder may have left it: where what follows Bearer is no token, nor a mask
 * that differs from others, `mask` takes its place. Masks of sanitisers are in no list.
 */
export function withReadableToken(authorization: string, mask: string): string {
  const token = /^bearer(?:\s+(.*))?$/is.exec(authorization.trim());
  if (token === null) return authorization;
  const text = (token[1] ?? '').trim();
  return isUnset(text) || TOKEN.test(text) || (isMask(text) && !/\s/.test(text))
    ? authorization
    : `Bearer ${mask}`;
}

const GONE = new RegExp(`^[\\W_]*(${REMOVED}|truncated)[\\W_]*$|^[*•█]{3,}$`, 'i');

/**
 * Returns whether a text is what recorders write in the place of one that they removed. JSON in brackets is
 * none.
 */
export const isRemoved = (text: string): boolean => GONE.test(text.trim());
