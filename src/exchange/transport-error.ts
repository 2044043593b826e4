import type { TransportCode } from './types.js';

/** Error codes of undici, Node's sockets and OpenSSL, by meaning. */
const CODES: readonly (readonly [TransportCode, readonly string[]])[] = [
  ['refused', ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']],
  ['unknown-host', ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA']],
  ['reset', ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CLOSED']],
  ['timeout', ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']],
  ['too-large', ['UND_ERR_RES_EXCEEDED_MAX_SIZE']],
  ['malformed-http', ['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'UND_ERR_INFO']],
  ['aborted', ['UND_ERR_ABORTED']],
  ['tls', ['EPROTO']],
];

/** Verification errors of OpenSSL, which have no common prefix. */
const TLS_CODE =
  /^(ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/;

/** Reason why there is no response. */
export interface Fault {
  readonly code: TransportCode;
  readonly message: string;
}

/** Returns the fault of a network error, or of an error that has its code. */
export function transportError(error: unknown): Fault {
  const [first] = causes(error);
  const named = causes(error).find((cause) => codeOf(cause) !== undefined);
  const code = named ? codeOf(named) : undefined;
  return { code: code ?? 'reset', message: messageOf(named ?? first) };
}

/** Returns the problem with the certificate of a connection that was made anyway, from the reason in Node's socket. */
export const certificateFaultOf = (reason: unknown): string =>
  `the certificate is not trusted (${reason instanceof Error ? reason.message : String(reason)})`;

function codeOf(error: Error & { code?: unknown }): TransportCode | undefined {
  if (error.name === 'TimeoutError') return 'timeout';
  if (error.name === 'AbortError') return 'aborted';
  // Errors of the parser may lack a code.
  if (error.name === 'HTTPParserError') return 'malformed-http';
  if (typeof error.code !== 'string') return undefined;
  const { code } = error;
  const [known] = CODES.find(([own, codes]) => own === code || codes.includes(code)) ?? [];
  return known ?? (TLS_CODE.test(code) ? 'tls' : undefined);
}

const messageOf = (error: Error | undefined): string =>
  error ? error.message || ((error as { code?: string }).code ?? error.name) : 'unknown';

/** Returns the error, its causes, and the errors it contains (one for each address of a name). */
function causes(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  const gathered = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return [error, ...gathered.flatMap(causes), ...causes(error.cause)];
}
