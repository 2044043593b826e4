import type { Exchange, Header } from '../exchange/types.js';
import type { LogHeader } from '../log/record.js';
import type { KeyName } from '../contract/names.js';
import type { KeyPlace } from '../targets/keys.js';

/** Where a curl line is to send its request, and where it finds the key. */
export interface CurlSource {
  /** Only its origin is used: an exchange has the whole path. */
  readonly baseUrl: string;
  /** The line's text for the key of an exchange, to stand inside double quotes; absent: PETSTORE_KEY. */
  readonly keyOf?: (exchange: Exchange) => string;
}

/** What is known of the keys of a run, by its log's header or by its target. */
interface Run {
  readonly target: Pick<LogHeader['target'], 'baseUrl' | 'keyPlaces'>;
  readonly scope: Pick<LogHeader['scope'], 'suiteKey'>;
}

/**
 * The source that a log tells: keys from the variables and files that the run took them from. Of a key that was given in
 * clear the line says which one to set, instead of sending none.
 */
export const curlSource = ({ target: { baseUrl, keyPlaces }, scope: { suiteKey } }: Run): CurlSource => ({
  baseUrl,
  keyOf({ credential }) {
    // What is no valid credential was made from the suites' key.
    const name = credential.kind === 'valid' ? credential.plan : suiteKey;
    return keyPlaces === undefined ? '$PETSTORE_KEY' : keyText(name, keyPlaces[name]);
  },
});

function keyText(name: KeyName, place: KeyPlace | undefined): string {
  if (place && 'variable' in place && /^[A-Za-z_]\w*$/.test(place.variable)) return `$${place.variable}`;
  if (place && 'file' in place) return `$(cat ${quoteLiteral(place.file)})`;
  return `\${PETSTORE_KEY:?set it to the ${name} key}`;
}

/** What a recorded key reads as, and what gives it back in a shell, each inside double quotes; `key` gives it whole. */
const keyForms = (key: string): ReadonlyMap<string, string> =>
  new Map([
    ['$PETSTORE_KEY_OTHER_CASE', `$(printf %s "${key}" | tr 'a-zA-Z' 'A-Za-z')`],
    [
      '$PETSTORE_KEY_LOOK_ALIKE',
      String.raw`$(printf %s "${key}" | sed 's/\(.\)\(.\)\(.\)\(.\)\(.\)\(.\)\(.\)\(.\)$/\8\7\6\5\4\3\2\1/')`,
    ],
    ['$PETSTORE_KEY_HALF', `$(printf %s "${key}" | awk '{ print substr($0, 1, int(length($0) / 2)) }')`],
    ['$PETSTORE_KEY_FIRST', `$(printf %.1s "${key}")`],
    ['$PETSTORE_KEY_BASE64_PASSWORD', `$(printf api:%s "${key}" | base64 | tr -d '\\n')`],
    ['$PETSTORE_KEY_BASE64', `$(printf %s: "${key}" | base64 | tr -d '\\n')`],
    ['${PETSTORE_KEY%?}', `$(printf %s "${key}" | sed 's/.$//')`],
    ['${PETSTORE_KEY}', key.replace(/^\$(\w+)$/, '${$1}')],
    ['$PETSTORE_KEY', key],
  ]);

const PLACEHOLDER =
  /\$PETSTORE_KEY_OTHER_CASE|\$PETSTORE_KEY_LOOK_ALIKE|\$PETSTORE_KEY_HALF|\$PETSTORE_KEY_FIRST|\$PETSTORE_KEY_BASE64(?:_PASSWORD)?|\$\{PETSTORE_KEY%\?\}|\$\{PETSTORE_KEY\}|\$PETSTORE_KEY(?![A-Za-z0-9_])/;

/** Headers that curl sends by itself, or that belong to one connection or one run and not to the request. */
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
 * One line for a POSIX shell that sends the exchange's request again with curl and shows status, headers and body. The
 * key is read from where the run took it; everything else is quoted so that no shell reads it, be it history expansion
 * in an interactive one.
 */
