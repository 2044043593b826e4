import type { OperationName } from '../../contract/types.js';
import { refillIntervalMs } from '../../limits/bounds.js';
import type { Sample } from '../../limits/sample.js';
import { firstOver, isOver, leftBy, type Lab } from '../lab.js';
import type { Collector, KeySession } from '../key-session.js';

/** Single requests after which nothing more is left than before: they will not reach the limit. */
const STUCK_AFTER = 4;

/** What the way to a refusal needs to know. */
export interface Approach {
  /** Where in the sink the window began. */
  readonly windowFrom: number;
  readonly connections: number;
  readonly latencyMs: number;
  /** How many may be in the sink in all, without a refusal. */
  readonly ceiling: () => number;
  /** What to send, by how many were sent before it and the last answer that came. */
  readonly operation: (sent: number, last: Sample | undefined) => OperationName;
  /** What to wait for before a single request, by the last answer. */
  readonly before?: (last: Sample | undefined) => Promise<void>;
}

/**
 * To the first refusal: one by one, so that there is but one, and on several connections only where a limiter refills as
 * fast as single requests come.
 * @returns the answer that ended it, or the last
 */
export async function approach(
  session: KeySession,
  { signal }: Lab,
  sink: Collector,
  { windowFrom, connections, latencyMs, ceiling, operation, before }: Approach,
): Promise<Sample | undefined> {
  const { figures } = session;
  const { samples } = sink;
  let last = samples.at(-1);
  const goesOn = (): boolean => !signal.aborted && last !== undefined && !isOver(last) && samples.length < ceiling();

  const keepsUp = connections === 1 || 3 * latencyMs < refillIntervalMs(figures);
  const lefts: number[] = [];
  const isStuck = (): boolean => {
    const before = lefts.at(-1 - STUCK_AFTER);
    return !keepsUp && before !== undefined && (lefts.at(-1) ?? 0) >= before;
  };
  while (goesOn() && !isStuck()) {
    await before?.(last);
    last = await session.ask(operation(samples.length, last), sink);
    lefts.push(Math.max(0, leftBy(last, figures) ?? figures.perMinute - (samples.length - windowFrom)));
  }
  if (!goesOn()) return last;
  let sent = samples.length;
  const answers = await session.inParallel(
    {
      connections: Math.min(connections, ceiling() - sent),
      next: () => (sent < ceiling() ? operation(sent++, last) : null),
      stopsAt: (sample) => isOver((last = sample)),
    },
    sink,
  );
  return firstOver(answers) ?? answers.at(-1);
}
