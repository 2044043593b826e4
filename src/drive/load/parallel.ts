import { setTimeout as sleep } from 'node:timers/promises';
import { now, type HttpLimits } from '../../wire/exchange/connection.js';
import { withBodyOnDisk } from '../../wire/exchange/body-on-disk.js';
import type { RequestSpec } from '../../wire/exchange/request-spec.js';
import type { Fault } from '../../wire/exchange/transport-error.js';
import type { Answer } from '../../wire/exchange/types.js';
import {
  loadAnswer,
  type LoadAnswer,
  LOST_WITH_ITS_CONNECTION,
  bytesOf,
  type Times,
  wireOf,
  type WireContext,
} from './requests.js';
import { Places } from './places.js';
import { triesAfterOthers } from './turns.js';
import { RESTS_MS } from '../../wire/exchange/refused-connection.js';
import { sendTraffic } from '../../wire/autocannon.js';
import { readAnswer } from '../../wire/exchange/raw-answer.js';
import type { ConnectionReuse } from '../../wire/exchange/connection-reuse.js';

/** Requests over several connections, each of which sends its next after a response. */
export interface ParallelOptions {
  readonly origin: string;
  readonly limits: HttpLimits;
  readonly context: WireContext;
  readonly connections: number;
  readonly reuse: ConnectionReuse;
  readonly nextId: () => string;
  /**
   * Returns the next request, in order of sending; null for none. The first `connections` requests must
   * exist.
   */
  readonly next: () => RequestSpec | null;
  /** Receives each response. True stops: open requests still get a response, and nothing more is sent. */
  readonly stopsAt: (answer: LoadAnswer) => boolean;
  readonly signal: AbortSignal;
}

/** Attempts of the last connection, with rests between, that a server refuses before it counts as gone. */
const MOST_REFUSED_IN_A_ROW = 4;

interface Outgoing {
  readonly spec: RequestSpec;
  /** How often it was written to connections that then were refused. */
  readonly written: number;
}

/**
 * Sends requests in parallel. One without a response stops the rest. Where the server refuses one of several
 * connections, the others send its request, unless that is a creation that was written.
 *
 * @param places the run's connections; idle ones are closed first
 * @returns responses in order of sending; a request without one has kind `none`
 */
export async function inParallel(
  options: ParallelOptions,
  places: Places = new Places(),
): Promise<readonly LoadAnswer[]> {
  return new Burst(options, places).send();
}

class Burst {
  private readonly answers: LoadAnswer[] = [];
  /** Requests whose connections were refused: the other connections send them. */
  private readonly returned: Outgoing[] = [];
  private readonly host: string;
  /** Connections that still send. */
  private active = 0;
  private refusedInARow = 0;
  /** True if the last connection was refused while other senders have some. */
  private isCrowdedOut = false;
  /** How often in a row it was. */
  private crowdedOut = 0;
  /** True while a refused connection ends. */
  private isEnding = false;
  private isOver: boolean;
  /** Fault that ended all of them. */
  private end: Answer | null = null;

  constructor(
    private readonly options: ParallelOptions,
    private readonly places: Places,
  ) {
    this.host = new URL(options.origin).host;
    this.isOver = options.signal.aborted;
  }

  async send(): Promise<readonly LoadAnswer[]> {
    const { connections } = this.options;
    await this.sendOver(connections);
    while (this.isCrowdedOut) {
      this.isCrowdedOut = false;
      await sleep(RESTS_MS[this.crowdedOut] ?? 0);
      this.crowdedOut += 1;
      await this.sendOver(Math.min(connections, this.returned.length));
    }
    this.settleReturned();
    return this.answers.toSorted((one, other) => one.sample.sentAt - other.sample.sentAt);
  }

  /** Sends until no request is left, or the server has refused every connection. */
  private async sendOver(wanted: number): Promise<void> {
    const connections = await this.places.takeMany(wanted);
    this.active = connections;
    try {
      await sendTraffic<Outgoing, number>({
        ...this.options,
        connections,
        next: () => this.nextOrEnd(),
        isOver: () => this.isOver,
        bytesOf: ({ spec }) => bytesOf(wireOf(spec, this.options.context), this.host),
        isSafe: ({ spec }) => spec.method === 'GET',
        // The limits' rows count requests: a repeated one would count against the server.
        again: () => false,
        left: now,
        answered: (outgoing, sentAt, answer) => {
          this.refusedInARow = 0;
          this.crowdedOut = 0;
          this.keep(outgoing, sentAt, readAnswer(answer));
        },
        failed: (outgoing, sentAt, fault, isNew) => {
          if (isNew && !this.isOver && this.tryReturn(outgoing, sentAt !== null, fault)) return;
          this.end = { kind: 'none', ...fault };
          this.keep(outgoing, sentAt ?? now(), this.end);
          this.isOver = true;
        },
      });
    } finally {
      this.places.giveBack(this.active);
    }
  }

  private nextOrEnd(): Outgoing | null {
    if (this.isEnding) {
      this.isEnding = false;
      return null;
    }
    const outgoing = this.next();
    if (outgoing === null) {
      this.active -= 1;
      this.places.giveBack(1);
    }
    return outgoing;
  }

  private next(): Outgoing | null {
    if (this.isOver) return null;
    const again = this.returned.shift();
    if (again) return again;
    const spec = this.options.next();
    return spec === null ? null : { spec, written: 0 };
  }

  /** Leaves a request to another connection if its own was refused; false if it is lost. */
  private tryReturn({ spec, written }: Outgoing, wasWritten: boolean, { code }: Fault): boolean {
    const isRefused = code === 'refused' || code === 'reset';
    if (!isRefused || (wasWritten && spec.method === 'POST')) return false;
    if (this.active === 1) {
      this.isCrowdedOut = triesAfterOthers(this.places.isShared(), this.crowdedOut);
      this.refusedInARow += 1;
      if (!this.isCrowdedOut && this.isServerGone()) return false;
    }
    this.returned.push({ spec, written: written + (wasWritten ? 1 : 0) });
    // The last connection tries again.
    if (this.active > 1 || this.isCrowdedOut) this.endRefused();
    return true;
  }

  private isServerGone(): boolean {
    return this.options.connections === 1 || this.refusedInARow > MOST_REFUSED_IN_A_ROW;
  }

  private endRefused(): void {
    this.isEnding = true;
    this.active -= 1;
    this.places.refuse();
  }

  private keep({ spec, written }: Outgoing, sentAt: number, answer: Answer): void {
    const times = { intendedAt: sentAt, sentAt, answeredAt: now() };
    for (let lost = 0; lost < written; lost += 1)
      this.answers.push(this.kept(spec, times, LOST_WITH_ITS_CONNECTION));
    const settled = this.kept(spec, times, answer);
    this.answers.push(settled);
    if (this.options.stopsAt(settled)) this.isOver = true;
  }

  private kept(spec: RequestSpec, times: Times, answer: Answer): LoadAnswer {
    const { nextId, context } = this.options;
    const { exchange, sample } = loadAnswer(nextId(), spec, context, times, answer);
    // Hundreds are kept before there is time to judge them: long bodies go to disk.
    return { exchange: withBodyOnDisk(exchange), sample };
  }

  /** Keeps returned requests that no connection sent again. */
  private settleReturned(): void {
    // The server may have counted those that were written; if it is gone, the others got no response either.
    for (const { written, ...outgoing } of this.returned) {
      if (this.end !== null) this.keep({ ...outgoing, written }, now(), this.end);
      else if (written > 0) this.keep({ ...outgoing, written: written - 1 }, now(), LOST_WITH_ITS_CONNECTION);
    }
  }
}
