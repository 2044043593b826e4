import { keyNames, type KeyName } from '../../base/interface/names.js';
import type { KeyPlaces, KeyPlace } from '../targets/target.js';
import { SERVER_COOKIES, shellForms } from './key-forms.js';
import { keyPlaceholder } from './request-credential.js';
import { laterFetches } from './later-fetches.js';
import { addressOf } from './request-target.js';
import type { Exchange, Header } from './types.js';
import { literal } from '../../base/kernel/literal.js';

export interface CurlSource {
  /** Only its origin is used: an exchange has the full path. */
  readonly baseUrl: string;
  /** Shell text for the key of an exchange, for use inside double quotes; default: PETSTORE_KEY. */
  readonly keyOf?: (exchange: Exchange) => string;
  /** The same for a key by its name, as records of traffic have it. */
  readonly keyNamed?: (name: KeyName) => string;
  /** Ids of requests whose fault may show only after an equal one: the line sends both. */
  readonly later?: ReadonlySet<string>;
  /** True for a scenario: its server has ended, and `client --listen` prints an address and a key to set. */
  readonly isPlayed?: boolean;
}

interface RunKeys {
  readonly target: { readonly baseUrl: string; readonly keyPlaces?: KeyPlaces | undefined };
  readonly scope: { readonly suiteKey: KeyName };
}

/**
 * Returns the source that a log records: the variables and files of the run's keys. For a key given in clear,
 * the line names the variable to set.
 *
 * @param exchanges of the run, in order of sending
 * @param isPlayed is true if the log holds scenarios
 */
export function curlSource(
  { target: { baseUrl, keyPlaces }, scope: { suiteKey } }: RunKeys,
  exchanges: readonly Exchange[] = [],
  isPlayed = false,
): CurlSource {
  const keyNamed = (name: KeyName): string => {
    if (isPlayed) return '$PETSTORE_API_KEY';
    return keyPlaces === undefined ? '$PETSTORE_KEY' : keyText(name, keyPlaces[name]);
  };
  return {
    baseUrl,
    isPlayed,
    later: laterFetches(exchanges),
    keyNamed,
    // Invalid credentials were made from the suites' key.
    keyOf: ({ credential }) => keyNamed(credential.kind === 'valid' ? credential.plan : suiteKey),
  };
}

function keyText(name: KeyName, place: KeyPlace | undefined): string {
  if (place && 'variable' in place && /^[A-Za-z_]\w*$/.test(place.variable)) return `$${place.variable}`;
  if (place && 'file' in place) return `$(cat ${quoteLiteral(place.file)})`;
  return `\${PETSTORE_KEY:?set it to the ${name} key}`;
}

/** Maps placeholders of records to shell text inside double quotes; `key` is the whole key. */
const shellTexts = (key: string, keyNamed: (name: KeyName) => string): ReadonlyMap<string, string> =>
  new Map([
    ...shellForms(key),
    [SERVER_COOKIES, '${PETSTORE_COOKIES:?set it to the cookies of a response to the valid key}'] as const,
    ...keyNames.map((name) => [keyPlaceholder(name), keyNamed(name)] as const),
  ]);

const PLACEHOLDER = new RegExp(
  [...shellTexts('', () => '').keys()]
    .map((text) => `${literal(text)}${/\w$/.test(text) ? String.raw`(?!\w)` : ''}`)
    .concat(String.raw`\$UNKNOWN_KEY_\d+`)
    .join('|'),
);

/** Headers that curl adds itself, or that belong to a connection or a run, not to the request. */
const LEFT_OUT = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'user-agent',
  'traceparent',
  'accept-encoding',
]);

/**
 * Returns one POSIX shell line that repeats the request with curl and shows status code, headers and body. It
 * reads the key from the run's source. Everything else is quoted, also against history expansion in an
 * interactive shell.
 */
