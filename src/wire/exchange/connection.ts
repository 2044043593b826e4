import { setImmediate as untilRead, setTimeout as sleep } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';
import type * as Undici from 'undici';
import { LONGEST_TIMER_MS } from '../../base/kernel/longest-timer.js';
import { readingOn } from './broken-writes.js';
import type { Answer, Header } from './types.js';
import { announcesClose } from './headers.js';
import { hostAddressOf } from './host-address.js';
import { inspected, type InspectedSocket } from './inspected-socket.js';
import { readAnswer, type RawAnswer } from './raw-answer.js';
import { requestOnce } from './request-once.js';
import { lookupOf } from './resolve.js';
import type { Target } from '../targets/target.js';
import { REST_MS, type ConnectionReuse } from './connection-reuse.js';
import { buildConnector, Client } from './undici-client.js';

/** A response with its times, on the clock of `now`. */
export interface Timed<Of> {
  readonly sentAt: number;
  readonly latencyMs: number;
  readonly attempts: number;
  /** True if the latest attempt got no connection, so nothing of it was sent; absent otherwise. */
  readonly isUnsent?: boolean;
  /** Set on a reused connection: `died` if it broke before the first byte of a response. */
  readonly reuse?: 'kept' | 'died';
  readonly answer: Of;
}

export interface Watching {
  /** Called for bytes after a response, before `send` returns or long after. */
  readonly onSurplus?: () => void;
  /** Called when the server closed the connection, or it broke. */
  readonly onClosed?: () => void;
  /** Decides which requests reuse the connection, and learns from them; by default all do. */
  readonly reuse?: ConnectionReuse;
  /** True if a request must not wait for a rest of the connection. */
  readonly isUrgent?: boolean;
}

export type TimedAnswer = Timed<Answer>;

/** Read only once: it never changes, and reading it is slower than the clock. */
const ORIGIN_MS = performance.timeOrigin;

/** Returns Unix ms with a fraction, on a monotonic clock. */
export const now = (): number => ORIGIN_MS + performance.now();

/** Waits until `at` (Unix ms), never shorter: a timer may end a millisecond early. Throws the signal's reason. */
export async function waitUntil(at: number, signal?: AbortSignal): Promise<void> {
  for (let left = at - now(); left > 0; left = at - now())
    await sleep(Math.min(LONGEST_TIMER_MS, Math.ceil(left)), undefined, { signal });
}

/**
 * A keep-alive connection to one origin, opened on first use, for one request at a time. Redirects are not
 * followed. If a reused connection breaks before a byte of a response, the request is resent on a new one.
 * The server may have closed an idle connection meanwhile (RFC 9112 section 9.3.1). A creation is not resent,
 * because it may have succeeded (RFC 9110 section 9.2.2). Transport faults are answers of kind `none`, never
 * thrown; a request that undici rejects throws. Bytes after a response close the connection: they would count
 * as the next response.
 */
export class Connection {
  private readonly host: ReturnType<typeof hostAddressOf> | null;
  private client: Undici.Client;
  /** Current socket, and whether it has carried a response. */
  private socket: InspectedSocket | undefined;
  private used = false;
  /** Time of the last response, and whether it announced the connection's end. */
  private last = { at: 0, closes: false };

  constructor(
    private readonly origin: string,
    private readonly limits: HttpLimits,
    private readonly watching: Watching = {},
  ) {
    const { address, timeoutMs } = limits;
    this.host = address === undefined ? null : hostAddressOf(new URL(origin), { address, timeoutMs });
    this.client = this.newClient();
  }

