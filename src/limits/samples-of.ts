import { distinct } from './answers.js';
import type { Sample } from './sample.js';
import type { KeySeries } from './series.js';

/** Every sample that is kept of one key, in the order of sending: all but what used up a day. */
export const samplesOf = (key: KeySeries): readonly Sample[] =>
  distinct([
    ...key.earlier,
    ...(key.burst?.samples ?? []),
    ...key.recoveries
      .flatMap(({ refusal, retry, resetRetry }) => [refusal, retry, resetRetry])
      .filter((sample) => sample !== null),
    ...(key.concurrent?.samples ?? []),
    ...(key.window?.bursts.flat() ?? []),
    ...(key.spread?.samples ?? []),
    ...(key.spread?.last ? [key.spread.last] : []),
    ...(key.fresh?.samples ?? []),
    ...(key.steady?.samples ?? []),
    ...(key.ban === null ? [] : [...key.ban.pushed, ...key.ban.watched]),
  ]);
