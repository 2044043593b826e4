import type { OperationName } from '../../../base/interface/types.js';
import { bySending, type Sample } from '../../../judge/limits/sample.js';
import type { OpenSeries } from '../open-series.js';
import { isStuck } from '../bursting/pace.js';
import { MOST_UNCERTAIN } from '../../load/refusal-bound.js';

/** Requests left for the edge: fewer may be, and all that do not fit are refused. */
const LEFT = 1;
/**
 * Round trips beyond those that use up the allowance, about: the first request, two to the edge, and all at
 * once.
 */
export const EDGE_ROUNDS = 4;

interface Press {
  /** Requests that the key got in an earlier burst: it may get no more now, whatever Remaining says. */
  readonly gotBefore: number;
  /** Connections that use up the allowance; at the edge no more than `MOST_UNCERTAIN` send. */
  readonly connections: number;
  /** Operations for the requests at the edge. */
  readonly atTheEdge: readonly OperationName[];
  /** Most samples in the sink without a 429. */
  readonly ceiling: () => number;
}

/**
 * Uses up the allowance except for one request, and then sends `MOST_UNCERTAIN` at once, each on its own
 * connection, until one is refused. A limiter that reads its counter before it writes it allows all of them.
 *
 * @returns the requests sent at once, by round
 */
export async function pressAtEdge(
  { session, lab, sink, isEnded }: OpenSeries,
  { gotBefore, connections, atTheEdge, ceiling }: Press,
): Promise<readonly (readonly Sample[])[]> {
  const { perMinute } = session.figures;
  const { samples } = sink;
  // Those that use up the allowance are open when the requests at once need them.
  const ways = Array.from({ length: connections }, () => session.fork());
  const rounds: (readonly Sample[])[] = [];
  const lefts: number[] = [];
  let sent = 0;
  const byCount = (): number => Math.min(perMinute, gotBefore) - sent;
  const goesOn = (): boolean => !isEnded() && sent < ceiling() && session.room(byCount()) > 0;
  // Reads take turns, so that each is refused when the allowance ends sooner than expected. Creations come only when it
  // should be used up, so that they add hardly any animals.
  const reads = lab.operations.filter((operation) => operation !== 'createPet');
  const operationOf = (place: number): OperationName => {
    const some = place < perMinute ? reads : lab.operations;
    return some[place % some.length] ?? 'listPets';
  };
  const send = (way: (typeof ways)[number], operation: OperationName): Promise<Sample> => {
    sent += 1;
    return way.ask(operation, sink);
  };

  /** Sends up to so many requests in all, each connection its next one after a response. */
  const inFlow = async (most: () => number): Promise<void> => {
    const flow = async (way: (typeof ways)[number]): Promise<void> => {
      while (goesOn() && sent < most()) await send(way, operationOf(sent));
    };
    await Promise.all(ways.map(flow));
  };
  const atOnce = async (operations: readonly OperationName[]): Promise<readonly Sample[]> => {
    const most = Math.min(operations.length, session.room(), ceiling() - sent);
    const asked = operations.slice(0, most).flatMap((operation, place) => {
      const way = ways[place];
      return way === undefined ? [] : [send(way, operation)];
    });
    return bySending(await Promise.all(asked));
  };

  try {
    await session.ask('listPets', sink);
    sent = samples.length;
    while (goesOn()) {
      const left = Math.min(session.left() ?? perMinute - sent, Math.max(0, gotBefore - sent));
      lefts.push(left);
      const until = sent + left - LEFT;
      if (left <= LEFT) rounds.push(await atOnce(edgeOf(atTheEdge)));
      else await inFlow(isStuck(lefts) ? ceiling : () => until);
    }
  } finally {
    await Promise.all(ways.map((way) => way.close()));
  }
  return rounds;
}

/**
 * Returns the operations of the requests at the edge, in turn: of two, more of each come than are left, so
 * that one of each is refused. The first may still be served: it is no creation, so that it adds no animal.
 */
function edgeOf(operations: readonly OperationName[]): readonly OperationName[] {
  return Array.from({ length: MOST_UNCERTAIN }, (_, place) => {
    const operation = operations[place % operations.length] ?? 'listPets';
    return place < LEFT && operation === 'createPet' ? 'listPets' : operation;
  });
}
