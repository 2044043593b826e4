import type { OperationName } from '../../base/interface/types.js';
import { clockOf } from './headers/own-time.js';
import { failsAlone, isKept, readKey, ROWS, shownOf } from './question-rows.js';
import { hasTrait } from './row-traits.js';
import { clearJumps } from './jumps.js';
import { readKeys } from './read-keys.js';
import type { KeySeries } from './series.js';
import { hasSeveral } from './several-counters.js';
import type { Shown } from './shown.js';
import { isLevel } from './watched.js';

/* What the answers so far leave in doubt, so that the questions under a condition are asked. */

const isBusy = (shown: Shown): boolean => shown.kind === 'open' && shown.code === 'machine-busy';

/**
 * Is true if another burst may show more: something was seen once, a response was lost, or this machine was
 * held up, so that no key shows a row, or a key was whole again once.
 */
export function isUnsure(keys: readonly KeySeries[], operations: readonly OperationName[]): boolean {
  const clock = clockOf(keys);
  const readings = keys.filter(({ asked }) => asked !== null).map((key) => readKey(key, clock, operations));
  return (
    readings.some(({ run }) => run.spoiled !== null || clearJumps(run).length === 1) ||
    ROWS.some(([row, judge]) => {
      const all = shownOf(readings, judge).map(({ shown }) => shown);
      const once = all.filter((shown) => shown.kind === 'once');
      const isHeldUp = hasTrait(row, 'counting') && all.some(isBusy) && !all.some(isKept);
      return isHeldUp || once.length === 1 || once.some(({ isShared }) => isShared);
    })
  );
}

/** Is true if somebody else on a key would explain a fault, and nothing shows or excludes it yet. */
export function mayBeShared(
  key: KeySeries,
  keys: readonly KeySeries[],
  operations: readonly OperationName[],
): boolean {
  const read = readKeys(keys, clockOf(keys), operations);
  const reading = read[keys.indexOf(key)];
  if (reading === undefined || read.some(({ run }) => hasSeveral(run))) return false;
  const { otherUse, account } = reading.run;
  const { watched, steps } = account;
  // A full bucket hides others for a while, and one request alone shows nobody.
  const isLosing = steps.some(({ after, lost }) => after.question === 'watch' && lost > 0);
  const isOpen = isLevel(watched) || isLosing;
  return otherUse === null && isOpen && failsAlone(reading);
}
