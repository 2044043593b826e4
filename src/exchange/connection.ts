import { setTimeout as sleep } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';
import type { Socket } from 'node:net';
import { buildConnector, Client, errors, type Dispatcher } from 'undici';
import { onlyAnswers, SURPLUS } from './answer-reader.js';
import { decode, textOf, unread } from './decode.js';
import { misframedError, tooLarge } from './answer-head.js';
import type { Answer, Header } from './types.js';
import { header, pairsOf } from './headers.js';
import { transportError } from './transport-error.js';
import { duration } from '../format/format.js';

/** An answer with its times, on the clock of `now`. */
export interface Timed<Of> {
  readonly sentAt: number;
  readonly latencyMs: number;
  readonly attempts: number;
  /** Whether a connection that was used before died under it, before a byte of an answer came back. */
  readonly died?: true;
  readonly answer: Of;
}

/** What is told of a connection besides its answers. */
export interface Watching {
  /** Bytes came beyond an answer's end, possibly before `send` returns and possibly long after. */
  readonly onSurplus?: () => void;
  /** The server closed the connection, or it broke. */
  readonly onClosed?: () => void;
}

/** An answer as it is judged. */
export type TimedAnswer = Timed<Answer>;

/** One keep-alive connection to one origin; requests go one after the other. */
export interface Connection {
  send(request: WireRequest): Promise<TimedAnswer>;
  /** The same with the body's bytes, for whoever compares bodies before reading them. */
  sendRaw(request: WireRequest): Promise<Timed<RawAnswer>>;
  close(): Promise<void>;
}

/** Read once: it never changes, and reading it costs more than the clock does. */
const ORIGIN_MS = performance.timeOrigin;

/** Unix ms with a fraction, on a clock that never goes back. */
export const now = (): number => ORIGIN_MS + performance.now();

/** The longest that a timer holds (2^31 - 1 ms); a longer one would be over at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Waits until `at` (Unix ms), never for less: a timer drops fractions and may end a millisecond early.
 * Throws the signal's reason.
 */
export async function waitUntil(at: number, signal?: AbortSignal): Promise<void> {
  for (let left = at - now(); left > 0; left = at - now())
    await sleep(Math.min(LONGEST_TIMER_MS, Math.ceil(left)), undefined, { signal });
}

/**
 * Opens a connection lazily. Redirects are not followed. A request that dies on a reused connection before a byte of
 * an answer came back is sent once more on a new one: servers may close a kept-alive connection at any time, and the
 * request may have crossed with it (RFC 9112 section 9.3.1). A creation is not: it may have been worked on (RFC 9110 section
 * 9.2.2). Transport faults are answers of kind `none`, never thrown;
 * what undici refuses to send is thrown. Bytes beyond an answer's end, at once or later, end their connection: the next
 * request would be taken to be answered by them.
 */
export function openConnection(origin: string, limits: HttpLimits, { onSurplus, onClosed }: Watching = {}): Connection {
  let client = newClient();
  /** The socket that carries the requests now, and whether an answer has come over it. */
  let socket: LookedAt | undefined;
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
            socket = lookedAt(result[1], limits.maxBodyBytes, onSurplus);
            if (onClosed) socket.once('close', onClosed);
            used = false;
          }
          callback(...result);
        }),
    });
  }

  return {
    async send(request) {
      const { answer, ...times } = await this.sendRaw(request);
      if (answer.kind === 'none') return { ...times, answer };
      const { bytes, ...head } = answer;
      return { ...times, answer: { ...head, ...textOf(bytes) } };
    },
    async sendRaw(request) {
      const sentAt = now();
      const reused = used && socket !== undefined && !socket.destroyed ? socket : undefined;
      reused?.expectAnswer();
      const readBefore = reused?.bytesRead ?? 0;
      let answer = await requestOnce(client, request, limits);
      let attempts = 1;
      const diedSilently =
        answer.kind === 'none' && answer.code === 'reset' && reused !== undefined && reused.bytesRead === readBefore;
      if (diedSilently && request.method !== 'POST') {
        attempts = 2;
        answer = await requestOnce(client, request, limits);
      }
      used = true;
      // After a fault nobody knows what still comes over the old connection: the next request gets a new one.
      if (answer.kind === 'none' || limits.singly) {
        const broken = client;
        client = newClient();
        socket = undefined;
        void broken.destroy().catch(() => undefined);
      }
      return { sentAt, latencyMs: now() - sentAt, attempts, ...(diedSilently && { died: true }), answer };
    },
    close: () => client.destroy(),
  };
}

/** A socket whose bytes are looked at. */
type LookedAt = Socket & {
  /** A request is going to be sent: the bytes that come are its answer's. */
  readonly expectAnswer: () => void;
};

/** A server may say that it has waited long enough for a request, and close (RFC 9110, 15.5.9). */
const WAITED_ENOUGH = /^HTTP\/1\.[01] 408 /;

/**
 * Has what comes over a socket looked at before undici reads it: undici gives up on an interim answer that it did not ask
 * for, which any client has to pass over (RFC 9110, 15.2), reads a status line without end, and takes for an answer whatever
 * came before the request.
 */
function lookedAt(socket: Socket, maxBodyBytes: number, onSurplus?: () => void): LookedAt {
  const framed = onlyAnswers(maxBodyBytes, socket);
  const read = socket.read.bind(socket) as () => Buffer | null;
  let error: Error | null = null;
  let isExpected = true;
  /** What of a piece is an answer's; what is not ends the connection. */
  const look = (chunk: Buffer): Buffer | null => {
    const { bytes, broken, ended } = isExpected ? framed(chunk) : { bytes: null, broken: SURPLUS, ended: false };
    if (ended) isExpected = false;
    if (broken) error = misframedError(broken);
    if (broken === SURPLUS && (bytes || !WAITED_ENOUGH.test(chunk.toString('latin1', 0, 32)))) onSurplus?.();
    return bytes?.length ? bytes : null;
  };
  socket.read = (): Buffer | null => {
    for (let chunk = error ? null : read(); chunk !== null; chunk = error ? null : read()) {
      const bytes = look(chunk);
      if (bytes) return bytes;
    }
    if (error) socket.destroy(error);
    return null;
  };
  return Object.assign(socket, { expectAnswer: () => (isExpected = true) });
}

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
          // Octets beyond ASCII are Latin-1 (RFC 9110 section 5.5); undici's parsed form would leave out what came twice.
          headers = pairsOf((rawHeaders as readonly Buffer[]).map((text) => text.toString('latin1')));
        },
        onResponseData(_, chunk) {
          size += chunk.length;
          if (size <= maxBodyBytes) chunks.push(chunk);
          else breakOff(new Error('too large'), { kind: 'none', ...tooLarge(maxBodyBytes) });
        },
        onResponseEnd() {
          const whole = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
          const decoded = decode(whole, header(headers, 'content-encoding'), maxBodyBytes);
          settle(decoded.ok ? { kind: 'response', status, headers, bytes: decoded.bytes } : unread(decoded));
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
