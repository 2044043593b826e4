import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../../wire/exchange/connection.js';
import { RESTS_MS } from '../../wire/exchange/refused-connection.js';
import { LONGEST_TURN_MS, waitsForOthers } from './turns.js';

/** Most open connections before an idle one is closed: some servers allow an address six. */
const MOST_OPEN = 6;

/** Time for which a refused connection bounds the others, ms: it may have been an accident. */
const BOUND_MS = 10_000;

const LONGEST_REST_MS = Math.max(...RESTS_MS);

/**
 * Connections of one address that a run holds open, with and without a request. Its senders share them. A
 * server may allow an address few connections, so an idle one is closed before another is opened. After the
 * server refused one, no more are opened for a while.
 */
export class Places {
  /** Closes each connection without a request; the one that is idle longest comes first. */
  private readonly idle = new Map<object, () => Promise<void>>();
  private busy = 0;
  private hasRefused = false;
  private refusedInARow = 0;
  private bound = { most: Infinity, until: 0 };
  /** Rests that were too short for the server to notice closed connections, and when that was last learned. */
  private tooShort = { rests: 0, learntAt: -Infinity };
  /** Connections closed lately, and when the last one was. */
  private closed = { at: -Infinity, count: 0 };
  /** Ends each wait for a place. */
  private readonly waiting = new Set<() => void>();

  constructor(private readonly boundMs = BOUND_MS) {}

  /**
   * Takes the place of an owner's connection for a request, as soon as there is one. A creation cannot be
   * sent again, so after a refusal it opens no connection beyond those that were allowed, however long ago.
   */
  async take(owner: object, isSafe: boolean): Promise<void> {
    const isBound = (): boolean => !isSafe && this.hasRefused && !this.idle.has(owner);
    while (this.busy >= (isBound() ? Math.min(this.bound.most, MOST_OPEN) : this.most()))
      await this.untilLeft();
    this.busy += 1;
    if (!this.idle.delete(owner)) await this.makeRoom();
  }

  /** Ends a request; its connection is idle now, or null for one that is closed. */
  release(owner: object, close: (() => Promise<void>) | null): void {
    if (close) {
      this.idle.set(owner, close);
      this.refusedInARow = 0;
    }
    this.leave(1);
  }

  /** Forgets an owner that has closed its connection itself. */
  forget(owner: object): void {
    this.idle.delete(owner);
  }

  /**
   * Takes up to so many places together, for connections that open at the same time, as soon as there is one
   * and it is their turn.
   */
  async takeMany(wanted: number): Promise<number> {
    const latest = now() + LONGEST_TURN_MS;
    const waits = (): boolean =>
      now() < latest &&
      waitsForOthers({ hasRefused: this.hasRefused, busy: this.busy, wanted, most: MOST_OPEN });
    while (this.busy >= this.most() || waits()) await this.untilLeft(latest);
    const taken = Math.min(wanted, this.most() - this.busy);
    this.busy += taken;
    await this.makeRoom();
    return taken;
  }

  /** Gives back places whose connections are closed. */
  giveBack(places: number): void {
    this.noteClosed(places);
    this.leave(places);
  }

  /**
   * Gives back a place whose connection the server refused while others were open, or while it had not
   * noticed yet that they are closed.
   *
   * @param openedAt when the connection was opened, or later; by default before any other was refused
   */
  refuse(openedAt = -Infinity): void {
    this.hasRefused = true;
    this.refusedInARow += 1;
    const isWithin = this.others() < this.most() && this.most() < Infinity;
    if (!isWithin) this.tooShort = { rests: 0, learntAt: now() };
    else if (openedAt > this.tooShort.learntAt)
      this.tooShort = { rests: this.tooShort.rests + 1, learntAt: now() };
    const most = Math.max(1, Math.min(this.most(), this.others()));
    this.bound = { most, until: now() + this.boundMs };
    this.leave(1);
  }

  /** Is true if connections are open besides that of one request. */
  isShared(): boolean {
    return this.others() > 0;
  }

  /**
   * Is true if no other connection can be the reason of a refusal. The server may still have to notice the
   * end of one, unless it refuses all.
   */
  isAlone(): boolean {
    const isNoticed = now() > this.closed.at + LONGEST_REST_MS;
    return this.others() === 0 && (isNoticed || this.refusedInARow >= RESTS_MS.length);
  }

  /** Closes those that are idle longest, until so many are left. */
  async closeIdle(left = 0): Promise<void> {
    const ended = [...this.idle].slice(0, Math.max(0, this.idle.size - left));
    for (const [owner] of ended) this.idle.delete(owner);
    await Promise.all(ended.map(([, close]) => close()));
    this.noteClosed(ended.length);
  }

  private most(): number {
    return now() < this.bound.until ? this.bound.most : Infinity;
  }

  private restMs(): number {
    return RESTS_MS[now() < this.bound.until ? this.tooShort.rests : 0] ?? LONGEST_REST_MS;
  }

  /** Returns the number of other connections that are open while one sends a request. */
  private others(): number {
    return this.busy - 1 + this.idle.size;
  }

  /** Makes room for connections that open now, and rests where the server must first notice closed ones. */
  private async makeRoom(): Promise<void> {
    const allowed = Math.min(MOST_OPEN, this.most());
    await this.closeIdle(Math.max(0, allowed - this.busy));
    const leftMs = this.closed.at + this.restMs() - now();
    if (leftMs > 0 && this.busy + this.idle.size + this.closed.count > allowed) await sleep(leftMs);
  }

  /** Notes connections that this side has closed. */
  private noteClosed(count: number): void {
    const recently = now() < this.closed.at + this.restMs() ? this.closed.count : 0;
    if (count > 0) this.closed = { at: now(), count: recently + count };
  }

  private leave(places: number): void {
    this.busy -= places;
    for (const end of this.waiting) end();
  }

  /**
   * Waits until a place is given back. Where one is free, nothing may come between that and its taking.
   *
   * @param latest when it ends without one; in the past: never
   */
  private untilLeft(latest = -Infinity): Promise<void> {
    return new Promise((resolve) => {
      const leftMs = latest - now();
      const timer = leftMs > 0 ? setTimeout(() => end(), leftMs) : undefined;
      const end = (): void => {
        clearTimeout(timer);
        this.waiting.delete(end);
        resolve();
      };
      this.waiting.add(end);
    });
  }
}
