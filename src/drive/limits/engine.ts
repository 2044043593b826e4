import { clockBy } from '../../judge/limits/headers/own-time.js';
import { daySamplesOf } from '../../judge/limits/key-samples.js';
import { isUnsure } from '../../judge/limits/plain/judge.js';
import type { KeySeries } from '../../judge/limits/series.js';
import { driveAllKeys, type OwnDrive } from '../experiments/all-keys.js';
import type { KeySession } from '../load/key-session.js';
import type { Lab } from '../load/lab.js';
import { askAllKeys } from './play.js';
import { byPlainQuestions } from './switch.js';

/** Drives all plans' keys with the engine of this run. */
export function driveKeys(
  sessions: readonly KeySession[],
  lab: Lab,
  driveOf: (session: KeySession) => OwnDrive,
  byQuestions = byPlainQuestions(),
): Promise<readonly KeySeries[]> {
  if (!byQuestions) return driveAllKeys(sessions, lab, driveOf);
  return askAllKeys(sessions, lab, driveOf, (keys) => {
    const clock = clockBy(keys.map((key) => ({ samples: daySamplesOf(key), figures: key.figures })));
    return isUnsure(keys, clock, lab.operations);
  });
}
