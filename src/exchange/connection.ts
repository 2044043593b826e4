import { performance } from 'node:perf_hooks';
import type { Socket } from 'node:net';
import { buildConnector, Client, errors } from 'undici';
import { decode, textOf } from './decode.js';
import { onlyAnswers } from './answer-reader.js';
import { misframedError } from './misframed.js';
import { header } from './headers.js';
import { transportError } from './transport-error.js';
import type { Answer, Header } from './types.js';

/** Limits on one exchange, so that a hostile target costs bounded time and memory. */
export interface HttpLimits {
  /** From sending to the last byte of the body, ms. */
  readonly timeoutMs: number;
  /** Of a body, as it comes and once decoded. */
  readonly maxBodyBytes: number;
  /** A certificate authority to trust instead of the well-known ones, PEM. */
  readonly ca?: string | undefined;
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

/** An answer with its times, on the clock of `now`. */
export interface TimedAnswer {
  readonly sentAt: number;
  readonly latencyMs: number;
  readonly attempts: number;
  readonly answer: Answer;
}

/** One keep-alive connection to one origin; requests go one after the other. */
export interface Connection {
  send(request: WireRequest): Promise<TimedAnswer>;
  close(): Promise<void>;
}

/** Read once: it never changes, and reading it costs more than the clock does. */
const ORIGIN_MS = performance.timeOrigin;

/** Unix ms with a fraction, on a clock that never goes back. */
export const now = (): number => ORIGIN_MS + performance.now();

/**
 * A signal for one exchange, which fires when its time is over or the run is broken off. Made by hand, because
 * Node 20 may collect a timeout's signal once only `AbortSignal.any` refers to it, and it then never fires.
 */
function boundBy({ timeoutMs, signal }: HttpLimits): { readonly signal: AbortSignal; readonly release: () => void } {
  const own = new AbortController();
  const breakOff = () => own.abort(signal?.reason);
  const timer = setTimeout(
    () => own.abort(new DOMException(`no whole answer within ${timeoutMs} ms`, 'TimeoutError')),
    timeoutMs,
  );
  if (signal?.aborted) breakOff();
  signal?.addEventListener('abort', breakOff, { once: true });
  return {
    signal: own.signal,
    release: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', breakOff);
    },
  };
}

/**
 * Opens a connection lazily. Redirects are not followed. A request that dies on a reused connection before a byte of
 * an answer came back is sent once more on a new one: servers may close a kept-alive connection at any time, and the
 * request may have crossed with it (RFC 9112 section 9.3.1). Transport faults are answers of kind `none`, never thrown;
 * what undici refuses to send is thrown.
 */
export function openConnection(origin: string, limits: HttpLimits): Connection {
  let client = newClient();
  /** The socket that carries the requests now, and whether an answer has come over it. */
  let socket: Socket | undefined;
  let used = false;

  function newClient(): Client {
    const connect = buildConnector({
      timeout: limits.timeoutMs,
      // Said aloud, because the environment can turn it off for all of Node: the key goes to nobody unknown.
      rejectUnauthorized: true,
      ...(limits.ca !== undefined && { ca: limits.ca }),
    });
    return new Client(origin, {
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, callback) =>
        connect(options, (...result) => {
          if (result[1]) {
            socket = lookedAt(result[1], limits.maxBodyBytes);
            used = false;
          }
          callback(...result);
        }),
    });
  }

  async function attempt(request: WireRequest): Promise<Answer> {
    const bound = boundBy(limits);
    try {
      const response = await client.request({
        method: request.method,
        path: request.path,
        headers: request.headers.flat(),
        body: request.body,
        responseHeaders: 'raw',
        signal: bound.signal,
      });
      // With raw headers undici gives a flat list of names and values, those in Latin-1, which is what RFC 9110 section
      // 5.5 leaves for octets beyond ASCII; its typings only know the parsed form.
      const headers = pairs(response.headers as unknown as readonly string[]);
      const bytes = await readCapped(response.body, limits.maxBodyBytes);
      if (!bytes) return tooLarge(limits.maxBodyBytes);
      const decoded = decode(bytes, header(headers, 'content-encoding'), limits.maxBodyBytes);
      if (!decoded.ok) return { kind: 'none', code: decoded.code, message: decoded.problem };
      return { kind: 'response', status: response.statusCode, headers, ...textOf(decoded.bytes) };
    } catch (error) {
      // A request that cannot be sent at all is the kit's own fault, and must not be laid at the target's door.
      if (error instanceof errors.InvalidArgumentError) throw error;
      return { kind: 'none', ...transportError(error) };
    } finally {
      bound.release();
    }
  }

  return {
    async send(request) {
      const sentAt = now();
      const reused = used && socket !== undefined && !socket.destroyed ? socket : undefined;
      const readBefore = reused?.bytesRead ?? 0;
      let answer = await attempt(request);
      let attempts = 1;
      const diedSilently =
        answer.kind === 'none' && answer.code === 'reset' && reused !== undefined && reused.bytesRead === readBefore;
      if (diedSilently) {
        attempts = 2;
        answer = await attempt(request);
      }
      used = true;
      // After a fault nobody knows what still comes over the old connection: the next request gets a new one.
      if (answer.kind === 'none') {
        const broken = client;
        client = newClient();
        socket = undefined;
        void broken.destroy().catch(() => undefined);
      }
      return { sentAt, latencyMs: now() - sentAt, attempts, answer };
    },
    close: () => client.destroy(),
  };
}

/**
 * Has what comes over a socket looked at before undici reads it: undici gives up on an interim answer that it did not ask
 * for, which any client has to pass over (RFC 9110, 15.2), and reads a status line without end.
 */
function lookedAt(socket: Socket, maxBodyBytes: number): Socket {
  const framed = onlyAnswers(maxBodyBytes);
  const read = socket.read.bind(socket) as () => Buffer | null;
  let error: Error | null = null;
  socket.read = (): Buffer | null => {
    for (let chunk = error ? null : read(); chunk !== null; chunk = error ? null : read()) {
      const { bytes, broken } = framed(chunk);
      if (broken) error = misframedError(broken);
      if (bytes.length > 0) return bytes;
    }
    if (error) socket.destroy(error);
    return null;
  };
  return socket;
}

const tooLarge = (maxBytes: number): Answer => ({
  kind: 'none',
  code: 'too-large',
  message: `the body is larger than ${maxBytes} bytes`,
});

const pairs = (flat: readonly string[]): Header[] =>
  Array.from({ length: Math.floor(flat.length / 2) }, (_, at) => [flat[at * 2] ?? '', flat[at * 2 + 1] ?? ''] as const);

/** Reads a body up to a size; undefined, and the connection given up, when it is larger. */
async function readCapped(
  body: AsyncIterable<Uint8Array> & { destroy(): unknown },
  maxBytes: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
