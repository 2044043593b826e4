import { clockBy } from '../../judge/limits/headers/own-time.js';
import type { ServerClock } from '../../judge/limits/clock.js';
import { isUnsure, mayBeShared } from '../../judge/limits/doubts.js';
import { type KeySeries, daySamplesOf } from '../../judge/limits/series.js';
import type { KeyOptions } from '../limits/played.js';
import { askAllKeys } from '../limits/play.js';
import type { KeySession } from '../load/key-session.js';
import type { Lab } from '../load/lab.js';

/** Asks all plans' keys, and repeats the burst where the judges saw something only once. */
export const askKeys = (
  sessions: readonly KeySession[],
  lab: Lab,
  optionsOf: (session: KeySession) => KeyOptions,
): Promise<readonly KeySeries[]> =>
  askAllKeys(sessions, lab, optionsOf, {
    isUnsure: (keys) => isUnsure(keys, clockOf(keys), lab.operations),
    mayBeShared: (key, keys) => mayBeShared(key, clockOf(keys), lab.operations),
  });

const clockOf = (keys: readonly KeySeries[]): ServerClock | null =>
  clockBy(keys.map((key) => ({ samples: daySamplesOf(key), figures: key.figures })));
