import { parallelConnections, type ParallelConnections } from './parallel-connections.js';
import { setMaxListeners } from 'node:events';
import { setImmediate as untilRead, setTimeout as sleep } from 'node:timers/promises';
import { announcesClose } from './headers.js';
import { isRefused, RESTS_MS, wasRefused } from './refused-connection.js';
import { newConnectionReuse, type LearntReuse, type ConnectionReuse } from './connection-reuse.js';
import { Connection, type HttpLimits, type TimedAnswer, type WireRequest } from './connection.js';

/**
 * Time without requests on a connection after a response of a new kind, ms. Surplus bytes arrive with the
 * response or soon after, and would count as the response to the next request.
 */
const WATCHED_MS = 75;
/**
 * Most watched connections: with that of the request they stay below the six connections that some servers
 * allow an address, also while the server still closes one.
 */
const MOST_WATCHED = 4;
/**
 * Time without a response after which idle connections are closed, ms: a server that serves one connection at
 * a time waits for their end. A slow server has several times its slowest response.
 */
const PATIENCE_MS = 1_000;
const PATIENCE_TIMES = 4;
/** Turns of the event loop in which a socket's bytes are read and handed on. */
const READING_TURNS = 3;

/** Known behaviour of a server after its responses. */
export interface Afterwards {
  /** Kinds of responses after which no bytes came and the connection stayed open. */
  readonly quiet: Set<string>;
  readonly reuse: ConnectionReuse;
  readonly parallel: ParallelConnections;
}

/** Returns the state before any observation, except of what other senders of the run learned. */
export const nothingKnown = (learnt?: LearntReuse): Afterwards => ({
  quiet: new Set(),
  reuse: newConnectionReuse(learnt),
  parallel: parallelConnections(),
});

export interface Sending {
  /**
   * True if it carries a valid key. Others reuse such a connection: a server must not authenticate per
   * connection.
   */
  readonly isOwn: boolean;
  readonly kindOf: (answer: TimedAnswer) => string;
  /** Called once, when the first surplus bytes came after this response: before `send` returns, or later. */
  readonly onSurplus: () => void;
}

interface Held {
  readonly connection: Connection;
  onSurplus: () => void;
  /** True if it has carried a request with a valid key. */
  isOwned: boolean;
  /** Aborted when the server has closed it. */
  readonly closed: AbortController;
}

/** Connections to one server, opened on demand; `known` may be shared with others to the same server. */
export class KeptConnection {
  private kept: Held | null = null;
  private readonly watched = new Map<Held, Promise<void>>();
  /** Fewer than `MOST_WATCHED` where the server refused a connection next to them. */
  private mostWatched = MOST_WATCHED;
  private slowestMs = 0;
  private readonly ending = new AbortController();

  /** @param main connection that stays open next to this one */
  constructor(
    private readonly origin: string,
    private readonly limits: HttpLimits,
    private readonly known: Afterwards,
    private readonly main: KeptConnection | null = null,
  ) {
    // Every watched connection listens to it.
    setMaxListeners(0, this.ending.signal);
  }

  private open(): Held {
    const { reuse } = this.known;
    const closed = new AbortController();
    const connection = new Connection(this.origin, this.limits, {
      onSurplus: () => {
        if (!reuse.isForbidden) held.onSurplus();
        reuse.forbid();
      },
      onClosed: () => closed.abort(),
    });
    const held: Held = { connection, onSurplus: () => undefined, isOwned: false, closed };
    return held;
  }

  private async drop(held: Held | null): Promise<void> {
    if (held) this.known.parallel.forget(held);
    await held?.connection.close();
  }

  private async sendOn(held: Held, request: WireRequest): Promise<TimedAnswer> {
    const end = this.known.parallel.begin(held, held.closed.signal);
    const slowMs = Math.max(PATIENCE_MS, PATIENCE_TIMES * this.slowestMs);
    let hasClosed = false;
    const impatient = setTimeout(
      () => {
        hasClosed = this.kept !== null || this.watched.size > 0;
        void this.closeIdle();
        void this.main?.closeIdle();
      },
      Math.min(slowMs, this.limits.timeoutMs / 2),
    );
    const sent = await held.connection.send(request);
    clearTimeout(impatient);
    const isServed = sent.answer.kind === 'response';
    if (isServed && hasClosed) this.mostWatched = 1;
    else if (isServed) this.slowestMs = Math.max(this.slowestMs, sent.latencyMs);
    end(isServed);
    return sent;
  }

