import { setTimeout as sleep } from 'node:timers/promises';
import { closedGate, type Gate } from '../../base/kernel/gate.js';
import { now, type Connection, type TimedAnswer, type WireRequest } from '../../wire/exchange/connection.js';
import { isRefused, RESTS_MS } from '../../wire/exchange/refused-connection.js';

/** Most open connections before an idle one is closed: some servers allow an address six. */
const MOST_OPEN = 6;

/** Time for which a refused connection bounds the others, ms: it may have been an accident. */
const BOUND_MS = 10_000;

/** Longest time for which parallel requests wait for those of another key, ms: their window goes on. */
const LONGEST_WAIT_MS = 1000;

const LONGEST_REST_MS = Math.max(...RESTS_MS);

/** Connections of one address that a run holds open. Its senders share them. */
export type Places = ReturnType<typeof newPlaces>;

/**
 * Counts the connections of a run, with and without a request. A server may allow an address few connections,
 * so an idle one is closed before another is opened. After the server refused one, no more are opened for a
 * while.
 */
export function newPlaces(boundMs = BOUND_MS) {
  /** Closes each connection without a request; the one that is idle longest comes first. */
  const idle = new Map<object, () => Promise<void>>();
  let busy = 0;
  let hasRefused = false;
  let refusedInARow = 0;
  let bound = { most: Infinity, until: 0 };
  /** Rests that were too short for the server to notice closed connections, and when that was last learned. */
  let tooShort = { rests: 0, learntAt: -Infinity };
  /** Connections closed lately, and when the last one was. */
  let closed = { at: -Infinity, count: 0 };
  const waiting: Gate[] = [];
  const most = (): number => (now() < bound.until ? bound.most : Infinity);
  const restMs = (): number => RESTS_MS[now() < bound.until ? tooShort.rests : 0] ?? LONGEST_REST_MS;

  /** Returns the number of other connections that are open while one sends a request. */
  const others = (): number => busy - 1 + idle.size;

  async function closeIdle(left: number): Promise<void> {
    const ended = [...idle].slice(0, Math.max(0, idle.size - left));
    for (const [owner] of ended) idle.delete(owner);
    await Promise.all(ended.map(([, close]) => close()));
    noteClosed(ended.length);
  }
  /** Makes room for connections that open now, and rests where the server must first notice closed ones. */
  async function makeRoom(): Promise<void> {
    const allowed = Math.min(MOST_OPEN, most());
    await closeIdle(Math.max(0, allowed - busy));
    const leftMs = closed.at + restMs() - now();
    if (leftMs > 0 && busy + idle.size + closed.count > allowed) await sleep(leftMs);
  }
  /** Notes connections that this side has closed. */
  function noteClosed(count: number): void {
    const recently = now() < closed.at + restMs() ? closed.count : 0;
    if (count > 0) closed = { at: now(), count: recently + count };
  }
  function leave(places: number): void {
    busy -= places;
    for (const gate of waiting.splice(0)) gate.open();
  }
  /** Waits until a place is given back. Where one is free, nothing may come between that and its taking. */
  function untilLeft(): Promise<void> {
    const gate = closedGate();
    waiting.push(gate);
    return gate.passed;
  }

  return {
    /** Gives back places whose connections are closed. */
    giveBack(places: number): void {
      noteClosed(places);
      leave(places);
    },
    closeIdle: () => closeIdle(0),
    /**
     * Takes the place of an owner's connection for a request, as soon as there is one. A creation cannot be
     * sent again, so after a refusal it opens no connection beyond those that were allowed, however long
     * ago.
     */
    async take(owner: object, isSafe: boolean): Promise<void> {
      const isBound = (): boolean => !isSafe && hasRefused && !idle.has(owner);
      while (busy >= (isBound() ? Math.min(bound.most, MOST_OPEN) : most())) await untilLeft();
      busy += 1;
      if (!idle.delete(owner)) await makeRoom();
    },
    /** Ends a request; its connection is idle now, or null for one that is closed. */
    release(owner: object, close: (() => Promise<void>) | null): void {
      if (close) {
        idle.set(owner, close);
        refusedInARow = 0;
      }
      leave(1);
    },
    /**
     * Takes up to so many places together, for connections that open at the same time, as soon as there is
     * one. A burst that loses requests shows little, so once the server has refused a connection, two keys
     * that need many take turns.
     */
    async takeMany(wanted: number): Promise<number> {
      const latest = now() + LONGEST_WAIT_MS;
      const takesTurns = (): boolean => hasRefused && busy > 0 && busy + wanted > MOST_OPEN && now() < latest;
      while (busy >= most() || takesTurns()) await untilLeft();
      const taken = Math.min(wanted, most() - busy);
      busy += taken;
      await makeRoom();
      return taken;
    },
    /** Forgets an owner that has closed its connection itself. */
    forget: (owner: object): void => void idle.delete(owner),
    /**
     * Gives back a place whose connection the server refused while others were open, or while it had not
     * noticed yet that they are closed.
     *
     * @param openedAt when the connection was opened, or later; by default before any other was refused
     */
    refuse(openedAt = -Infinity): void {
      hasRefused = true;
      refusedInARow += 1;
      const isWithin = others() < most() && most() < Infinity;
      if (!isWithin) tooShort = { rests: 0, learntAt: now() };
      else if (openedAt > tooShort.learntAt) tooShort = { rests: tooShort.rests + 1, learntAt: now() };
      bound = { most: Math.max(1, Math.min(most(), others())), until: now() + boundMs };
      leave(1);
    },
    /** Is true if connections are open besides that of one request. */
    isShared: () => others() > 0,
    /**
     * Is true if no other connection can be the reason of a refusal. The server may still have to notice the
     * end of one, unless it refuses all.
     */
    isAlone: () =>
      others() === 0 && (now() > closed.at + LONGEST_REST_MS || refusedInARow >= RESTS_MS.length),
  };
}

type Carried = Pick<Connection, 'send' | 'close'>;

/**
 * Returns a connection that keeps to the run's places. Where the server refuses it while others are open, or
 * were just closed, it closes what is idle and sends again, but no creation that the server may have
 * received.
 */
export function placed(places: Places, open: () => Carried): Carried {
  const owner = {};
  let connection: Carried | null = null;
  let isClosed = false;
  const close = async (): Promise<void> => {
    const old = connection;
    if (!isClosed) connection = null;
    await old?.close();
  };
  const once = (request: WireRequest): Promise<TimedAnswer> => (connection ??= open()).send(request);
  return {
    async send(request: WireRequest): Promise<TimedAnswer> {
      const isSafe = request.method !== 'POST';
      await places.take(owner, isSafe);
      let isOpen = false;
      try {
        const wasAlone = places.isAlone();
        let openedAt = now();
        let sent = await once(request);
        for (const restMs of wasAlone && places.isAlone() ? [] : RESTS_MS) {
          if (isClosed || !isRefused(sent, request)) break;
          const reached = sent.isUnsent ? sent.attempts - 1 : sent.attempts;
          places.refuse(openedAt);
          await Promise.all([close(), places.closeIdle()]);
          await sleep(restMs);
          await places.take(owner, isSafe);
          openedAt = now();
          sent = await once(request);
          sent = { ...sent, attempts: reached + sent.attempts };
        }
        // A connection that broke is no longer open.
        isOpen = !isClosed && sent.answer.kind === 'response';
        return sent;
      } finally {
        places.release(owner, isOpen ? close : null);
      }
    },
    async close(): Promise<void> {
      // What is sent later meets a closed connection.
      isClosed = true;
      connection ??= open();
      places.forget(owner);
      await connection.close();
    },
  };
}