export function curlOf(
  exchange: Exchange,
  { baseUrl, keyOf, keyNamed, later, isPlayed = false }: CurlSource,
): string {
  const quote = quoterOf(
    shellTexts(keyOf?.(exchange) ?? '$PETSTORE_KEY', keyNamed ?? ((name) => keyPlaceholder(name))),
  );
  const { method, path, headers, body } = exchange.request;
  const { origin, pathname } = new URL(baseUrl);
  const address =
    isPlayed && path.startsWith('/') ? playedAddress(path, pathname, quote) : quote(addressOf(origin, path));
  const sent = bodyOf(method, body);
  const words = [
    'curl -sSi',
    // Otherwise curl reads [1-9] and {a,b} as patterns, and normalizes dots in the path.
    ...(/[[\]{}]/.test(path) ? ['-g'] : []),
    ...(/\/\.\.?(?:[/?]|$)/.test(path) ? ['--path-as-is'] : []),
    ...methodOf(method, sent !== null),
    ...headersOf(headers, sent !== null).flatMap((text) => ['-H', quote(text)]),
    ...(wasEncoded(exchange) ? ['--compressed'] : []),
    ...(sent === null ? [] : ['--data-binary', sent.piped ? '@-' : quoteLiteral(sent.text)]),
    // curl sends both on one connection.
    ...(exchange.after === undefined ? [] : [quote(addressOf(origin, exchange.after))]),
    ...(later?.has(exchange.id) ? [address] : []),
    address,
  ];
  const command = words.join(' ');
  return sent?.piped ? `printf ${quoteLiteral(printfFormat(sent.text))} | ${command}` : command;
}

/** Returns the address of a path at a scenario's server, whose base address is in a variable. */
const playedAddress = (path: string, basePath: string, quote: (text: string) => string): string =>
  path.startsWith(`${basePath}/`)
    ? `"$PETSTORE_BASE_URL"${quote(path.slice(basePath.length))}`
    : `"\${PETSTORE_BASE_URL%${basePath}}"${quote(path)}`;

/** Adds the flag only where the response's encoding matters; elsewhere it distracts. */
const wasEncoded = ({ answer }: Exchange): boolean =>
  answer.kind === 'response'
    ? answer.headers.some(([name]) => name.toLowerCase() === 'content-encoding')
    : answer.code === 'bad-encoding';

function methodOf(method: string, hasBody: boolean): string[] {
  if (method === 'HEAD') return ['--head'];
  return method === (hasBody ? 'POST' : 'GET') ? [] : ['-X', quoteLiteral(method)];
}

function headersOf(headers: readonly Header[], hasBody: boolean): string[] {
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type');
  const shown = headers
    .filter(([name]) => !LEFT_OUT.has(name.toLowerCase()))
    .filter(([name, value]) => !(name.toLowerCase() === 'accept' && value === '*/*'))
    // curl drops a header with an empty value; a semicolon sends it empty.
    .map(([name, value]) => (value === '' ? `${name};` : `${name}: ${value}`));
  // Removes what curl adds and the request lacked.
  return hasBody && !hasType ? [...shown, 'Content-Type:'] : shown;
}

/** An empty body sets Content-Length, as the kit does. Bodies that do not fit a line use printf. */
function bodyOf(method: string, body: string | null): { text: string; piped: boolean } | null {
  if (body === null) return ['POST', 'PUT', 'PATCH'].includes(method) ? { text: '', piped: false } : null;
  return { text: body, piped: body.startsWith('@') || /[\p{C}\p{Zl}\p{Zp}]/u.test(body) };
}

/** Returns the body as a printf format of visible characters; other bytes are octal. */
const printfFormat = (body: string): string =>
  body.replace(/[\p{C}\p{Zl}\p{Zp}%\\]/gu, (character) => {
    if (character === '%') return '%%';
    if (character === '\\') return '\\\\';
    return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  });

/**
 * Returns the shell text of a placeholder; undefined for any other text. A key that the kit does not know has
 * to be set by hand.
 */
const shellOf = (piece: string, forms: ReadonlyMap<string, string>): string | undefined =>
  forms.get(piece) ??
  (/^\$UNKNOWN_KEY_\d+$/.test(piece) ? `\${${piece.slice(1)}:?set it to that key}` : undefined);

/** Quotes words so that the shell expands only the key's placeholders. */
const quoterOf =
  (forms: ReadonlyMap<string, string>) =>
  (text: string): string => {
    const pieces = text
      .split(new RegExp(`(${PLACEHOLDER.source})`))
      .filter((piece) => piece !== '')
      .map((piece) => ({ piece, form: shellOf(piece, forms) }));
    if (!pieces.some(({ form }) => form !== undefined)) return quoteLiteral(text);
    // Without special characters around the key, one pair of double quotes is easiest to read.
    if (pieces.every(({ piece, form }) => form !== undefined || /^[^"$`\\!\p{C}]*$/u.test(piece)))
      return `"${pieces.map(({ piece, form }) => form ?? piece).join('')}"`;
    return pieces.map(({ piece, form }) => (form === undefined ? quoteLiteral(piece) : `"${form}"`)).join('');
  };

/** Puts text in single quotes, where a shell expands nothing; a plain word needs none. */
const quoteLiteral = (text: string): string =>
  /^[A-Z]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
