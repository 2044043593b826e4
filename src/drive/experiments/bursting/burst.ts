import { burstCeiling, connectionsFor, isOutrun, isStuck, quickPart } from './pace.js';
import { leftBy, type Sample } from '../../../judge/limits/sample.js';
import { progressEvery } from '../../load/lab.js';
import type { OpenSeries } from '../open-series.js';
import type { OperationName } from '../../../base/interface/types.js';
import { minuteMs, refillIntervalMs } from '../../../judge/limits/bounds.js';

/** Returns what is left of the window by Remaining; by the requests in it where no header shows it. */
const leftOf = ({ session, inWindow }: OpenSeries, last: Sample | undefined): number =>
  leftBy(last, session.figures) ?? session.figures.perMinute - inWindow().length;

/** Sends most of the limit as fast as the connections allow; leaves what the single part needs. */
export async function quickly(series: OpenSeries): Promise<void> {
  const { session, lab, samples, sink, inWindow } = series;
  const { figures, key } = session;
  const connections = connectionsFor(series.latencyMs(), figures);
  const byCount = figures.perMinute - inWindow().length;
  const left = Math.max(0, Math.min(leftOf(series, samples.at(-1)), byCount));
  const quick = quickPart(left, connections);
  const from = samples.length;
  let sent = 0;
  const text = (): string => `${from + sent} of ${figures.perMinute} sent`;
  const tell = progressEvery(lab, sink.profile, key, text);
  if (connections === 1) {
    while (samples.length - from < quick) {
      await series.ask('listPets');
      // A request lost on a kept connection and sent again counts twice.
      sent = samples.length - from;
      tell();
    }
    return;
  }
  if (quick === 0) return;
  await series.askInParallel({
    connections: Math.min(connections, quick),
    next: () => {
      if (sent >= quick) return null;
      sent += 1;
      tell();
      return 'listPets';
    },
    byCount: () => byCount - sent,
  });
}

export interface Approach {
  /** Returns the most samples in the window without a 429, `elapsedMs` after its first request. */
  readonly ceiling?: (elapsedMs: number) => number;
  /** Chooses the next operation by the number sent in the window and the last response; a listing by default. */
  readonly operation?: (sent: number, last: Sample | undefined) => OperationName;
  /** Waits before a single request. */
  readonly before?: () => Promise<void>;
}

/**
 * Sends up to the first 429: one by one, so that there is only one. It uses several connections only if a
 * limiter refills as fast as single requests come. Returns if it reaches the ceiling.
 */
export async function approach(series: OpenSeries, options: Approach = {}): Promise<void> {
  const { session, lab, inWindow } = series;
  const { figures } = session;
  const {
    ceiling = (elapsedMs) => burstCeiling(figures, elapsedMs, inWindow()),
    operation = () => 'listPets',
    before,
  } = options;
  const begunAt = inWindow()[0]?.sentAt ?? lab.now();
  const most = (): number => ceiling(lab.now() - begunAt);

  const latencyMs = series.latencyMs();
  const connections = connectionsFor(latencyMs, figures);
  const keepsUp = connections === 1 || 3 * latencyMs < refillIntervalMs(figures);
  const lefts: number[] = [];
  const mayEnd = (): boolean => keepsUp || !isStuck(lefts);
  let last = series.samples.at(-1);
  let sent = inWindow().length;
  while (sent < most() && mayEnd()) {
    await before?.();
    last = await series.ask(operation(sent, last));
    sent = inWindow().length;
    lefts.push(Math.max(0, leftOf(series, last)));
  }
  // What comes back faster than the few requests near the edge is never used up: a window shows that.
  const isVain = (): boolean =>
    isOutrun(latencyMs, figures) && lab.now() - begunAt > minuteMs(figures) && leftOf(series, last) > 0;
  const goesOn = (): boolean => sent < most() && !isVain();
  if (!goesOn()) return;
  await series.askInParallel({
    connections: Math.min(connections, most() - sent),
    next: () => (goesOn() ? operation(sent++, last) : null),
    answered: (sample) => (last = sample),
  });
}

/**
 * Sends a burst of listings to the first 429, after the series' first response or one of its own.
 *
 * @param beforeTail waits between the quick part and the single one
 */
export async function useUp(
  series: OpenSeries,
  options: Pick<Approach, 'ceiling'> = {},
  beforeTail = (): Promise<void> => Promise.resolve(),
): Promise<void> {
  if (series.samples.length === 0) await series.ask('listPets');
  await quickly(series);
  await beforeTail();
  await approach(series, options);
}
