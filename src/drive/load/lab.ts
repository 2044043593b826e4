import pLimit from 'p-limit';
import type { OperationName } from '../../base/interface/types.js';
import type { ServerClock } from '../../judge/limits/clock.js';
import { clockBy } from '../../judge/limits/headers/own-time.js';
import type { Stall } from '../../wire/exchange/stalls.js';
import type { Clock } from './clock.js';
import type { KeySession } from './key-session.js';
import { burstsTakeTurns } from './turns.js';
import type { ProfileName, KeyName } from '../../base/interface/names.js';

/** Environment that all profiles of a run share. */
export interface Lab extends Clock {
  readonly signal: AbortSignal;
  /** Times in which this machine was held up so far, oldest first. */
  readonly stalls: readonly Stall[];
  readonly operations: readonly OperationName[];
  /** Returns the server's clock by everything seen so far. */
  readonly clock: () => ServerClock | null;
  /** Waits until a time and reports the reason; false if the run was interrupted. */
  readonly pause: (at: number, what: string) => Promise<boolean>;
  /** Runs work that needs the whole machine in its turn; immediately if the network takes most of the time. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Reports the progress of a profile. @param ms that the reported work should take; absent if unknown */
  readonly progress: (profile: ProfileName, key: KeyName, text: string, ms?: number) => void;
}

/** Interval of progress reports, ms: nobody reads faster, and the log stays small. */
const EVERY_MS = 500;

/** Reports the progress of a profile now and then; calls `text` only for a report. */
export function progressEvery(lab: Lab, profile: ProfileName, key: KeyName, text: () => string): () => void {
  let last = lab.now();
  return () => {
    if (lab.now() - last < EVERY_MS) return;
    last = lab.now();
    lab.progress(profile, key, text());
  };
}

interface LabOptions extends Pick<Lab, 'signal' | 'stalls' | 'operations' | 'progress'> {
  readonly time: Clock;
  readonly sessions: readonly Pick<KeySession, 'samples' | 'figures' | 'quickestMs'>[];
  /** Server's clock as known before any session. */
  readonly before: ServerClock;
  /** Receives a pause worth reporting, with its length in ms. */
  readonly waiting: (what: string, ms: number) => void;
  /** Work for a pause in which no key sends a burst: it ends when `isQuiet` is false. */
  readonly inQuiet?: (isQuiet: () => boolean) => void;
}

/** Shortest wait worth reporting, ms. */
const WORTH_SAYING_MS = 400;

export function openLab(options: LabOptions): Lab {
  const { time, sessions, before, signal, stalls, operations, progress, waiting, inQuiet } = options;
  const turns = pLimit(1);
  const quickestMs = (): number => Math.min(...sessions.map((session) => session.quickestMs()));
  const pause: Lab['pause'] = async (at, what) => {
    const ms = at - time.now();
    if (ms >= WORTH_SAYING_MS && !signal.aborted) {
      waiting(what, ms);
      inQuiet?.(() => turns.activeCount === 0);
    }
    return time.sleepUntil(at, signal);
  };
  return {
    ...time,
    signal,
    stalls,
    operations,
    clock: () =>
      clockBy(
        sessions.map(({ samples, figures }) => ({ samples: samples(), figures })),
        before,
      ),
    pause,
    inTurn: (work) => (burstsTakeTurns(quickestMs()) ? turns(work) : work()),
    progress,
  };
}
