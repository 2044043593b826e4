import { header } from '../exchange/headers.js';
import { entriesOf } from './open-har.js';
import { readHead, type HarHead } from './har-entry.js';

export interface HarAddress {
  readonly baseUrl: string;
  readonly requests: number;
  /** True if a request below it had an Authorization header. */
  readonly hasKey: boolean;
  readonly hasPets: boolean;
}

/** Most addresses to remember: a file of a browser names some hundreds. */
const MOST_ADDRESSES = 1000;

/**
 * Returns the base addresses ending with /v1 that files show, those with most requests first. Throws as
 * `entriesOf` does.
 */
export async function addressesIn(files: readonly string[]): Promise<readonly HarAddress[]> {
  const found = new Map<string, HarAddress>();
  for (const file of files) {
    for await (const scanned of entriesOf(file)) {
      // Most entries of a browser are of other addresses, and large. A slash may be escaped.
      const isPossible = scanned.kind === 'entry' && /\/v1|\\u00/i.test(scanned.text);
      const entry = isPossible ? readHead(scanned.text) : null;
      const baseUrl = entry === null ? null : baseOf(entry);
      if (entry === null || baseUrl === null) continue;
      const known = found.get(baseUrl);
      if (known === undefined && found.size >= MOST_ADDRESSES) continue;
      found.set(baseUrl, {
        baseUrl,
        requests: (known?.requests ?? 0) + 1,
        hasKey: (known?.hasKey ?? false) || header(entry.headers, 'authorization') !== null,
        hasPets: (known?.hasPets ?? false) || /\/v1\/pets(?:[/?#]|$)/.test(entry.target),
      });
    }
  }
  return [...found.values()].toSorted((one, other) => other.requests - one.requests);
}

function baseOf({ url, target }: HarHead): string | null {
  const path = /^([^?]*?\/v1)(?=[/?]|$)/.exec(target)?.[1];
  return path === undefined ? null : `${url.origin}${path}`;
}

/**
 * Returns the address that a record is about: the only one that got a key, of those for animals where there
 * are any; else null.
 */
export function addressMeant(addresses: readonly HarAddress[]): string | null {
  const withKey = addresses.filter(({ hasKey }) => hasKey);
  const ofPets = withKey.filter(({ hasPets }) => hasPets);
  const [only, ...others] = ofPets.length > 0 ? ofPets : withKey;
  return only !== undefined && others.length === 0 ? only.baseUrl : null;
}
