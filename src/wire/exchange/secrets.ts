import type { ClientExchange, RecordedBody } from './client-exchange.js';
import { hiddenMembers } from './secret-members.js';
import { isSecretName, mayNameSecret } from './secret-names.js';
import type { Header } from './types.js';

/** Stands for the value of a secret. Its name stays. */
const HIDDEN = '[redacted]';

/** What stands for a secret that was replaced before; the name of a known key stays. A scheme may precede it. */
const ALREADY = /^(?:\S+ +)?(?:\[redacted\]|\$PETSTORE_[A-Z]+_KEY|\$UNKNOWN_KEY_\d+)$/;

/** Called with each name whose value is hidden, or was before. */
type OnHidden = (name: string) => void;

/** Returns what a record shows of the value of a secret. */
function hiddenValue(name: string, value: string, onHidden: OnHidden): string {
  if (value === '' || (ALREADY.test(value) && !value.includes(HIDDEN))) return value;
  onHidden(name);
  return HIDDEN;
}

/**
 * Replaces the values of secrets that are not the service's keys, wherever an exchange names them: in
 * headers, queries and members of bodies, of the request and of the response. Everything else stays as it is,
 * to the character. Doing it twice changes nothing.
 */
export function withoutSecrets(
  exchange: ClientExchange,
  onHidden: OnHidden = () => undefined,
): ClientExchange {
  const { request, answer } = exchange;
  const inHeaders = (headers: readonly Header[]): readonly Header[] =>
    headers.map(([name, value]) => [
      name,
      // Its reader replaces the credential in Authorization, and keeps the name of a known key.
      isSecretName(name) && name.toLowerCase() !== 'authorization'
        ? hiddenValue(name, value, onHidden)
        : hiddenInAddress(value, onHidden),
    ]);
  return {
    ...exchange,
    request: {
      ...request,
      target: hiddenInAddress(request.target, onHidden),
      headers: inHeaders(request.headers),
      body: hiddenInBody(request.body, onHidden),
    },
    answer:
      answer.kind === 'none'
        ? answer
        : { ...answer, headers: inHeaders(answer.headers), body: hiddenInBody(answer.body, onHidden) },
  };
}

/** Returns the names of secrets in records from which they were removed, sorted, each once in any letter case. */
export function hiddenNames(exchanges: readonly ClientExchange[]): readonly string[] {
  const names = new Map<string, string>();
  for (const exchange of exchanges)
    withoutSecrets(exchange, (name) => {
      if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
    });
  return [...names].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, name]) => name);
}

/** Parameters of a query or fragment, of a segment of a path, whose values end earlier, and in a text. */
const PARAMETERS = [
  /([?&#])([^=&;#?\s"\\]+)=([^&;#\s"\\<>]*)/g,
  /(;)([^=&;#?/\s"\\]+)=([^&;#?/\s"\\<>]*)/g,
  /(^|[\s(,<])([^=&;#?/\s"'\\(),<>]+)=("[^"\\]*"|'[^'\\]*'|[^&;#\s"'\\(),<>]*)/g,
] as const;

/** User and password before a host (RFC 3986, 3.2.1). */
const USER = /(:\/\/)([^/?#@\s"\\]+)(?=@)/g;

/** Hides secrets in a text that may hold addresses: as a target, as Referer and Location, or in a body. */
function hiddenInAddress(text: string, onHidden: OnHidden): string {
  const withoutUser = text.includes('@')
    ? text.replace(USER, (_, before: string, user: string) => before + hiddenValue('user', user, onHidden))
    : text;
  if (!withoutUser.includes('=')) return withoutUser;
  return PARAMETERS.reduce(
    (rest, pattern) =>
      rest.replace(pattern, (whole, mark: string, written: string, value: string) => {
        const name = decodedOf(written);
        if (isSecretName(name)) return `${mark}${written}=${hiddenValue(name, value, onHidden)}`;
        // An address within an address.
        const inner = decodedOf(value);
        const hidden = hiddenInAddress(inner, onHidden);
        if (hidden === inner) return whole;
        return `${mark}${written}=${inner === value ? hidden : HIDDEN}`;
      }),
    withoutUser,
  );
}

function decodedOf(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

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
  /(<)([^\s<>/!?]+)((?:\s[^<>]*)?>)([^<>]+)/g,
] as const;

function hiddenInFields(text: string, onHidden: OnHidden): string {
  if (!/<|^content-disposition:/im.test(text)) return text;
  return FIELDS.reduce(
    (rest, pattern) =>
      rest.replace(pattern, (whole, before: string, name: string, between: string, value: string) =>
        isSecretName(name) ? before + name + between + hiddenValue(name, value, onHidden) : whole,
      ),
    text,
  );
}

/** Hides secrets in the text of a body: members of JSON, fields of forms, elements of XML, and addresses. */
function hiddenInBody(body: RecordedBody, onHidden: OnHidden): RecordedBody {
  if (!('text' in body) || !mayNameSecret(body.text)) return body;
  const { text } = body;
  const begins = text.trimStart().charAt(0);
  const hidden =
    begins === '{' || begins === '['
      ? hiddenMembers(text, {
          isSecret: isSecretName,
          value: (name) => hiddenValue(name, HIDDEN, onHidden),
          text: (inner) => hiddenInAddress(inner, onHidden),
        })
      : // A form is a query without its mark.
        hiddenInFields(hiddenInAddress(`&${text}`, onHidden).slice(1), onHidden);
  return hidden === text ? body : { ...body, text: hidden };
}