  /** Takes the connection for the next request; none is kept then. */
  private async taken(isOwn: boolean, isCreation: boolean): Promise<Held> {
    if (!this.known.reuse.isSingle && !isOwn && this.kept?.isOwned !== true)
      await [...this.watched].findLast(([held]) => held.isOwned)?.[1];
    const held = this.kept;
    this.kept = null;
    // The end of the connection may have arrived, and be unread after a stall of this process.
    if (held && isCreation) await untilRead();
    if (held && !held.closed.signal.aborted && this.known.reuse.allows(!isCreation)) return held;
    void this.drop(held);
    return this.open();
  }

  /**
   * Keeps the connection for the next request if no bytes came, the server left it open, and no better one is
   * kept.
   *
   * @param isExpected true if the end of the connection says nothing about the server
   */
  private async watch(held: Held, kind: string, isExpected: boolean): Promise<void> {
    const { quiet, reuse } = this.known;
    const signal = AbortSignal.any([this.ending.signal, held.closed.signal]);
    const isOver = await sleep(WATCHED_MS, true, { signal }).catch(() => false);
    // After a stall of this process, bytes that came in time are still to be read.
    for (let turn = 0; turn < READING_TURNS; turn += 1) await untilRead();
    this.watched.delete(held);
    if (held.closed.signal.aborted && !isExpected) reuse.closed();
    const isQuiet = isOver && !held.closed.signal.aborted && !reuse.isSingle;
    if (isQuiet) quiet.add(kind);
    const isBetter = isQuiet && (this.kept === null || (held.isOwned && !this.kept.isOwned));
    const idle = isBetter ? this.kept : held;
    if (isBetter) this.kept = held;
    await this.drop(idle);
  }

  private async closeIdle(): Promise<void> {
    await Promise.all(this.watched.values());
    const idle = this.kept;
    // Before it is closed: a request may begin meanwhile.
    this.kept = null;
    await this.drop(idle);
  }

  async send(
    request: WireRequest,
    { isOwn, kindOf, onSurplus }: Sending,
  ): Promise<Omit<TimedAnswer, 'reuse'>> {
    while (this.watched.size >= this.mostWatched) await Promise.race(this.watched.values());
    let held = await this.taken(isOwn, request.method === 'POST');
    held.onSurplus = onSurplus;
    const others = this.watched.size;
    let sent = await this.sendOn(held, request);
    // The server may allow fewer connections than are open: the request needs only one.
    if (others > 0 && wasRefused(sent))
      this.mostWatched = Math.max(1, Math.min(this.mostWatched, others - 1));
    for (const restMs of others > 0 ? RESTS_MS : []) {
      if (!isRefused(sent, request)) break;
      await this.drop(held);
      await this.closeIdle();
      await sleep(restMs);
      const { attempts } = sent;
      held = this.open();
      held.onSurplus = onSurplus;
      sent = await this.sendOn(held, request);
      sent = { ...sent, attempts: attempts + sent.attempts };
    }
    const { reuse: how, ...timed } = sent;
    const { answer } = timed;
    const { quiet, reuse } = this.known;
    held.isOwned ||= isOwn;
    if (how === 'died') reuse.died();
    else if (how === 'kept' && answer.kind === 'response') reuse.kept();
    if (reuse.isSingle) void this.drop(held);
    else if (answer.kind === 'none' || quiet.has(kindOf(timed))) {
      void this.drop(this.kept);
      this.kept = held;
    } else {
      // A connection that broke under this request has been replaced, and is no news.
      const isExpected =
        how === 'died' || (answer.kind === 'response' && announcesClose(answer.headers.flat()));
      this.watched.set(held, this.watch(held, kindOf(timed), isExpected));
    }
    return timed;
  }

  async settled(): Promise<void> {
    await Promise.all(this.watched.values());
  }

  async close(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.watched.values());
    await this.drop(this.kept);
  }
}