  private newClient(): Undici.Client {
    const { timeoutMs, ca, maxBodyBytes } = this.limits;
    const { onSurplus, onClosed } = this.watching;
    const connect = buildConnector({
      timeout: timeoutMs,
      // Explicit, because the environment can turn it off in Node: the key must not reach an unknown server.
      rejectUnauthorized: true,
      ...(ca !== undefined && { ca }),
      ...(this.host && { lookup: lookupOf(this.host.current) }),
    });
    return new Client(this.origin, {
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, callback) =>
        connect(options, (...result) => {
          if (result[1]) {
            this.socket = inspected(readingOn(result[1]), maxBodyBytes, onSurplus);
            if (onClosed) this.socket.once('close', onClosed);
            this.used = false;
          }
          callback(...result);
        }),
    });
  }

  private reusable(): InspectedSocket | undefined {
    return this.used && this.socket && !this.socket.destroyed ? this.socket : undefined;
  }

  private renew(): void {
    const old = this.client;
    this.client = this.newClient();
    this.socket = undefined;
    void old.destroy().catch(() => undefined);
  }

  /** Notes a connection that the server closed at rest. */
  private noteEnd(learner: ConnectionReuse): void {
    if (!this.used || !this.socket?.destroyed) return;
    if (!this.last.closes) learner.closed();
    this.socket = undefined;
  }

  /** Chooses the connection of the next request; true if it tries whether this server keeps connections open. */
  private async choose(learner: ConnectionReuse, isSafe: boolean): Promise<boolean> {
    this.noteEnd(learner);
    if (!this.reusable()) return false;
    const way = learner.next(isSafe);
    const isTrial = way === 'after a rest';
    if (isTrial && !this.watching.isUrgent) await waitUntil(this.last.at + REST_MS);
    // A creation cannot be repeated, so it tries only a connection that has rested.
    const isTooSoon = isTrial && !isSafe && now() < this.last.at + REST_MS;
    if (isTooSoon) learner.leftOpen();
    if (way === 'fresh' || isTooSoon) this.renew();
    // The end of the connection may have arrived, and be unread after a stall of this process.
    if (!isSafe || (isTrial && !this.watching.isUrgent)) await untilRead();
    this.noteEnd(learner);
    return isTrial && this.reusable() !== undefined;
  }

  /** Sends a request; if it got no connection and the host has another address, it goes there. */
  private async requestWherever(request: WireRequest): ReturnType<typeof requestOnce> {
    const address = this.host?.current() ?? '';
    const first = await requestOnce(this.client, request, this.limits);
    const { answer, isUnsent } = first;
    if (!this.host || answer.kind === 'response' || !(await this.host.hasMoved(answer.code, address)))
      return first;
    this.renew();
    // Nothing was sent, so even a creation may be.
    return isUnsent ? requestOnce(this.client, request, this.limits) : first;
  }

  async send(request: WireRequest): Promise<TimedAnswer> {
    const { answer, ...times } = await this.sendRaw(request);
    return { ...times, answer: readAnswer(answer) };
  }

  /** For comparing bodies without reading them. */
  async sendRaw(request: WireRequest): Promise<Timed<RawAnswer>> {
    const { reuse } = this.watching;
    const isTrial = reuse ? await this.choose(reuse, request.method !== 'POST') : false;
    const sentAt = now();
    const reused = this.reusable();
    reused?.expectAnswer();
    const readBefore = reused?.bytesRead ?? 0;
    let { answer, isUnsent } = await this.requestWherever(request);
    let attempts = 1;
    const diedSilently =
      answer.kind === 'none' &&
      answer.code === 'reset' &&
      reused !== undefined &&
      reused.bytesRead === readBefore;
    if (diedSilently && request.method !== 'POST') {
      attempts = 2;
      ({ answer, isUnsent } = await this.requestWherever(request));
    }
    this.used = true;
    if (diedSilently) reuse?.died();
    else if (reused && answer.kind === 'response') reuse?.kept();
    else if (isTrial) reuse?.leftOpen();
    this.last = {
      at: now(),
      closes: answer.kind === 'response' && announcesClose(answer.headers),
    };
    // After a fault the old connection may deliver late bytes, so the next request gets a new one.
    if (answer.kind === 'none' || reuse?.isSingle) this.renew();
    const how = reused && { reuse: diedSilently ? ('died' as const) : ('kept' as const) };
    const latencyMs = this.last.at - sentAt;
    return { sentAt, latencyMs, attempts, ...(isUnsent && { isUnsent }), ...how, answer };
  }

  close(): Promise<void> {
    return this.client.destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.client.destroy();
  }
}

/** Limits on one exchange, so that a hostile target costs bounded time and memory. */
export type HttpLimits = Target['http'] & { readonly signal?: AbortSignal | undefined };

/** A request in clear, as sent. */
export interface WireRequest {
  readonly method: string;
  /** Starts at the root of the origin. */
  readonly path: string;
  readonly headers: readonly Header[];
  readonly body: string | null;
}
