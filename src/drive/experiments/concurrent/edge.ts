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
  { connections, gotBefore, ceiling }: Press,
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
  /** Sends so many requests at once, as many of them listings as are left. */
  const atOnce = async (amount: number, left: number): Promise<readonly Sample[]> => {
    const asked = ways
      .slice(0, Math.min(amount, session.room(), ceiling() - sent))
      .map((way, place) => send(way, place < left ? 'listPets' : operationOf(place)));
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
      if (left <= edge) rounds.push(await atOnce(MOST_AT_ONCE, left));
      else if (isStuck()) await inFlow(ceiling);
      else {
        lefts.push(left);
        await atOnce(left - edge, left);
      }
    }
  } finally {
    await Promise.all(ways.map((way) => way.close()));
  }
  return rounds;
}
