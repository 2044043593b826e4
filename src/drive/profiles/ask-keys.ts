import { clockBy } from '../../judge/limits/headers/own-time.js';
import { daySamplesOf } from '../../judge/limits/key-samples.js';
import { isUnsure } from '../../judge/limits/judge-questions.js';
import type { KeySeries } from '../../judge/limits/series.js';
import type { KeyOptions } from '../limits/key-options.js';
import { askAllKeys } from '../limits/play.js';
import type { KeySession } from '../load/key-session.js';
import type { Lab } from '../load/lab.js';

/** Asks all plans' keys, and repeats the burst where the judges saw something only once. */
export const askKeys = (
  sessions: readonly KeySession[],
  lab: Lab,
  optionsOf: (session: KeySession) => KeyOptions,
): Promise<readonly KeySeries[]> =>
  askAllKeys(sessions, lab, optionsOf, (keys) => {
    const clock = clockBy(keys.map((key) => ({ samples: daySamplesOf(key), figures: key.figures })));
    return isUnsure(keys, clock, lab.operations);
  });
