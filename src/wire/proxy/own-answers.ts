import type { OwnError } from '../../base/interface/resources.js';
import { cut } from '../../base/kernel/visible.js';
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

/**
 * Returns the proxy's response to a request that it would have to send to another host: it is in front of one
 * target.
 */
export const forwardRefused = (own: string, baseUrl: string): OwnAnswer =>
  ownError(
    421,
    'proxy_not_forward',
    [
      `it stands in front of ${baseUrl}, and is no forward proxy.`,
      `Set the client's base address to ${own}, and remove HTTP_PROXY, HTTPS_PROXY or the client's proxy setting`,
    ].join(' '),
  );

export const upgradeRefused = (protocol: string): OwnAnswer & { readonly why: string } => {
  const why = `the proxy passes HTTP/1.1 only, and refused an upgrade to ${cut(protocol, 60).text}`;
  return { ...ownError(501, 'proxy_no_upgrade', why), why };
};

export const unreadable = (reason: string): OwnAnswer =>
  ownError(400, 'proxy_unreadable_request', `the request is no valid HTTP/1.1 (${reason})`);

export const SWITCHED = Object.assign(
  new Error('101 Switching Protocols, which the request did not ask for'),
  {
    code: 'UND_ERR_INFO',
  },
);

/** Returns an own response as bytes, for a connection that it ends. */
export const lastResponse = ({ status, text }: OwnAnswer, reason: string): string =>
  [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
    '',
    text,
  ].join('\r\n');

const ownError = (status: number, code: string, message: string): OwnAnswer => ({
  status,
  headers: [['Content-Type', 'application/json']],
  text: JSON.stringify({ code, message: `${NAME}: ${message}`, status } satisfies OwnError),
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
