import { decoded } from './request-target.js';
import { hiddenMembers } from './secret-members.js';
import { isSecretName, mayNameSecret } from './secret-names.js';

/** Called with each name whose value is hidden, or was before, and with the value as it was found. */
export type OnHidden = (name: string, value: string) => void;

/** Stands for the value of a secret. Its name stays. */
export const HIDDEN = '[redacted]';

/** What stands for a secret that was replaced before; the name of a known key stays. A scheme may precede it. */
const ALREADY = /^(?:\S+ +)?(?:\[redacted\]|\$PETSTORE_[A-Z]+_KEY|\$UNKNOWN_KEY_\d+)$/;

export function hiddenValue(name: string, value: string, onHidden: OnHidden): string {
  if (value === '' || (ALREADY.test(value) && !value.includes(HIDDEN))) return value;
  onHidden(name, value);
  return HIDDEN;
}

/** Parameters of a query or fragment, of a segment of a path, whose values end earlier, and in a text. */
const PARAMETERS = [
  /([?&#])([^=&;#?\s"\\]+)=([^&;#\s"\\<>]*)/g,
  /(;)([^=&;#?/\s"\\]+)=([^&;#?/\s"\\<>]*)/g,
  /(^|[\s(,<])([^=&;#?/\s"'\\(),<>]+)=("[^"\\]*"|'[^'\\]*'|[^&;#\s"'\\(),<>]*)/g,
] as const;

/** User and password before a host (RFC 3986, 3.2.1). */
const USER = /(:\/\/)([^/?#@\s"\\]+)(?=@)/g;

function hiddenInAddress(text: string, onHidden: OnHidden, depth = 0): string {
  const withoutUser = text.includes('@')
    ? text.replace(USER, (_, before: string, user: string) => before + hiddenValue('user', user, onHidden))
    : text;
  if (!withoutUser.includes('=')) return withoutUser;
  return PARAMETERS.reduce(
    (rest, pattern) =>
      rest.replace(pattern, (whole, mark: string, written: string, value: string) => {
        const name = decodedOf(written);
        if (isSecretName(name)) return `${mark}${written}=${hiddenValue(name, value, onHidden)}`;
        // An address or JSON within an address.
        const inner = decodedOf(value);
        const hidden = hiddenInText(inner, onHidden, depth + 1);
        if (hidden === inner) return whole;
        return `${mark}${written}=${inner === value ? hidden : HIDDEN}`;
      }),
    withoutUser,
  );
}

const decodedOf = (text: string): string => decoded(text.replaceAll('+', ' '));

/** Value of a field of a form in parts (RFC 7578, 4.2), and of an element of XML without elements in it. */
const FIELDS = [
  new RegExp(
    [
      /(^content-disposition:[^\r\n]{0,500}\bname="?)/,
      /([^"\r\n;]{1,500})/,
      /("?[^\r\n]{0,500}\r?\n(?:[^\r\n]{1,500}\r?\n){0,9}\r?\n)/,
      /((?:(?!\r?\n--)[^])*)/,
    ]
      .map(({ source }) => source)
      .join(''),
    'gim',
  ),
  /(<)([^\s<>/!?]+)((?:\s[^<>]*)?>(?:\s*<!\[CDATA\[)?)((?:(?!\]\]>)[^<])+)/g,
] as const;

/**
 * Hides the values of secret names, by a pattern whose groups are all of a match, the name second, the value
 * last.
 */
const hiddenBy = (pattern: RegExp, text: string, onHidden: OnHidden): string =>
  text.replace(pattern, (whole, before: string, name: string, between: string, value: string) =>
    isSecretName(name) ? before + name + between + hiddenValue(name, value, onHidden) : whole,
  );

/** Hides the fields of forms in parts, elements of XML, and fields of a page whose names stand in attributes. */
function hiddenInFields(text: string, onHidden: OnHidden): string {
  if (!/<|^content-disposition:/im.test(text)) return text;
  const withoutFields = FIELDS.reduce((rest, pattern) => hiddenBy(pattern, rest, onHidden), text);
  return withoutFields.replaceAll(TAG, (tag) => hiddenInTag(tag, onHidden));
}

/** A tag of HTML, and in it the name of a field, and its value. */
const TAG = /<[a-z][^<>]*>/gi;
const NAMED = /\b(?:name|id|property)\s*=\s*(["'])([^"'<>]*)\1/i;
const VALUED = /\b((?:value|content)\s*=\s*)("[^"]*"|'[^']*')/gi;

function hiddenInTag(tag: string, onHidden: OnHidden): string {
  const name = NAMED.exec(tag)?.[2] ?? '';
  if (!isSecretName(name)) return tag;
  return tag.replaceAll(VALUED, (_, before: string, quoted: string) => {
    const mark = quoted.charAt(0);
    return before + mark + hiddenValue(name, quoted.slice(1, -1), onHidden) + mark;
  });
}

/** A line with a name and a value, as in a list of headers or in YAML. */
const LINE = /^([ \t]*)([\w.-]+)([ \t]*:[ \t]+)(\S[^\r\n]*)/gm;

/** Beginning of JSON within a text, as in an event stream, a script of a page, or a header. */
const JSON_WITHIN = /[{[]\s*["{[]/;

/** Hides the members of secret names in JSON, which may begin anywhere in a text. */
function hiddenInJson(text: string, onHidden: OnHidden, depth: number): string {
  const at = text.search(JSON_WITHIN);
  if (at === -1) return text;
  const hidden = hiddenMembers(text.slice(at), {
    isSecret: isSecretName,
    value(name, given) {
      onHidden(name, given);
      return HIDDEN;
    },
    text: (inner) => hiddenInText(inner, onHidden, depth + 1),
  });
  return text.slice(0, at) + hidden;
}

/**
 * Hides secrets in the text of a body. A form is a query without its mark, and a list of names and values may
 * have one line.
 */
export function hiddenInBody(text: string, onHidden: OnHidden): string {
  if (!mayNameSecret(text) || isJson(text)) return hiddenInText(text, onHidden);
  const withoutFields = hiddenInAddress(`&${hiddenBy(LINE, text, onHidden)}`, onHidden).slice(1);
  return hiddenInText(withoutFields, onHidden);
}

const isJson = (text: string): boolean => /^\s*[{[]/.test(text);

/** Base64 of a text begins with a letter. It is long enough for a name and a secret. */
const BASE64 = /[A-Za-z][\w+/-]{15,}={0,2}/g;
/** What random bytes hold, and no text does. */
const UNREADABLE = /\uFFFD|(?!\s)\p{Cc}/u;

/**
 * Hides secrets in texts that are in Base64, which stay so. Dots stand between the parts of a token, which is
 * replaced as a whole.
 */
function hiddenInBase64(text: string, onHidden: OnHidden, depth: number): string {
  return text.replaceAll(BASE64, (run, at: number) => {
    if (text[at - 1] === '.' || text[at + run.length] === '.') return run;
    const inner = Buffer.from(run, 'base64').toString('utf8');
    const hidden = UNREADABLE.test(inner) ? inner : hiddenInText(inner, onHidden, depth + 1);
    if (hidden === inner) return run;
    return Buffer.from(hidden).toString(/[-_]/.test(run) ? 'base64url' : 'base64');
  });
}

/** Most texts within one another that are read: an address in JSON in a parameter of an address is three. */
const MOST_NESTED = 5;

/**
 * Hides secrets in any text, whatever stands in it: an address, parameters, JSON, a form, a list of headers,
 * XML or a page. A value may be such a text again: an address in JSON in a parameter. One that is nested too
 * deep is hidden whole if it may name a secret.
 */
export function hiddenInText(given: string, onHidden: OnHidden, depth = 0): string {
  const text = hiddenInBase64(given, onHidden, depth);
  if (!mayNameSecret(text)) return text;
  if (depth > MOST_NESTED) return HIDDEN;
  if (isJson(text)) return hiddenInJson(text, onHidden, depth);
  const withoutLines = text.includes('\n') ? hiddenBy(LINE, text, onHidden) : text;
  const withoutParameters = hiddenInAddress(withoutLines, onHidden, depth);
  return hiddenInJson(hiddenInFields(withoutParameters, onHidden), onHidden, depth);
}
