import type { OperationName } from '../../base/interface/types.js';
import type { WireRequest } from './connection.js';
import type { KeyText } from './key-forms.js';
import type { Credential, Exchange, Header, Intent } from './types.js';

/** A request from a probe, without the key. */
export interface RequestSpec {
  readonly probe: string;
  readonly operation: OperationName | null;
  readonly intent: Intent;
  readonly credential: Credential;
  readonly method: string;
  /** Below the base address, with the query, e.g. `/pets?limit=1`. */
  readonly path: KeyText;
  readonly headers: readonly (readonly [name: string, value: KeyText])[];
  readonly body: string | null;
  /** Path of the request that must precede it on its connection, for the record. */
  readonly after?: string;
}

/** Without a trailing slash. */
export const basePathOf = ({ pathname }: URL): string => pathname.replace(/\/+$/, '');

/**
 * Assembles a request: the common headers, then its own.
 *
 * @param text returns the text of a form of the key: as sent, or its placeholder for the record
 */
export const assembled = (
  { method, path, headers, body }: RequestSpec,
  basePath: string,
  common: readonly Header[],
  text: Parameters<KeyText>[0],
): WireRequest => ({
  method,
  path: `${basePath}${path(text)}`,
  headers: [...common, ...headers.map(([name, value]) => [name, value(text)] as const)],
  body,
});

export const exchangeOf = (
  { probe, operation, intent, credential, after }: Omit<RequestSpec, 'method' | 'path' | 'headers' | 'body'>,
  { id, ...sent }: Omit<Exchange, 'probe' | 'operation' | 'intent' | 'credential'>,
): Exchange => ({
  id,
  probe,
  operation,
  intent,
  credential,
  ...sent,
  ...(after !== undefined && { after }),
});

/** One of many alike, so it does not say what it asked. */
export const loadProbe = (id: string): string => `load ${id}`;

export const isLoadProbe = (probe: string): boolean => /^load \S+$/.test(probe);
