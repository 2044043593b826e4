import type { TransportCode } from './types.js';

/** Error codes of undici, Node's sockets and OpenSSL, by meaning. */
const CODES: readonly (readonly [TransportCode, readonly string[]])[] = [
  ['refused', ['ECONNREFUSED']],
  ['unreachable', ['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EACCES', 'EPERM']],
  ['exhausted', ['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM']],
  ['unknown-host', ['ENOTFOUND', 'EAI_NONAME', 'EAI_NODATA']],
  ['resolver', ['EAI_AGAIN', 'EAI_FAIL', 'EAI_SYSTEM']],
  ['reset', ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CLOSED']],
  ['timeout', ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']],
  ['too-large', ['UND_ERR_RES_EXCEEDED_MAX_SIZE']],
  ['malformed-http', ['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'UND_ERR_INFO']],
  ['aborted', ['UND_ERR_ABORTED']],
  ['tls', ['EPROTO']],
];

/** Verification errors of OpenSSL, which have no common prefix. */
const CERTIFICATE_CODE =
  /^(ERR_TLS_CERT|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/;
const TLS_CODE = /^(ERR_TLS|ERR_SSL)/;

export interface Fault {
  readonly code: TransportCode;
  readonly message: string;
  /** Error code of the system or of OpenSSL, e.g. `EHOSTUNREACH`; absent for the kit's own faults. */
  readonly cause?: string;
}

/** The server ended a connection before its response was whole. */
export const CLOSED: Fault = { code: 'reset', message: 'the server closed the connection' };

/** True for an error code that a peer's certificate causes: the peer speaks TLS. */
export const isOfCertificate = (cause: string | undefined): boolean =>
  cause !== undefined && CERTIFICATE_CODE.test(cause);

/** Returns the fault of a network error, or of an error that has its code. */
export function transportError(error: unknown): Fault {
  const [first] = causes(error);
  const named = causes(error).find((cause) => codeOf(cause) !== undefined);
  const cause = (named as { code?: unknown } | undefined)?.code;
  return {
    code: (named && codeOf(named)) ?? 'reset',
    message: messageOf(named ?? first),
    ...(typeof cause === 'string' && { cause }),
  };
}

/**
 * Returns the problem with the certificate of a connection that was made anyway, from the reason in Node's
 * socket.
 */
export const certificateFaultOf = (reason: unknown): string =>
  `the certificate is not trusted (${reason instanceof Error ? reason.message : String(reason)})`;

function codeOf(error: Error & { code?: unknown }): TransportCode | undefined {
  if (error.name === 'TimeoutError') return 'timeout';
  if (error.name === 'AbortError') return 'aborted';
  // Errors of the parser may lack a code.
  if (error.name === 'HTTPParserError') return 'malformed-http';
  if (typeof error.code !== 'string') return undefined;
  const { code } = error;
  // Those of Node's own client.
  if (code.startsWith('HPE_')) return 'malformed-http';
  const [known] = CODES.find(([own, codes]) => own === code || codes.includes(code)) ?? [];
  return known ?? (TLS_CODE.test(code) || isOfCertificate(code) ? 'tls' : undefined);
}

/**
 * Matches the reason in an error line of OpenSSL: number, library, function, the reason, perhaps a place in
 * its source.
 */
const OPENSSL = /\berror:[0-9A-F]{8}:[^:]*:[^:]*:([^:\n]+)/i;

/** Matches the addresses that Node appends to a failed connection: its own end, mostly "undefined:undefined". */
const OWN_END = / - Local \([^)]*\)/g;

/** Undici's text for a connection that the server ended. */
const OTHER_SIDE_CLOSED = 'other side closed';

/** Matches Node's text of a certificate for another name; its list of names may be empty. */
const OTHER_NAME =
  /^Hostname\/IP does not match certificate's altnames: [\s\S]*?(?:cert's (?:list|altnames|CN): *([\s\S]*))?$/;

function messageOf(error: Error | undefined): string {
  if (!error) return 'unknown';
  return plainMessage(error.message) || ((error as { code?: string }).code ?? error.name);
}

/** Returns the text of an error of Node or OpenSSL in one line, without what says nothing to a reader. Pure. */
export function plainMessage(message: string): string {
  const reason = OPENSSL.exec(message)?.[1];
  if (reason !== undefined) return reason.trim();
  const otherName = OTHER_NAME.exec(message);
  if (otherName) {
    const names = (otherName[1] ?? '').trim();
    return `the certificate is for another name${names === '' ? '' : ` (${names})`}`;
  }
  const plain = message.replace(OWN_END, '').replaceAll('\\n', ' ').replace(/\s+/g, ' ').trim();
  return plain === OTHER_SIDE_CLOSED ? CLOSED.message : plain;
}

/** Returns the error, its causes, and the errors it contains (one for each address of a name). */
function causes(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  const gathered = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return [error, ...gathered.flatMap(causes), ...causes(error.cause)];
}
