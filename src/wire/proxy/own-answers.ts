import { ownLimit, isOwnLimit } from '../exchange/own-limits.js';
import { isOfCertificate, transportError } from '../exchange/transport-error.js';
import type { TransportCode } from '../exchange/types.js';
import type { OwnAnswer } from './passed.js';

/** Names the proxy in its own Errors, so nobody takes one for the service's. */
const NAME = 'petstore-conformance proxy';

/** Returns the proxy's response where the target gave none: 502 and an Error (RFC 9110, 15.6.3). */
export function badGateway(error: unknown, baseUrl: string): OwnAnswer & { readonly why: string } {
  const why = `the proxy got no response from ${baseUrl}: ${wordsOf(error)}`;
  return { ...ownError(502, 'proxy_no_response', why), why };
}

/** Returns the proxy's response to a request that it cannot read. */
export const unreadable = (reason: string): OwnAnswer =>
  ownError(400, 'proxy_unreadable_request', `the request is no valid HTTP/1.1 (${reason})`);

const ownError = (status: number, code: string, message: string): OwnAnswer => ({
  status,
  headers: [['Content-Type', 'application/json']],
  text: JSON.stringify({ code, message: `${NAME}: ${message}`, status }),
});

function wordsOf(error: unknown): string {
  const fault = transportError(error);
  if (isOwnLimit(fault)) return `this machine ${ownLimit(fault.cause).words}`;
  if (fault.code === 'malformed-http') return `its response is malformed (${fault.message})`;
  if (fault.code === 'tls')
    return isOfCertificate(fault.cause)
      ? `its certificate is not trusted (${fault.message})`
      : `the TLS handshake failed (${fault.message})`;
  return WORDS.get(fault.code) ?? 'it closed the connection without a response';
}

const WORDS: ReadonlyMap<TransportCode, string> = new Map<TransportCode, string>([
  ['refused', 'nothing listens there'],
  ['unreachable', 'this machine has no route to it'],
  ['unknown-host', 'its host name does not resolve'],
  ['timeout', 'it did not accept the connection in time'],
]);
