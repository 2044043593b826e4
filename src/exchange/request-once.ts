import { errors, type Client, type Dispatcher } from 'undici';
import { decode } from './decode.js';
import { header } from './headers.js';
import { transportError } from './transport-error.js';
import type { Answer, Header } from './types.js';
import { duration, size } from '../format/format.js';

/** Limits on one exchange, so that a hostile target costs bounded time and memory. */
export interface HttpLimits {
  /** From sending to the last byte of the body, ms. */
  readonly timeoutMs: number;
  /** Of a body, as it comes and once decoded. */
  readonly maxBodyBytes: number;
  /** A certificate authority to trust instead of the well-known ones, PEM. */
  readonly ca?: string | undefined;
  /** The server is known to send more than its answers: no connection is used twice. */
  readonly singly?: boolean | undefined;
  /** Breaks off what is under way. */
  readonly signal?: AbortSignal | undefined;
}

/** A request in clear, as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  /** From the root of the origin. */
  readonly path: string;
  readonly headers: readonly Header[];
  readonly body: string | null;
}

/** An answer as its bytes, with its content codings undone. */
export type RawAnswer =
  | { readonly kind: 'response'; readonly status: number; readonly headers: readonly Header[]; readonly bytes: Buffer }
  | Extract<Answer, { kind: 'none' }>;

/**
 * One request over a client, through undici's handler and without its streams: under load a stream an answer would cost
 * more than all else that is done for it. Transport faults are answers of kind `none`.
 * @throws InvalidArgumentError for what undici refuses to send
 */
export function requestOnce(client: Client, request: WireRequest, limits: HttpLimits): Promise<RawAnswer> {
  const { timeoutMs, maxBodyBytes, signal } = limits;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let broken: Error | undefined;
    const chunks: Buffer[] = [];
    let size = 0;
    let status = 0;
    let headers: readonly Header[] = [];

    const settle = (answer: RawAnswer): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
      resolve(answer);
    };
    const breakOff = (error: Error, answer: RawAnswer = { kind: 'none', ...transportError(error) }): void => {
      broken = error;
      controller?.abort(error);
      settle(answer);
    };
    const interrupt = (): void => breakOff(signal?.reason as Error);
    const timer = setTimeout(
      () => breakOff(new DOMException(`no whole answer within ${duration(timeoutMs)}`, 'TimeoutError')),
      timeoutMs,
    );
    if (signal?.aborted) return interrupt();
    signal?.addEventListener('abort', interrupt, { once: true });

    client.dispatch(
      { method: request.method, path: request.path, headers: request.headers.flat(), body: request.body },
      {
        onRequestStart(started) {
          controller = started;
          if (broken) started.abort(broken);
        },
        onResponseStart({ rawHeaders }, statusCode) {
          status = statusCode;
          headers = pairs(rawHeaders as readonly Buffer[]);
        },
        onResponseData(_, chunk) {
          size += chunk.length;
          if (size <= maxBodyBytes) chunks.push(chunk);
          else breakOff(new Error('too large'), tooLarge(maxBodyBytes));
        },
        onResponseEnd() {
          const whole = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
          const decoded = decode(whole, header(headers, 'content-encoding'), maxBodyBytes);
          settle(
            decoded.ok
              ? { kind: 'response', status, headers, bytes: decoded.bytes }
              : { kind: 'none', code: decoded.code, message: decoded.problem },
          );
        },
        onResponseError(_, error) {
          // A request that cannot be sent at all is the kit's own fault, and must not be laid at the target's door.
          if (error instanceof errors.InvalidArgumentError) {
            clearTimeout(timer);
            signal?.removeEventListener('abort', interrupt);
            reject(error);
          } else settle({ kind: 'none', ...transportError(error) });
        },
      },
    );
  });
}

const tooLarge = (maxBytes: number): RawAnswer => ({
  kind: 'none',
  code: 'too-large',
  message: `the body is larger than ${size(maxBytes)}`,
});

/** Octets beyond ASCII are Latin-1 (RFC 9110 section 5.5); undici's parsed form would leave out what came twice. */
const pairs = (flat: readonly Buffer[]): Header[] =>
  Array.from(
    { length: Math.floor(flat.length / 2) },
    (_, at) => [flat[at * 2]?.toString('latin1') ?? '', flat[at * 2 + 1]?.toString('latin1') ?? ''] as const,
  );
