import type { RequirementId } from '../../base/interface/types.js';
import { OVERTAKEN } from './bounds.js';
import { isTogether, jumpsOf, wholeOf, type Jump } from './jumps.js';
import type { KeyRun } from './key-run.js';
import { isFault, readKey, ROWS, type Reading } from './question-rows.js';
import { leftOf, wasServed, type Sample } from './sample.js';
import type { KeySeries } from './series.js';

/**
 * Returns when the server was restarted, Unix ms; null if nothing shows it. All keys were whole again once,
 * at the same moment, and neither what was sent before nor what was sent later shows one of the faults: what
 * forgets by itself forgets again.
 */
export function restartOf(readings: readonly Reading[], faults: ReadonlySet<RequirementId>): number | null {
  const rows = ROWS.filter(([row]) => faults.has(row));
  if (rows.length === 0) return null;
  const keys = readings.map((reading) => ({ ...reading, jumps: jumpsOf(reading.run) }));
  const explains = (jump: Jump): boolean => {
    const cuts = keys.map(({ run, jumps }) => cutAt(run, jumps.find((own) => isTogether(own, jump)) ?? jump));
    return keys.every(({ run, operations }, at) =>
      cuts[at]?.every((half) => {
        const { shows } = readKey(half, run.clock, operations);
        return !rows.some(([, judge]) => isFault(shows(judge)));
      }),
    );
  };
  const all = keys.flatMap(({ jumps }) => jumps);
  const isOnly = (jump: Jump): boolean => all.every((one) => isTogether(one, jump));
  return all.find((jump) => isOnly(jump) && explains(jump))?.after.answeredAt ?? null;
}

/** Returns what a key sent before and after a restart; null if it was not whole again by then. */
function cutAt(run: KeyRun, { before, after, left }: Jump): readonly KeySeries[] | null {
  const { key, all, figures } = run;
  const next = all.find(({ sentAt }) => sentAt >= after.answeredAt);
  const since = all.filter(({ sentAt }) => sentAt > before.sentAt && sentAt <= (next?.sentAt ?? 0)).length;
  const has = next === undefined ? Infinity : wasServed(next) ? (leftOf(next, figures) ?? Infinity) : 0;
  if (has + since < wholeOf(run) - OVERTAKEN) return null;
  // Of those under way together some were counted before.
  const isOld = (sample: Sample): boolean =>
    sample.sentAt < after.sentAt ||
    (sample.sentAt < after.answeredAt && (leftOf(sample, figures) ?? Infinity) <= left);
  return [part(key, isOld), part(key, (sample) => !isOld(sample))];
}

const part = (key: KeySeries, isOf: (sample: Sample) => boolean): KeySeries => ({
  ...key,
  earlier: key.earlier.filter(isOf),
  asked: key.asked?.filter(isOf) ?? null,
});

export const restartText = (at: number): string =>
  `a restart of the server (Remaining of all keys was whole again at ${new Date(at)
    .toISOString()
    .slice('2026-01-01T'.length, '2026-01-01T12:00:05'.length)} UTC)`;
