import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpointOf } from '../wire/targets/base-url.js';

/*
 * A development server that reloads itself often keeps its port open, so a connection says nothing about a restart. The old
 * process closes its idle connections when it ends: a kept one shows the moment.
 */

/** Longest wait for the reload after a changed file, ms: a reloader looks for changes every second at most. */
const RELOAD_MS = 2_000;
/** Time in which a server without kept connections closes one after its response, ms. */
const KEPT_MS = 150;
/** Longest wait for the response that shows whether the server keeps connections, ms. */
const ANSWER_MS = 1_000;
/** A reload may come before the changed file is seen here, by less than this, ms. */
const CHANGED_MS = 1_000;
/** Changed files without a reload after which none is expected any more. */
const MOST_WITHOUT = 2;
/** Share of the shortest observed idle timeout from which on a close is no reload. */
const OF_TIMEOUT = 0.8;
/** Share of that timeout after which a round replaces its connection, before a close would mean nothing. */
const RENEW_AT = 0.5;
/** Interval of checks for that in a round, ms: short compared with any usual idle timeout. */
const RENEW_EVERY_MS = 100;

interface Kept {
  readonly socket: Socket;
  readonly since: number;
  closedAt: number | null;
}

/** Watches a server on plain http for reloads, by one idle connection. Over https it sees none. */
export class ReloadWatch {
  private readonly url: URL;
  private kept: Kept | null = null;
  private isPossible: boolean;
  private without = 0;
  private shortestIdleMs = Infinity;
  /** True if a connection that was replaced since `begin` showed a reload. */
  private wasSeen = false;

  constructor(
    baseUrl: string,
    private readonly signal: AbortSignal,
  ) {
    this.url = new URL(baseUrl);
    this.isPossible = this.url.protocol === 'http:';
  }

  /** Opens the connection. The request names no resource and needs no key (RFC 9110, 9.3.7). */
  private async open(): Promise<Kept | null> {
    const socket = connect(endpointOf(this.url));
    const one: Kept = { socket, since: performance.now(), closedAt: null };
    const closed = new Promise<void>((resolve) => {
      const note = (): void => {
        one.closedAt ??= performance.now();
        resolve();
      };
      socket.on('error', note).on('end', note).on('close', note);
    });
    const answered = new Promise<void>((resolve) => void socket.once('data', () => resolve()));
    socket.resume();
    socket.write(`OPTIONS * HTTP/1.1\r\nHost: ${this.url.host}\r\nUser-Agent: petstore-conformance\r\n\r\n`);
    const pause = (ms: number): Promise<void> =>
      sleep(ms, undefined, { signal: this.signal, ref: false }).catch(() => undefined);
    await Promise.race([answered, closed, pause(ANSWER_MS)]);
    await Promise.race([closed, pause(KEPT_MS)]);
    if (one.closedAt === null && socket.bytesRead > 0) return one;
    socket.destroy();
    return null;
  }

  /** True if the server closed the connection, and not for its idleness. */
  private isReloaded({ closedAt, since }: Kept): boolean {
    return closedAt !== null && closedAt - since < OF_TIMEOUT * this.shortestIdleMs;
  }

  /** Keeps a connection from now on. A server that closes it after its response shows no reloads. */
  async begin(): Promise<void> {
    this.wasSeen = false;
    if (!this.isPossible || this.signal.aborted || this.kept?.closedAt === null) return;
    const had = this.kept !== null;
    this.kept = await this.open();
    // A server that restarts now answers the next attempt.
    if (this.kept === null && !had) this.isPossible = false;
  }

  private isDue({ closedAt, since }: Kept): boolean {
    return closedAt !== null || performance.now() - since >= RENEW_AT * this.shortestIdleMs;
  }

  /** Replaces the connection of a round before the server closes it for its idleness, or after that. */
  private async renew(): Promise<void> {
    const old = this.kept;
    if (old === null || this.wasSeen || this.signal.aborted || !this.isDue(old)) return;
    // The old one still shows a reload while the new one opens.
    const next = this.isReloaded(old) ? null : await this.open();
    this.wasSeen ||= this.isReloaded(old);
    if (next === null || this.kept !== old) return void next?.socket.destroy();
    old.socket.destroy();
    this.kept = next;
  }

  /** Notes how long the server kept the connection in a time without changed files, if it closed it. */
  noteIdle(): void {
    if (this.kept && this.kept.closedAt !== null)
      this.shortestIdleMs = Math.min(this.shortestIdleMs, this.kept.closedAt - this.kept.since);
  }

  /** Replaces the connection whenever the server closes it in a time without changed files. Returns its end. */
  rest(): () => void {
    const timer = setInterval(() => {
      const closedAt = this.kept?.closedAt ?? Infinity;
      if (performance.now() - closedAt < CHANGED_MS) return;
      this.noteIdle();
      void this.begin();
    }, CHANGED_MS);
    return () => clearInterval(timer);
  }

  /** Keeps watching until a round ends, also one that lasts longer than the server's idle timeout. */
  async through<Value>(round: Promise<Value>): Promise<Value> {
    let renewing = Promise.resolve();
    let isRenewing = false;
    const timer = setInterval(() => {
      if (isRenewing) return;
      isRenewing = true;
      renewing = this.renew().finally(() => (isRenewing = false));
    }, RENEW_EVERY_MS);
    try {
      return await round;
    } finally {
      clearInterval(timer);
      await renewing;
    }
  }

  /** Waits for the reload after a changed file; not for long, and not where none comes. */
  async reloaded(): Promise<void> {
    if (this.without >= MOST_WITHOUT) return;
    if (this.kept !== null && !this.isReloaded(this.kept)) await this.begin();
    if (this.kept === null) return;
    const one = this.kept;
    const until = performance.now() + RELOAD_MS;
    while (one.closedAt === null && performance.now() < until && !this.signal.aborted)
      await sleep(25, undefined, { signal: this.signal }).catch(() => undefined);
    this.without = one.closedAt === null ? this.without + 1 : 0;
  }

  /** True if the server was reloaded since `begin`. */
  wasReloaded(): boolean {
    return this.wasSeen || (this.kept !== null && this.isReloaded(this.kept));
  }

  [Symbol.dispose](): void {
    this.kept?.socket.destroy();
  }
}
