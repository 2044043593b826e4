import type { OperationName } from '../../base/interface/types.js';
import type { Sample } from '../../judge/limits/sample.js';
import type { Clock } from './clock.js';
import type { Collector, KeySession } from './key-session.js';
import { isOver } from './lab.js';
import { sendingOrder } from './paced.js';

/** A connection of its own of a key's session. */
export type Way = ReturnType<KeySession['fork']>;

/** Lets each connection send its next request after a response; `send` returns null if it sends no more. */
export async function inFlow(ways: readonly Way[], send: (way: Way) => Promise<unknown> | null): Promise<void> {
  const flow = async (way: Way): Promise<void> => {
    for (let sending = send(way); sending !== null; sending = send(way)) await sending;
  };
  await Promise.all(ways.map(flow));
}

/**
 * Sends requests over several connections until none is left, until one is not allowed, or until the bound of refusals leaves
 * no room. Those under way still get their response. The sink gets the samples in order of sending.
 * @param next returns the next operation; null for none
 * @returns the first response that ended it, or the last; undefined without one
 */
export async function sendInFlow(
  session: Pick<KeySession, 'fork' | 'room'>,
  sink: Collector,
  { connections, next }: { readonly connections: number; readonly next: () => OperationName | null },
  { now }: Pick<Clock, 'now'>,
): Promise<Sample | undefined> {
  const ways = Array.from({ length: connections }, () => session.fork());
  const order = sendingOrder(sink.take);
  const ordered = { ...sink, take: order.take };
  let last: Sample | undefined;
  const goesOn = (): boolean => last === undefined || !isOver(last);
  const ask = async (way: Way, operation: OperationName): Promise<void> => {
    const answered = order.begin(now());
    const sample = await way.ask(operation, ordered);
    answered();
    if (goesOn()) last = sample;
  };
  try {
    await inFlow(ways, (way) => {
      const operation = goesOn() && session.room() > 0 ? next() : null;
      return operation === null ? null : ask(way, operation);
    });
  } finally {
    await Promise.all(ways.map((way) => way.close()));
  }
  return last;
}
