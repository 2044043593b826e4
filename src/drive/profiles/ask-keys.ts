import { isUnsure, mayBeShared } from '../../judge/limits/doubts.js';
import type { KeySeries } from '../../judge/limits/series.js';
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
    isUnsure: (keys) => isUnsure(keys, lab.operations),
    mayBeShared: (key, keys) => mayBeShared(key, keys, lab.operations),
  });
