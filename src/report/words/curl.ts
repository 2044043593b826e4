import type { Exchange, Header } from '../../exchange/types.js';

/** What a recorded key reads as, and what gives it back in a shell; each stands inside double quotes. */
const KEY_FORMS: readonly (readonly [placeholder: string, shell: string])[] = [
  ['$PETSTORE_KEY_OTHER_CASE', `$(printf %s "$PETSTORE_KEY" | tr 'a-zA-Z' 'A-Za-z')`],
  [
    '$PETSTORE_KEY_LOOK_ALIKE',
    String.raw`$(printf %s "$PETSTORE_KEY" | sed 's/\(.\)\(.\)\(.\)\(.\)\(.\)\(.\)\(.\)\(.\)$/\8\7\6\5\4\3\2\1/')`,
  ],
  ['$PETSTORE_KEY_HALF', '$(printf %s "$PETSTORE_KEY" | cut -c1-$((${#PETSTORE_KEY} / 2)))'],
  ['$PETSTORE_KEY_FIRST', '$(printf %.1s "$PETSTORE_KEY")'],
  ['$PETSTORE_KEY_BASE64_PASSWORD', `$(printf api:%s "$PETSTORE_KEY" | base64 | tr -d '\\n')`],
  ['$PETSTORE_KEY_BASE64', `$(printf %s: "$PETSTORE_KEY" | base64 | tr -d '\\n')`],
  ['${PETSTORE_KEY%?}', '${PETSTORE_KEY%?}'],
  ['${PETSTORE_KEY}', '${PETSTORE_KEY}'],
  ['$PETSTORE_KEY', '$PETSTORE_KEY'],
];

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
 * key is read from the environment variable PETSTORE_KEY; everything else is quoted so that no shell reads it, be it
 * history expansion in an interactive one.
 * @param baseUrl of the target; its origin is used, since the exchange has the whole path
 */
export function curlOf(exchange: Exchange, baseUrl: string): string {
  const { method, path, headers, body } = exchange.request;
  const url = `${new URL(baseUrl).origin}${path}`;
  const sent = bodyOf(method, body);
  const words = [
    'curl -sSi',
    // Without these curl would read [1-9] and {a,b} as patterns, and tidy up dots in the path.
    ...(/[[\]{}]/.test(path) ? ['-g'] : []),
    ...(/\/\.\.?(?:[/?]|$)/.test(path) ? ['--path-as-is'] : []),
    ...methodOf(method, sent !== null),
    ...headersOf(headers, sent !== null),
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
    .map(([name, value]) => quote(value === '' ? `${name};` : `${name}: ${value}`));
  // What curl would add and the request did not have.
  const removed = hasBody && !has('content-type') ? ['Content-Type:'] : [];
  return [...shown, ...removed.map(quoteLiteral)].flatMap((word) => ['-H', word]);
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

/** A word in which the shell expands the key's placeholders and nothing else. */
function quote(text: string): string {
  const pieces = text.split(new RegExp(`(${PLACEHOLDER.source})`)).filter((piece) => piece !== '');
  if (!pieces.some(isPlaceholder)) return quoteLiteral(text);
  // Where nothing around the key means anything to a shell, one pair of double quotes reads best.
  if (pieces.every((piece) => isPlaceholder(piece) || /^[^"$`\\!\p{C}]*$/u.test(piece)))
    return `"${pieces.map(shellOf).join('')}"`;
  return pieces.map((piece) => (isPlaceholder(piece) ? `"${shellOf(piece)}"` : quoteLiteral(piece))).join('');
}

const isPlaceholder = (piece: string): boolean => KEY_FORMS.some(([placeholder]) => placeholder === piece);
const shellOf = (piece: string): string => KEY_FORMS.find(([placeholder]) => placeholder === piece)?.[1] ?? piece;

/** Single quotes, in which a shell reads nothing; a plain word needs none. */
const quoteLiteral = (text: string): string => (/^[A-Z]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
