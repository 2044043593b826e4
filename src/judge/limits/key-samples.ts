import { onceEach } from '../../base/kernel/once-each.js';
import { bySending, wasServed, type Sample } from './sample.js';
import type { KeySeries, RecoverySeries } from './series.js';

/* The samples of one key, over all its series. */

/** Returns all kept samples of one key, in order of sending: all but those that used up a day. */
export const samplesOf = onceEach((key: KeySeries): readonly Sample[] =>
  bySending([
    ...new Set([
      ...key.earlier,
      ...(key.burst?.samples ?? []),
      ...key.recoveries.map(({ refusal }) => refusal),
      ...returnsIn(key.recoveries),
      ...(key.concurrent?.samples ?? []),
      ...(key.window?.flat() ?? []),
      ...(key.spread?.samples ?? []),
      ...(key.spread?.last ? [key.spread.last] : []),
      ...(key.fresh?.samples ?? []),
      ...(key.steady?.samples ?? []),
      ...(key.ban === null ? [] : [...key.ban.pushed, ...key.ban.watched]),
    ]),
  ]),
);

/** Returns all samples of one key with those that used up its day, in order of sending. */
export const daySamplesOf = onceEach((key: KeySeries): readonly Sample[] =>
  bySending([...samplesOf(key), ...(key.dayQuota?.samples ?? [])]),
);

/** Returns the requests after the waits of 429s. */
export const returnsIn = (
  recoveries: readonly Pick<RecoverySeries, 'retry' | 'resetRetry'>[],
): readonly Sample[] =>
  recoveries.flatMap(({ retry, resetRetry }) => [retry, resetRetry]).filter((sample) => sample !== null);

/** Returns the first allowed request after the first 429's wait; null without one. */
export const allowedAgain = ({ recoveries }: KeySeries): Sample | null =>
  returnsIn(recoveries.slice(0, 1)).find(wasServed) ?? null;
