import { isIP } from 'node:net';
import { connect } from 'node:tls';

/** The certificate that a server shows, as far as a person needs to tell which one it is. */
export interface PeerCertificate {
  readonly subject: string;
  readonly issuer: string;
  /** ISO date. */
  readonly validUntil: string;
}

/**
 * Looks at the certificate that is shown at an address's port, whatever scheme the address has: to say which one was not
 * trusted, or that the port speaks TLS at all. Nothing is sent over the connection, and above all no key. null where none
 * is shown in time.
 */
export function peerCertificate(baseUrl: string, timeoutMs: number): Promise<PeerCertificate | null> {
  const { hostname, port, protocol } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      ...(isIP(host) === 0 && { servername: host }),
      rejectUnauthorized: false,
      timeout: timeoutMs,
    });
    const end = (found: PeerCertificate | null): void => {
      socket.destroy();
      resolve(found);
    };
    socket.once('secureConnect', () => {
      const { subject, issuer, valid_to: until } = socket.getPeerCertificate();
      const at = Date.parse(until);
      end({
        subject: nameOf(subject),
        issuer: nameOf(issuer),
        validUntil: Number.isNaN(at) ? until : new Date(at).toISOString().slice(0, 10),
      });
    });
    socket.once('timeout', () => end(null));
    socket.once('error', () => end(null));
  });
}

const nameOf = ({ CN, O }: { readonly CN?: unknown; readonly O?: unknown }): string =>
  [CN, O].flat().find((name): name is string => typeof name === 'string') ?? 'no name';
