import { onceEach } from '../../base/kernel/once-each.js';
import { bySending, wasServed, type Sample } from './sample.js';
import type { KeySeries, RecoverySeries } from './series.js';

/* The samples of one key, over all its series. */

/** Returns all kept samples of one key, in order of sending: all but those that used up a day. */
export const samplesOf = onceEach((key: KeySeries): readonly Sample[] =>
  bySending([
    ...new Set([
      ...key.earlier,
      ...(key.asked ?? []),
      ...(key.burst?.samples ?? []),
      ...key.recoveries.map(({ refusal }) => refusal),
      ...returnsIn(key.recoveries),
      ...(key.concurrent?.samples ?? []),
      ...(key.window?.flat() ?? []),
      ...(key.spread?.samples ?? []),
      ...(key.spread?.last ? [key.spread.last] : []),
      ...(key.fresh?.samples ?? []),
      ...(key.steady?.samples ?? []),
      ...(key.pauses ?? []),
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

/** Returns a series with each of its key's samples changed; one that stands in several places stays one. */
export function withSamples(key: KeySeries, change: (sample: Sample) => Sample): KeySeries {
  const one = onceEach(change);
  const each = (samples: readonly Sample[]): readonly Sample[] => samples.map(one);
  const maybe = (sample: Sample | null): Sample | null => sample && one(sample);
  const { burst, concurrent, window, spread, fresh, steady, pauses, ban, dayQuota } = key;
  return {
    ...key,
    earlier: each(key.earlier),
    burst: burst && { ...burst, samples: each(burst.samples) },
    recoveries: key.recoveries.map((recovery) => ({
      ...recovery,
      refusal: one(recovery.refusal),
      retry: maybe(recovery.retry),
      resetRetry: maybe(recovery.resetRetry),
    })),
    concurrent: concurrent && {
      ...concurrent,
      samples: each(concurrent.samples),
      together: concurrent.together.map(each),
    },
    window: window && window.map(each),
    spread: spread && { samples: each(spread.samples), last: maybe(spread.last) },
    fresh: fresh && { ...fresh, samples: each(fresh.samples) },
    steady: steady && { ...steady, samples: each(steady.samples) },
    pauses: pauses && each(pauses),
    ban: ban && { ...ban, pushed: each(ban.pushed), watched: each(ban.watched) },
    dayQuota: dayQuota && { ...dayQuota, samples: each(dayQuota.samples) },
  };
}
