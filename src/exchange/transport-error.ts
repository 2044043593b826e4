import type { TransportCode } from './types.js';

/** The error codes of undici, Node's sockets and OpenSSL, by what they mean. */
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

/** Messages of undici for status codes 101 and 100. */
const UNASKED: ReadonlySet<string> = new Set(['bad upgrade', 'bad response']);

/** OpenSSL's verification errors have no common prefix; these are its words for them. */
const TLS_CODE =
  /^(ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/;

/** Returns the code and message of a network error. */
export function transportError(error: unknown): { readonly code: TransportCode; readonly message: string } {
  const [first] = causes(error);
  const named = causes(error).find((cause) => codeOf(cause) !== undefined);
  const code = named ? codeOf(named) : undefined;
  return { code: code ?? 'reset', message: messageOf(named ?? first) };
}

/** Returns the problem with the certificate of a connection that was made anyway, from the reason in Node's socket. */
export const untrusted = (reason: unknown): string =>
  `the certificate is not trusted (${reason instanceof Error ? reason.message : String(reason)})`;

function codeOf(error: Error & { code?: unknown }): TransportCode | undefined {
  if (error.name === 'TimeoutError') return 'timeout';
  if (error.name === 'AbortError') return 'aborted';
  // The parser's own errors come with a code or without; undici has no code for an interim answer that it did not ask for.
  if (error.name === 'HTTPParserError' || UNASKED.has(error.message)) return 'malformed-http';
  if (typeof error.code !== 'string') return undefined;
  const { code } = error;
  const [known] = CODES.find(([, codes]) => codes.includes(code)) ?? [];
  return known ?? (TLS_CODE.test(code) ? 'tls' : undefined);
}

const messageOf = (error: Error | undefined): string =>
  error ? error.message || ((error as { code?: string }).code ?? error.name) : 'unknown';

/** The error, what it was caused by, and the errors that it gathers (one an address, for a name with several). */
function causes(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  const gathered = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return [error, ...gathered.flatMap(causes), ...causes(error.cause)];
}
