import type { KeyName } from '../../base/interface/names.js';
import type { ClientCredential, ClientKey } from './client-exchange.js';
import type { Header } from './types.js';

/** A request as received, keys in clear. Never logged. */
export interface RawRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: readonly Header[];
  /** null where the record lacks it. */
  readonly body: string | null;
}

/**
 * Returns a reader of requests that finds keys and replaces them. It numbers the unknown tokens of its record, so one reader
 * reads one record.
 * @param keys known keys in clear, by name
 */
export function credentialReader(keys: Readonly<Partial<Record<KeyName, string>>>) {
  const known = Object.entries(keys)
    .flatMap(([name, value]) => (value ? [[name as KeyName, value] as const] : []))
    // A key may be the beginning of another.
    .toSorted(([, one], [, other]) => other.length - one.length);
  const others = new Map<string, number>();

  const nthOf = (token: string): number => {
    const nth = others.get(token) ?? others.size + 1;
    others.set(token, nth);
    return nth;
  };
  const inText = (text: string): KeyName | null =>
    known.find(([, value]) => formsOf(value).some((form) => text.includes(form)))?.[0] ?? null;
  const keyOf = (token: string): ClientKey => {
    const name = known.find(([, value]) => value === token)?.[0];
    if (name !== undefined) return { kind: 'plan', plan: name };
    return isMask(token) ? { kind: 'masked', mask: token } : { kind: 'other', nth: nthOf(token) };
  };
  const hide = (text: string): string => {
    let hidden = text;
    for (const [name, value] of known)
      for (const form of formsOf(value)) hidden = hidden.replaceAll(form, keyPlaceholder(name));
    for (const [token, nth] of others) if (isLong(token)) hidden = hidden.replaceAll(token, `$UNKNOWN_KEY_${nth}`);
    return hidden;
  };

  return {
    /** Returns a request's key and its places. */
    credentialOf({ target, headers, body }: RawRequest): ClientCredential {
      const authorization = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? null;
      const token = authorization === null ? null : (/^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null);
      const ownForms = token !== null && !isMask(token) && token.length >= SHORTEST_FOUND ? formsOf(token) : [];
      const isKeyIn = ({ name, text }: { readonly name: KeyName | null; readonly text: string }): boolean =>
        name !== null || ownForms.some((form) => text.includes(form));
      const places = [
        ...(authorization !== null && token === null
          ? [{ where: 'Authorization without Bearer', name: inText(authorization), text: authorization }]
          : []),
        ...queryPlaces(target).map(([where, text]) => ({ where, name: inText(text), text })),
        ...headers
          .filter(([name]) => name.toLowerCase() !== 'authorization')
          .map(([name, text]) => ({ where: `the header ${name}`, name: inText(text), text })),
        ...(body === null ? [] : [{ where: 'the body', name: inText(body), text: body }]),
      ].filter(isKeyIn);
      const first = places[0]?.name;
      return {
        key: token !== null ? keyOf(token) : first ? { kind: 'plan', plan: first } : keyOfMasked(authorization),
        bearer: token !== null,
        elsewhere: [...new Set(places.map(({ where }) => where))],
      };
    },
    /** Replaces every known key, and the unknown tokens read so far, by placeholders. */
    hide,
    /** Replaces keys in headers. */
    hideIn: (headers: readonly Header[]): readonly Header[] =>
      headers.map(([name, value]) => [name, hide(value)] as const),
  };
}

/** Returns the placeholder of a key in records of traffic. It names the plan, so two keys stay two. */
export const keyPlaceholder = (name: KeyName): string => `$PETSTORE_${name.toUpperCase()}_KEY`;

/** Returns the key of a header that a recorder replaced as a whole. */
const keyOfMasked = (authorization: string | null): ClientKey =>
  authorization !== null && isMask(authorization) ? { kind: 'masked', mask: authorization } : { kind: 'none' };

const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '');

/** Forms of a key in requests: as it is, escaped for an address, and in Base64 as user or password (RFC 7617). */
function formsOf(key: string): readonly string[] {
  return [...new Set([key, encodeURIComponent(key), base64(`${key}:`), base64(`:${key}`), base64(key)])];
}

/** A shorter token may be part of any word. */
const SHORTEST_HIDDEN = 6;
/** An unknown bearer token of this length stands in another place of its request only as the key. */
const SHORTEST_FOUND = 12;
const isLong = (token: string): boolean => token.length >= SHORTEST_HIDDEN;

/**
 * Returns whether a text stands for a removed key: brackets, asterisks or dots only, a variable, or a usual word. Recorders and
 * people write these.
 */
export const isMask = (text: string): boolean =>
  /^[<[({].*[>\])}]$|^[*x.•█-]{2,}$|^\$\{?\w+\}?$|^%\w+%$|^\{\{.*\}\}$/i.test(text.trim()) ||
  /^(redacted|removed|masked|hidden|sanitized|secret|filtered|api[_-]?key|token|your[_-].*)$/i.test(text.trim());

/** Places of a key that `credentialOf` names: the path, and a query parameter. */
export const PATH = 'the path';
export const parameterPlace = (name: string): string => `the query parameter ${name}`;

/** Returns the parts of a target that may hold a key, with their names: the path, and each query parameter. */
function queryPlaces(target: string): readonly (readonly [where: string, text: string])[] {
  const at = target.indexOf('?');
  if (at === -1) return [[PATH, target]];
  return [
    [PATH, target.slice(0, at)],
    ...target
      .slice(at + 1)
      .split('&')
      .map((part) => {
        const [name = '', ...value] = part.split('=');
        return [parameterPlace(name), value.length === 0 ? name : value.join('=')] as const;
      }),
  ];
}
