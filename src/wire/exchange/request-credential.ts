import type { KeyName } from '../../base/interface/names.js';
import type { ClientCredential, ClientExchange, ClientKey } from './client-exchange.js';
import { writtenForms } from './written-forms.js';
import { KnownTexts } from './known-texts.js';
import { isMask, isUnset } from './mask.js';
import { changed } from './recorded.js';
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

interface KnownKey {
  readonly name: KeyName;
  readonly value: string;
  readonly forms: readonly string[];
}

/**
 * Reader of requests that finds keys and replaces them. It numbers the unknown tokens of its record, so one
 * reader reads one record.
 */
export class CredentialReader {
  private readonly known: readonly KnownKey[];
  private readonly others = new Map<string, number>();
  private readonly unknown = new KnownTexts();

  /**
   * @param keys known keys in clear, by name
   * @param onUnknown called once with each unknown token that is long enough for a key
   */
  constructor(
    keys: Readonly<Partial<Record<KeyName, string>>>,
    private readonly onUnknown: (token: string) => void = () => undefined,
  ) {
    this.known = Object.entries(keys)
      .flatMap(([name, value]) =>
        value ? [{ name: name as KeyName, value, forms: writtenForms(value) }] : [],
      )
      // A key may be the beginning of another.
      .toSorted((one, other) => other.value.length - one.value.length);
  }

  private nthOf(token: string): number {
    const known = this.others.get(token);
    if (known !== undefined) return known;
    this.others.set(token, this.others.size + 1);
    if (token.length >= SHORTEST_FOUND) this.onUnknown(token);
    this.unknown.add(token, `$UNKNOWN_KEY_${this.others.size}`);
    return this.others.size;
  }

  private inText(text: string): KeyName | null {
    return this.known.find(({ forms }) => forms.some((form) => text.includes(form)))?.name ?? null;
  }

  private keyOf(token: string): ClientKey {
    const name = this.known.find(({ value }) => value === token)?.name;
    if (name !== undefined) return { kind: 'plan', plan: name };
    if (isUnset(token)) return { kind: 'unset', text: token };
    return isMask(token) ? { kind: 'masked', mask: token } : { kind: 'other', nth: this.nthOf(token) };
  }

  /** Replaces every known key, and the unknown tokens read so far, by placeholders. */
  hide(text: string): string {
    let hidden = text;
    for (const { name, forms } of this.known)
      for (const form of forms) hidden = hidden.replaceAll(form, keyPlaceholder(name));
    return this.unknown.replacedIn(hidden);
  }

  credentialOf({ target, headers, body }: RawRequest): ClientCredential {
    const [credential, ...twice] = headers.filter(([name]) => name.toLowerCase() === 'authorization');
    const authorization = credential?.[1] ?? null;
    const token =
      authorization === null ? null : (/^bearer +(\S+|\[object \w+\]) *$/i.exec(authorization)?.[1] ?? null);
    const ownForms =
      token !== null && !isMask(token) && token.length >= SHORTEST_FOUND ? writtenForms(token) : [];
    const isKeyIn = ({ name, text }: { readonly name: KeyName | null; readonly text: string }): boolean =>
      name !== null || ownForms.some((form) => text.includes(form));
    const places = [
      ...(authorization !== null && token === null
        ? [{ where: 'Authorization without Bearer', name: this.inText(authorization), text: authorization }]
        : []),
      ...twice.map(([, text]) => ({ where: 'a second Authorization', name: this.inText(text), text })),
      ...queryPlaces(target)
        .flatMap(([where, text]) => [text, decoded(text)].map((each) => [where, each] as const))
        .map(([where, text]) => ({ where, name: this.inText(text), text })),
      ...headers
        .filter(([name]) => name.toLowerCase() !== 'authorization')
        .map(([name, text]) => ({ where: `the header ${name}`, name: this.inText(text), text })),
      ...(body === null ? [] : [{ where: 'the body', name: this.inText(body), text: body }]),
    ].filter(isKeyIn);
    const first = places[0]?.name;
    return {
      key:
        token !== null
          ? this.keyOf(token)
          : first
            ? { kind: 'plan', plan: first }
            : keyOfMasked(authorization),
      bearer: token !== null,
      elsewhere: [...new Set(places.map(({ where }) => where))],
    };
  }

  /**
   * Replaces keys as `hide` does, wherever an exchange holds them. A token may be read after a response that
   * repeats it, so this comes last.
   */
  hidden(exchange: ClientExchange): ClientExchange {
    return changed(exchange, {
      target: (target) => this.hide(target),
      header: ([name, value]) => [this.hide(name), hiddenCredential(name, this.hide(value))],
      body: (body) => ('text' in body ? { ...body, text: this.hide(body.text) } : body),
    });
  }
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

const keyOfMasked = (authorization: string | null): ClientKey =>
  authorization !== null && isMask(authorization)
    ? { kind: 'masked', mask: authorization }
    : { kind: 'none' };

/** An unknown bearer token of this length stands in another place of its request only as the key. */
const SHORTEST_FOUND = 12;

/** Places of a key that `credentialOf` names: the path, and a query parameter. */
export const PATH = 'the path';
export const parameterPlace = (name: string): string => `the query parameter ${name}`;

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
