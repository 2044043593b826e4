import { onceEach } from '../../base/kernel/once-each.js';
import { bySending, type Sample } from './sample.js';
import type { KeySeries } from './series.js';

/* The samples of one key, over all its series. */

/** Returns all kept samples of one key, in order of sending: all but those that used up a day. */
export const samplesOf = onceEach((key: KeySeries): readonly Sample[] =>
  bySending([
    ...key.earlier,
    ...(key.asked ?? []),
    ...(key.ban === null ? [] : [...key.ban.pushed, ...key.ban.watched]),
  ]),
);

/** Returns all samples of one key with those that used up its day, in order of sending. */
export const daySamplesOf = onceEach((key: KeySeries): readonly Sample[] =>
  bySending([...samplesOf(key), ...(key.dayQuota?.samples ?? [])]),
);