export function curlOf(exchange: Exchange, { baseUrl, keyOf }: CurlSource): string {
  const quote = quoterOf(keyForms(keyOf?.(exchange) ?? '$PETSTORE_KEY'));
  const { method, path, headers, body } = exchange.request;
  const url = `${new URL(baseUrl).origin}${path}`;
  const sent = bodyOf(method, body);
  const words = [
    'curl -sSi',
    // Without these curl would read [1-9] and {a,b} as patterns, and tidy up dots in the path.
    ...(/[[\]{}]/.test(path) ? ['-g'] : []),
    ...(/\/\.\.?(?:[/?]|$)/.test(path) ? ['--path-as-is'] : []),
    ...methodOf(method, sent !== null),
    ...headersOf(headers, sent !== null).flatMap((text) => ['-H', quote(text)]),
    ...(wasEncoded(exchange) ? ['--compressed'] : []),
    ...(sent === null ? [] : ['--data-binary', sent.piped ? '@-' : quoteLiteral(sent.text)]),
    quote(url),
  ];
  const command = words.join(' ');
  return sent?.piped ? `printf ${quoteLiteral(printfFormat(sent.text))} | ${command}` : command;
}

/** Only where the answer's encoding plays a part: everywhere else the flag would be in the reader's way. */
const wasEncoded = ({ answer }: Exchange): boolean =>
  answer.kind === 'response'
    ? answer.headers.some(([name]) => name.toLowerCase() === 'content-encoding')
    : answer.code === 'bad-encoding';

function methodOf(method: string, hasBody: boolean): string[] {
  if (method === 'HEAD') return ['--head'];
  return method === (hasBody ? 'POST' : 'GET') ? [] : ['-X', quoteLiteral(method)];
}

function headersOf(headers: readonly Header[], hasBody: boolean): string[] {
  const kept = headers.filter(([name]) => !LEFT_OUT.has(name.toLowerCase()));
  const has = (wanted: string) => kept.some(([name]) => name.toLowerCase() === wanted);
  const shown = kept
    .filter(([name, value]) => !(name.toLowerCase() === 'accept' && value === '*/*'))
    // curl drops a header that has nothing after the colon; a semicolon sends it empty.
    .map(([name, value]) => (value === '' ? `${name};` : `${name}: ${value}`));
  // What curl would add and the request did not have.
  const removed = hasBody && !has('content-type') ? ['Content-Type:'] : [];
  return [...shown, ...removed];
}

/** An empty body tells a POST's length, as the kit's own sender does. Bodies that no line can hold as they are go through printf. */
function bodyOf(method: string, body: string | null): { text: string; piped: boolean } | null {
  if (body === null) return ['POST', 'PUT', 'PATCH'].includes(method) ? { text: '', piped: false } : null;
  return { text: body, piped: body.startsWith('@') || /[\p{C}\p{Zl}\p{Zp}]/u.test(body) };
}

/** The body as a printf format of visible characters only: bytes of all others in octal. */
const printfFormat = (body: string): string =>
  body.replace(/[\p{C}\p{Zl}\p{Zp}%\\]/gu, (character) => {
    if (character === '%') return '%%';
    if (character === '\\') return '\\\\';
    return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  });

/** Makes words in which the shell expands the key's placeholders and nothing else. */
const quoterOf =
  (forms: ReadonlyMap<string, string>) =>
  (text: string): string => {
    const pieces = text.split(new RegExp(`(${PLACEHOLDER.source})`)).filter((piece) => piece !== '');
    if (!pieces.some((piece) => forms.has(piece))) return quoteLiteral(text);
    // Where nothing around the key means anything to a shell, one pair of double quotes reads best.
    if (pieces.every((piece) => forms.has(piece) || /^[^"$`\\!\p{C}]*$/u.test(piece)))
      return `"${pieces.map((piece) => forms.get(piece) ?? piece).join('')}"`;
    return pieces
      .map((piece) => {
        const form = forms.get(piece);
        return form === undefined ? quoteLiteral(piece) : `"${form}"`;
      })
      .join('');
  };

/** Single quotes, in which a shell reads nothing; a plain word needs none. */
const quoteLiteral = (text: string): string => (/^[A-Z]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
