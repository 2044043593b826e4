import { isSetCookie } from '../../wire/exchange/headers.js';
import { HIDDEN } from '../../wire/exchange/secret-texts.js';
import type { Exchange, Header } from '../../wire/exchange/types.js';

/**
 * Returns the cookies that responses to the valid key set, by name, the newest of each. A client that keeps
 * cookies would send them; their paths and ages are the client's matter, so a server must not rely on them.
 */
export function serverCookies(exchanges: readonly Exchange[]): readonly Header[] {
  const cookies = new Map<string, string>();
  for (const { answer, credential } of exchanges) {
    if (answer.kind !== 'response' || credential.kind !== 'valid') continue;
    for (const [header, text] of answer.headers) {
      const [, name, value] = (isSetCookie(header) && /^\s*([^=;\s]+)\s*=\s*([^;]*)/.exec(text)) || [];
      // A log shows no value, and an empty one clears the cookie.
      if (name !== undefined && value !== undefined && value !== HIDDEN) cookies.set(name, value.trim());
    }
  }
  return [...cookies].filter(([, value]) => value !== '');
}
