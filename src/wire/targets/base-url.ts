import type { Place } from './placeholders.js';
import { ConfigError } from '../../base/kernel/errors.js';
import { unfilledAddress } from './unfilled.js';

/** Removes a final slash. Throws ConfigError `bad-url` without the address, which may contain a secret. */
export function parseBaseUrl(text: string, place: Place): string {
  const fail = (message: string, hint: string): never => {
    throw new ConfigError({
      code: 'bad-url',
      message: `The base address ${message}.`,
      ...place,
      expected: 'an address such as https://staging.example.com/v1',
      hint,
    });
  };
  const unfilled = unfilledAddress(text);
  if (unfilled) return fail(`contains ${unfilled.what}`, unfilled.hint);
  if (!URL.canParse(text))
    return fail(
      'is not a URL',
      /^\s*https?:\/\//i.test(text)
        ? 'Correct the host or the port. An IPv6 address needs brackets: http://[::1]:8080/v1.'
        : 'Write it in full, with https:// or http:// in front.',
    );
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return fail('is neither http nor https', 'Write it in full, with https:// or http:// in front.');
  }
  if (url.username !== '' || url.password !== '') {
    return fail('contains a user name or a password', 'Remove them: the run uses an API key.');
  }
  if (text.includes('?') || text.includes('#')) {
    return fail('has a query or a fragment', 'End it with the version segment, /v1.');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Part 9. */
export const endsWithVersion = (baseUrl: string): boolean => new URL(baseUrl).pathname.endsWith('/v1');

/**
 * Returns the likeliest address that ends with the version segment, for one that does not: with another
 * version, or what follows one, replaced.
 */
export function withVersion(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  const [, before] = /^(.*?)\/v\d+(?:\/|$)/i.exec(pathname) ?? [];
  return `${origin}${before ?? pathname.replace(/\/+$/, '')}/v1`;
}

/**
 * Names and addresses of this machine, as `URL` writes them: `localhost` and names below it (RFC 6761, 6.3),
 * 127.0.0.0/8, ::1, the unspecified addresses, which connect to this machine, and IPv4 addresses mapped into
 * IPv6.
 */
const THIS_MACHINE =
  /^((.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:(7f[\da-f]{2}:[\da-f]{1,4}|0:0)\])$/;

export const isLoopback = ({ hostname }: URL): boolean => THIS_MACHINE.test(hostname);

/** Is true if what is sent to an address, such as a key, crosses a network in clear. */
export const isInClear = (url: URL): boolean => url.protocol !== 'https:' && !isLoopback(url);

/** In the form that sockets take. */
export const endpointOf = ({
  hostname,
  port,
  protocol,
}: URL): { readonly host: string; readonly port: number } => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
});

/** Parses an http or https address without user, password, query and fragment; null for any other text. */
export function plainAddress(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === '';
  return isPlain ? url : null;
}
