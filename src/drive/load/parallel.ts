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
  wireOf,
  type WireContext,
} from './requests.js';
import { newPlaces, type Places } from './places.js';
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
  places: Places = newPlaces(),
): Promise<readonly LoadAnswer[]> {
  const { context } = options;
  const { host } = new URL(options.origin);
  const answers: LoadAnswer[] = [];
  const returned: Outgoing[] = [];
  let active = 0;
  let refusedInARow = 0;
  /** True if the last connection was refused while other senders have some. */
  let isCrowdedOut = false;
  /** How often in a row it was. */
  let crowdedOut = 0;
  /** True while a refused connection ends. */
  let isEnding = false;
  let isOver = options.signal.aborted;
  /** Fault that ended all of them. */
  let end: Answer | null = null;
  const keep = ({ spec, written }: Outgoing, sentAt: number, answer: Answer): void => {
    const times = { intendedAt: sentAt, sentAt, answeredAt: now() };
    const kept = (one: Answer): LoadAnswer => {
      const { exchange, sample } = loadAnswer(options.nextId(), spec, context, times, one);
      // Hundreds are kept before there is time to judge them: long bodies go to disk.
      return { exchange: withBodyOnDisk(exchange), sample };
    };
    for (let lost = 0; lost < written; lost += 1) answers.push(kept(LOST_WITH_ITS_CONNECTION));
    const settled = kept(answer);
    answers.push(settled);
    if (options.stopsAt(settled)) isOver = true;
  };
  const next = (): Outgoing | null => {
    const again = isOver ? undefined : returned.shift();
    if (again) return again;
    const spec = isOver ? null : options.next();
    return spec === null ? null : { spec, written: 0 };
  };
  /** Returns a request for another connection if its own was refused; false if it is lost. */
  const isReturned = ({ spec, written }: Outgoing, wasWritten: boolean, { code }: Fault): boolean => {
    const isRefused = code === 'refused' || code === 'reset';
    if (!isRefused || (wasWritten && spec.method === 'POST')) return false;
    if (active === 1) {
      isCrowdedOut = places.isShared() && crowdedOut < RESTS_MS.length;
      refusedInARow += 1;
      if (!isCrowdedOut && (options.connections === 1 || refusedInARow > MOST_REFUSED_IN_A_ROW)) return false;
    }
    returned.push({ spec, written: written + (wasWritten ? 1 : 0) });
    // The last connection tries again.
    if (active === 1 && !isCrowdedOut) return true;
    isEnding = true;
    active -= 1;
    places.refuse();
    return true;
  };
  const sendAll = async (wanted: number): Promise<void> => {
    const connections = await places.takeMany(wanted);
    active = connections;
    try {
      await sendTraffic<Outgoing, number>({
        ...options,
        connections,
        next: () => {
          if (isEnding) {
            isEnding = false;
            return null;
          }
          const outgoing = next();
          if (outgoing === null) {
            active -= 1;
            places.giveBack(1);
          }
          return outgoing;
        },
        isOver: () => isOver,
        bytesOf: ({ spec }) => bytesOf(wireOf(spec, context), host),
        isSafe: ({ spec }) => spec.method === 'GET',
        // The limits' rows count requests: a repeated one would count against the server.
        again: () => false,
        left: now,
        answered: (outgoing, sentAt, answer) => {
          refusedInARow = 0;
          crowdedOut = 0;
          keep(outgoing, sentAt, readAnswer(answer));
        },
        failed(outgoing, sentAt, fault, isNew) {
          if (isNew && !isOver && isReturned(outgoing, sentAt !== null, fault)) return;
          end = { kind: 'none', ...fault };
          keep(outgoing, sentAt ?? now(), end);
          isOver = true;
        },
      });
    } finally {
      places.giveBack(active);
    }
  };
  await sendAll(options.connections);
  while (isCrowdedOut) {
    isCrowdedOut = false;
    await sleep(RESTS_MS[crowdedOut] ?? 0);
    crowdedOut += 1;
    await sendAll(Math.min(options.connections, returned.length));
  }
  // The server may have counted those that were written; if it is gone, the others got no response either.
  for (const { written, ...outgoing } of returned) {
    if (end !== null) keep({ ...outgoing, written }, now(), end);
    else if (written > 0) keep({ ...outgoing, written: written - 1 }, now(), LOST_WITH_ITS_CONNECTION);
  }
  return answers.toSorted((one, other) => one.sample.sentAt - other.sample.sentAt);
}
