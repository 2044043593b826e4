import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Part } from '../../loadkit/fleet/part.js';
import { BEAT_MS } from '../../loadkit/fleet/state.js';
import type { Sender } from '../../loadkit/fleet/merge.js';
import { FILES } from '../../log/files.js';
import { readLog } from '../../log/read.js';
import type { Obstacle } from '../../log/record.js';
import { duration } from '../../base/kernel/format.js';
import { now } from '../../wire/exchange/connection.js';
import type { Crew } from './crew.js';

/** Early end of a run of parts: an obstacle before the first request, or a reason later. */
type End =
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle }
  | { readonly kind: 'ended'; readonly why: string; readonly isOwnRule: boolean };

/** Largest log in bytes: the first violations in full, and for each second its figures and histograms. */
const MOST_BYTES = 16 * 2 ** 20;
const MOST_BYTES_A_SECOND = 16 * 2 ** 10;

export type Course = ReturnType<typeof newCourse>;

/**
 * Starts the account of a run's parts.
 *
 * @param directory folder of the run; logs of parts go to `parts/` in it
 * @param lengthMs length of the schedule
 */
export function newCourse(crew: Crew, directory: string, lengthMs: number) {
  const lost = new Map<number, string>();
  const parts = new Map<number, Part>();
  const problems: string[] = [];
  let end: End | null = null;
  const most = MOST_BYTES + (MOST_BYTES_A_SECOND * lengthMs) / 1000;
  const count = crew.seats.length;

  const isOver = (): boolean => end !== null;

  /** Reads a finished part; one with other data counts as lost. */
  const takePart = async (index: number, name: string): Promise<void> => {
    const file = join(directory, 'parts', String(index + 1), FILES.log);
    try {
      mkdirSync(dirname(file), { recursive: true });
      if (!(await crew.fetchLog(index, file, most))) return;
      const log = await readLog(file);
      const slice = log.capacity?.scenario.slice;
      // Only a part that did not start has no scenario.
      if (slice ? slice.index !== index || slice.count !== count : log.footer?.complete)
        throw new RangeError('it belongs to another part');
      parts.set(index, { name, log });
      crew.received(index);
    } catch (error) {
      // A missing connection is temporary; an unreadable log is not.
      if (crew.awayMs() < BEAT_MS * 2)
        lost.set(index, `returned an unreadable log (${(error as Error).message})`);
    }
  };

  return {
    lost: lost as ReadonlyMap<number, string>,
    parts: parts as ReadonlyMap<number, Part>,
    problems,
    isComplete: (): boolean => parts.size + lost.size >= count,
    isOver,
    /** The first reason counts. */
    finish(why: string, isOwnRule = false): void {
      end ??= { kind: 'ended', why, isOwnRule };
    },
    block(short: string, message: string, hint: string): void {
      end ??= { kind: 'obstacle', obstacle: { code: 'agents', short, message, hint } };
    },
    obstruct(obstacle: Obstacle): void {
      end ??= { kind: 'obstacle', obstacle };
    },
    end: (): End | null => end,
    lose(index: number, why: string): void {
      if (!lost.has(index) && !parts.has(index)) lost.set(index, why);
    },
    /** Repeats beats until `look` is true or the run is over. Returns false once the time is over. */
    async beatUntil(until: number, look: () => boolean | Promise<boolean>): Promise<boolean> {
      while (!isOver()) {
        await crew.beat();
        if ((await look()) || isOver()) return true;
        if (now() > until) return false;
        await sleep(BEAT_MS);
      }
      return true;
    },
    /** Marks senders as lost: silent for too long, or lost for certain. */
    markLost(afterMs: number): void {
      for (const [index, { broken }] of crew.seats.entries()) {
        if (lost.has(index) || parts.has(index)) continue;
        if (broken !== null) lost.set(index, broken);
        else if (crew.silentMs(index) > afterMs)
          lost.set(
            index,
            `was lost: it was silent for ${duration(afterMs)}, and no figure includes its requests`,
          );
      }
    },
    async takeParts(): Promise<void> {
      for (const [index, { state }] of crew.seats.entries())
        if (state?.step === 'done' && !parts.has(index) && !lost.has(index))
          await takePart(index, state.name);
    },
    /** Returns the facts on senders that no log has. */
    senders(): ReadonlyMap<number, Sender> {
      const senders = new Map<number, Sender>();
      for (const [index, { state }] of crew.seats.entries()) {
        const { name, offsetMs, errorMs } = state ?? { name: null, offsetMs: null, errorMs: null };
        const problem = lost.get(index) ?? null;
        const clock = crew.noun === 'worker' ? { offsetMs: null, errorMs: null } : { offsetMs, errorMs };
        if (state !== null || problem !== null) senders.set(index, { name, ...clock, problem });
      }
      return senders;
    },
  };
}
