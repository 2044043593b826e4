import type { OperationName } from '../../base/interface/types.js';
import { MOSTLY } from './bounds.js';
import type { ServerClock } from './clock.js';
import { areOfClock } from './holds-less.js';
import { failsAlone, isFault, readKey, ROWS, type Reading } from './question-rows.js';
import { isRefusedBesideOthers, untouchedByOthers } from './rate-per-key.js';
import { hasTrait } from './row-traits.js';
import { refillOver, wasServed } from './sample.js';
import type { KeySeries } from './series.js';
import { hasSeveral, jumpsBetween } from './several-counters.js';

/** Reads keys, each with its use by somebody else as far as the server or the run does not explain that. */
export function readKeys(
  keys: readonly KeySeries[],
  clock: ServerClock | null,
  operations: readonly OperationName[],
): readonly Reading[] {
  const read = keys.map((key) => readKey(key, clock, operations));
  return read.map((one) =>
    isOfServer(one, read) || isOurs(one, read) || !isNeeded(one)
      ? { ...one, run: { ...one.run, otherUse: null } }
      : one,
  );
}

/** Is true if a key shows that another one uses up its allowance. */
export const areShared = (read: readonly Reading[]): boolean =>
  read.some(({ shows }) => isFault(shows(untouchedByOthers)));

/** A less certain use explains what failed, and nothing else. */
const isNeeded = (reading: Reading): boolean => reading.run.otherUse?.isSure === true || failsAlone(reading);

/** Is true if it is the server that counts otherwise than it says. */
function isOfServer(reading: Reading, read: readonly Reading[]): boolean {
  return (
    isBeyondOthers(reading) ||
    read.some(({ run }) => hasSeveral(run)) ||
    // A counter of each process holds a part of the limit.
    (reading.run.otherUse?.always !== undefined && read.some(({ run }) => jumpsBetween(run).length > 1)) ||
    isRefusedBesideOthers(reading.run) ||
    isOfEachKey(read)
  );
}

/** Is true for what nobody does with each key: come right as each window of a clock begins, or use up all. */
const isOfEachKey = (read: readonly Reading[]): boolean =>
  read.length > 1 &&
  read.every(({ run }) => run.otherUse?.always !== undefined) &&
  (read.every(({ run }) => run.otherUse?.always === 0) || areOfClock(read.map(({ run }) => run.account)));

/** Is true if a key gets more than any limiter of its plan allows: others leave it less, but may seem a rate. */
const isBeyondOthers = ({ shows }: Reading): boolean =>
  ROWS.some(([row, judge]) => {
    const shown = shows(judge);
    const found = shown?.kind === 'judged' ? shown.judgement : null;
    const isMore = found?.kind === 'violated' && found.measured?.what?.includes('rate') !== true;
    return isMore && hasTrait(row, 'counting') && !hasTrait(row, 'lone-client');
  });

/**
 * Is true if the run's other keys used it: where keys share a counter, one loses what the others sent, in
 * each pause or as it began. It is most of that, or all that it had.
 */
function isOurs({ run }: Reading, read: readonly Reading[]): boolean {
  const others = read.filter((one) => one.run.key !== run.key).flatMap((one) => one.run.all);
  return (
    areShared(read) &&
    (run.otherUse?.pauses ?? []).every(({ sentAt: since, from, to, requests, isEmptied }) => {
      const own = others.filter(({ sentAt, answeredAt }) => answeredAt > since && sentAt < to);
      const most = requests + refillOver(to - since, run);
      const certain = own.filter((one) => wasServed(one) && one.sentAt >= from);
      return own.length >= requests && (isEmptied || most >= MOSTLY * certain.length);
    })
  );
}
