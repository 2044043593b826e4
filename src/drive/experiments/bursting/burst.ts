import { connectionsFor, quickPart } from './pace.js';
import { leftBy, type Sample } from '../../../judge/limits/sample.js';
import { isOver, type Lab, progressEvery, firstOver } from '../../load/lab.js';
import type { Collector, KeySession } from '../../load/key-session.js';
import type { OperationName } from '../../../base/interface/types.js';
import { refillIntervalMs } from '../../../judge/limits/bounds.js';

/** Remaining of a window, by header and by count. */
const leftOfWindow = (samples: readonly Sample[], windowFrom: number, { figures }: KeySession): number => {
  const byCount = figures.perMinute - (samples.length - windowFrom);
  return Math.max(0, Math.min(leftBy(samples.at(-1), figures) ?? byCount, byCount));
};

/** Sends most of the limit as fast as the connections allow; leaves what the single part needs. */
export async function quickly(
  session: KeySession,
  lab: Lab,
  sink: Collector,
  { latencyMs, windowFrom }: Pick<Approach, 'latencyMs' | 'windowFrom'>,
): Promise<void> {
  const { samples } = sink;
  const connections = connectionsFor(latencyMs, session.figures);
  const from = samples.length;
  const quick = quickPart(leftOfWindow(samples, windowFrom, session), connections);
  let sent = 0;
  const text = (): string => `${from + sent} of ${session.figures.perMinute} sent`;
  const tell = progressEvery(lab, sink.profile, session.key, text);
  if (connections === 1) {
    while (samples.length - from < quick && !lab.signal.aborted) {
      if (isOver(await session.ask('listPets', sink))) return;
      // A request lost on a kept connection and sent again counts twice.
      sent = samples.length - from;
      tell();
    }
    return;
  }
  if (quick === 0) return;
  await session.inParallel(
    {
      connections: Math.min(connections, quick),
      next: () => {
        if (sent >= quick) return null;
        sent += 1;
        tell();
        return 'listPets';
      },
      stopsAt: isOver,
    },
    sink,
  );
}

/** Single requests without a lower Remaining, after which they will not reach the limit. */
const STUCK_AFTER = 4;

export interface Approach {
  /** Place in the sink where the window began. */
  readonly windowFrom: number;
  readonly latencyMs: number;
  /** Most samples in the sink without a 429. */
  readonly ceiling: () => number;
  /** Chooses the next operation, by the number sent and the last response. */
  readonly operation: (sent: number, last: Sample | undefined) => OperationName;
  /** Waits before a single request, by the last response. */
  readonly before?: (last: Sample | undefined) => Promise<void>;
}

/**
 * Sends up to the first 429: one by one, so that there is only one. It uses several connections only if a limiter
 * refills as fast as single requests come.
 * @returns the response that ended it, or the last
 */
export async function approach(
  session: KeySession,
  { signal }: Lab,
  sink: Collector,
  { windowFrom, latencyMs, ceiling, operation, before }: Approach,
): Promise<Sample | undefined> {
  const { figures } = session;
  const { samples } = sink;
  let last = samples.at(-1);
  const goesOn = (): boolean => !signal.aborted && last !== undefined && !isOver(last) && samples.length < ceiling();

  const connections = connectionsFor(latencyMs, figures);
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

/**
 * Sends a burst of listings to the first 429, after the sink's first response or one of its own.
 * @param beforeTail waits between the quick part and the single one; false if interrupted
 */
export async function useUp(
  session: KeySession,
  lab: Lab,
  sink: Collector,
  { latencyMs, ceiling }: Pick<Approach, 'latencyMs' | 'ceiling'>,
  beforeTail = (): Promise<boolean> => Promise.resolve(true),
): Promise<void> {
  const { samples } = sink;
  const goesOn = (): boolean => !lab.signal.aborted && firstOver(samples) === undefined;
  if (samples.length === 0) await session.ask('listPets', sink);
  if (goesOn()) await quickly(session, lab, sink, { latencyMs, windowFrom: 0 });
  if (!goesOn() || (await beforeTail()))
    await approach(session, lab, sink, { windowFrom: 0, latencyMs, ceiling, operation: () => 'listPets' });
}
