import { ConfigError } from '../contract/config-error.js';
import type { Place } from './placeholders.js';

/**
 * A base address, normalised and without a slash at the end. Throws ConfigError `bad-url`; the address itself is not
 * repeated in it, because it may come from the environment or hold a password.
 */
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
  if (!URL.canParse(text)) return fail('is not a URL', 'Write it in full, with https:// or http:// in front.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return fail('is neither http nor https', 'Write it in full, with https:// or http:// in front.');
  }
  if (url.username !== '' || url.password !== '') {
    return fail('holds a user name or a password', 'Take them out; the service is asked with an API key.');
  }
  if (text.includes('?') || text.includes('#')) {
    return fail('has a query or a fragment', 'End it with the version segment, /v1.');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}
