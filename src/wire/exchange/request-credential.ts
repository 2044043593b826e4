import type { KeyName } from '../../base/interface/names.js';
import type { ClientCredential, ClientExchange, ClientKey } from './client-exchange.js';
import { isMask, isUnset } from './mask.js';
import { withBodies } from './recorded.js';
import { decoded } from './request-target.js';
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
 * Returns a reader of requests that finds keys and replaces them. It numbers the unknown tokens of its
 * record, so one reader reads one record.
 *
 * @param keys known keys in clear, by name
 * @param onUnknown called once with each unknown token that is long enough for a key
 */
export function credentialReader(
  keys: Readonly<Partial<Record<KeyName, string>>>,
  onUnknown: (token: string) => void = () => undefined,
) {
  const known = Object.entries(keys)
    .flatMap(([name, value]) => (value ? [[name as KeyName, value] as const] : []))
    // A key may be the beginning of another.
    .toSorted(([, one], [, other]) => other.length - one.length);
  const others = new Map<string, number>();
  /** Unknown tokens to hide, the longest first, by their beginnings: a client may get one for each request. */
  const byBeginning = new Map<string, readonly string[]>();

  const nthOf = (token: string): number => {
    const known = others.get(token);
    if (known !== undefined) return known;
    others.set(token, others.size + 1);
    if (token.length >= SHORTEST_FOUND) onUnknown(token);
    if (token.length >= SHORTEST_HIDDEN) {
      const beginning = token.slice(0, SHORTEST_HIDDEN);
      const alike = [...(byBeginning.get(beginning) ?? []), token];
      byBeginning.set(
        beginning,
        alike.sort((one, other) => other.length - one.length),
      );
    }
    return others.size;
  };
  const othersHidden = (text: string): string => {
    let hidden = '';
    let from = 0;
    for (let at = 0; at + SHORTEST_HIDDEN <= text.length; at += 1) {
      const alike = byBeginning.get(text.slice(at, at + SHORTEST_HIDDEN));
      const token = alike?.find((each) => text.startsWith(each, at));
      if (token === undefined) continue;
      hidden += `${text.slice(from, at)}$UNKNOWN_KEY_${others.get(token)}`;
      from = at + token.length;
      at = from - 1;
    }
    return hidden + text.slice(from);
  };
  const inText = (text: string): KeyName | null =>
    known.find(([, value]) => formsOf(value).some((form) => text.includes(form)))?.[0] ?? null;
  const keyOf = (token: string): ClientKey => {
    const name = known.find(([, value]) => value === token)?.[0];
    if (name !== undefined) return { kind: 'plan', plan: name };
    if (isUnset(token)) return { kind: 'unset', text: token };
    return isMask(token) ? { kind: 'masked', mask: token } : { kind: 'other', nth: nthOf(token) };
  };
  const hide = (text: string): string => {
    let hidden = text;
    for (const [name, value] of known)
      for (const form of formsOf(value)) hidden = hidden.replaceAll(form, keyPlaceholder(name));
    return othersHidden(hidden);
  };

  return {
    /** Returns a request's key and its places. */
    credentialOf({ target, headers, body }: RawRequest): ClientCredential {
      const [credential, ...twice] = headers.filter(([name]) => name.toLowerCase() === 'authorization');
      const authorization = credential?.[1] ?? null;
      const token =
        authorization === null
          ? null
          : (/^bearer +(\S+|\[object \w+\]) *$/i.exec(authorization)?.[1] ?? null);
      const ownForms =
        token !== null && !isMask(token) && token.length >= SHORTEST_FOUND ? formsOf(token) : [];
      const isKeyIn = ({ name, text }: { readonly name: KeyName | null; readonly text: string }): boolean =>
        name !== null || ownForms.some((form) => text.includes(form));
      const places = [
        ...(authorization !== null && token === null
          ? [{ where: 'Authorization without Bearer', name: inText(authorization), text: authorization }]
          : []),
        ...twice.map(([, text]) => ({ where: 'a second Authorization', name: inText(text), text })),
        ...queryPlaces(target)
          .flatMap(([where, text]) => [text, decoded(text)].map((each) => [where, each] as const))
          .map(([where, text]) => ({ where, name: inText(text), text })),
        ...headers
          .filter(([name]) => name.toLowerCase() !== 'authorization')
          .map(([name, text]) => ({ where: `the header ${name}`, name: inText(text), text })),
        ...(body === null ? [] : [{ where: 'the body', name: inText(body), text: body }]),
      ].filter(isKeyIn);
      const first = places[0]?.name;
      return {
        key:
          token !== null ? keyOf(token) : first ? { kind: 'plan', plan: first } : keyOfMasked(authorization),
        bearer: token !== null,
        elsewhere: [...new Set(places.map(({ where }) => where))],
      };
    },
    /** Replaces every known key, and the unknown tokens read so far, by placeholders. */
    hide,
    /**
     * Replaces keys as `hide` does, wherever an exchange holds them. A token may be read after a response
     * that repeats it, so this comes last.
     */
    hidden(exchange: ClientExchange): ClientExchange {
      const { request, answer } = withBodies(exchange, (body) =>
        'text' in body ? { ...body, text: hide(body.text) } : body,
      );
      const hideIn = (headers: readonly Header[]): readonly Header[] =>
        headers.map(([name, value]) => [hide(name), hiddenCredential(name, hide(value))] as const);
      return {
        ...exchange,
        request: { ...request, target: hide(request.target), headers: hideIn(request.headers) },
        answer: answer.kind === 'none' ? answer : { ...answer, headers: hideIn(answer.headers) },
      };
    },
  };
}

/** A scheme other than Bearer holds a password, and a short token is not replaced in texts. */
function hiddenCredential(name: string, value: string): string {
  const isHidden =
    isMask(value) ||
    isMask(/^\S+ +(\S+)$/.exec(value.trim())?.[1] ?? value) ||
    isUnset(value.replace(/^bearer +/i, ''));
  return name.toLowerCase() === 'authorization' && !isHidden ? '[redacted]' : value;
}

/** Returns the placeholder of a key in records of traffic. It names the plan, so two keys stay two. */
export const keyPlaceholder = (name: KeyName): string => `$PETSTORE_${name.toUpperCase()}_KEY`;

/** Returns the key of a header that a recorder replaced as a whole. */
const keyOfMasked = (authorization: string | null): ClientKey =>
  authorization !== null && isMask(authorization)
    ? { kind: 'masked', mask: authorization }
    : { kind: 'none' };

const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '');

/** Forms of a key in requests: as it is, escaped for an address, and in Base64 as user or password (RFC 7617). */
function formsOf(key: string): readonly string[] {
  return [...new Set([key, encodeURIComponent(key), base64(`${key}:`), base64(`:${key}`), base64(key)])];
}

/** A shorter token may be part of any word. */
const SHORTEST_HIDDEN = 6;
/** An unknown bearer token of this length stands in another place of its request only as the key. */
const SHORTEST_FOUND = 12;

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
