import type { OperationName } from '../../../base/interface/types.js';
import { bySending, type Sample } from '../../../judge/limits/sample.js';
import type { Collector, KeySession } from '../../load/key-session.js';
import { firstOver, type Lab } from '../../load/lab.js';
import { MOST_UNCERTAIN } from '../../load/refusal-bound.js';

/**
 * Requests left for the edge if Remaining shows them: it may be rounded, and while some of the requests sent at once are
 * being counted, the others must meet the counter.
 */
const LEFT_BY_HEADER = 4;
/** Requests left if only the plan's figure shows them: fewer may be, and all that do not fit are refused. */
const LEFT_BY_COUNT = 1;
/** Most requests at once: those left, and as many as may be refused. */
const MOST_AT_ONCE = LEFT_BY_HEADER + MOST_UNCERTAIN;
/** Rounds without a lower Remaining, after which no more will reach the edge. */
const STUCK_AFTER = 4;
/** Round trips beyond those that use up the allowance, about: the first request, two to the edge, and all at once. */
export const EDGE_ROUNDS = 4;

interface Press {
  /** Most requests that may be open while the allowance is being used up. */
  readonly connections: number;
  /** Requests that the key got in an earlier burst: it may get no more now, whatever Remaining says. */
  readonly gotBefore: number;
  /** Operations for the requests at the edge. */
  readonly atTheEdge: readonly OperationName[];
  /** Most samples in the sink without a 429. */
  readonly ceiling: () => number;
}

/**
 * Uses up the allowance but for a few requests, and then sends more than those at once, each on its own connection, until
 * one is refused. A limiter that counts rightly refuses at most `MOST_UNCERTAIN` of them.
 * @returns the requests sent at once, by round
 */
export async function pressAtEdge(
  session: KeySession,
  lab: Lab,
  sink: Collector,
  { connections, gotBefore, atTheEdge, ceiling }: Press,
): Promise<readonly (readonly Sample[])[]> {
  const { perMinute } = session.figures;
  const { samples } = sink;
  // Those that use up the allowance are open when the requests at once need them.
  const ways = Array.from({ length: Math.max(connections, MOST_AT_ONCE) }, () => session.fork());
  const rounds: (readonly Sample[])[] = [];
  const lefts: number[] = [];
  let sent = 0;
  const goesOn = (): boolean =>
    !lab.signal.aborted && firstOver(samples) === undefined && sent < ceiling() && session.room() > 0;
  const operationOf = (place: number): OperationName => lab.operations[place % lab.operations.length] ?? 'listPets';
  const send = (way: (typeof ways)[number], operation: OperationName): Promise<Sample> => {
    sent += 1;
    return way.ask(operation, sink);
  };

  /** Sends up to so many requests in all, each connection its next one after a response. */
  const inFlow = async (most: () => number): Promise<void> => {
    const flow = async (way: (typeof ways)[number]): Promise<void> => {
      // Creations come only when the allowance should be used up, so that they add hardly any animals.
      while (goesOn() && sent < most()) await send(way, sent < perMinute ? 'listPets' : operationOf(sent));
    };
    await Promise.all(ways.slice(0, connections).map(flow));
  };
  const atOnce = async (operations: readonly OperationName[]): Promise<readonly Sample[]> => {
    const most = Math.min(operations.length, session.room(), ceiling() - sent);
    const asked = operations.slice(0, most).flatMap((operation, place) => {
      const way = ways[place];
      return way === undefined ? [] : [send(way, operation)];
    });
    return bySending(await Promise.all(asked));
  };
  const isStuck = (): boolean => {
    const before = lefts.at(-1 - STUCK_AFTER);
    return before !== undefined && (lefts.at(-1) ?? 0) >= before;
  };

  try {
    await session.ask('listPets', sink);
    sent = samples.length;
    const until = sent + Math.min(session.left() ?? Infinity, perMinute - sent, gotBefore - sent) - LEFT_BY_HEADER;
    if (goesOn() && until > sent) await inFlow(() => until);
    while (goesOn()) {
      const shown = session.left();
      const left = Math.min(shown ?? perMinute - sent, Math.max(0, gotBefore - sent));
      const edge = shown === null ? LEFT_BY_COUNT : LEFT_BY_HEADER;
      if (left <= edge) rounds.push(await atOnce(edgeOf(left, atTheEdge)));
      else if (isStuck()) await inFlow(ceiling);
      else {
        lefts.push(left);
        await atOnce(Array.from({ length: left - edge }, () => 'listPets' as const));
      }
    }
  } finally {
    await Promise.all(ways.map((way) => way.close()));
  }
  return rounds;
}

/**
 * Returns the operations of the requests at the edge, in turn. Of two operations, more of each come than are left, so that one
 * of each is refused. Where the allowance may still serve a creation, a listing takes its place and adds no animal.
 */
function edgeOf(left: number, operations: readonly OperationName[]): readonly OperationName[] {
  return Array.from({ length: MOST_AT_ONCE }, (_, place) => {
    const operation = operations[place % operations.length] ?? 'listPets';
    return place < left && operation === 'createPet' ? 'listPets' : operation;
  });
}
