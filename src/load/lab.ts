import pLimit from 'p-limit';
import type { OperationName } from '../contract/types.js';
import { plainInteger } from '../limits/headers/header-number.js';
import { type ServerClock, clockWithin, overlap, type ClockBounds } from '../limits/clock.js';
import type { Figures, SeriesEnd } from '../limits/series.js';
import type { Clock } from './clock.js';
import { collector, type Collector, type KeySession } from './key-session.js';
import { speaksOfMinute, wasRefused, wasServed, type Sample } from '../limits/sample.js';
import type { ProfileName, KeyName } from '../contract/names.js';

/** What all profiles of a run share besides the key that they send with. */
export interface Lab extends Clock {
  readonly signal: AbortSignal;
  /** The operations in scope. */
  readonly operations: readonly OperationName[];
  /** The server's clock by all that was seen so far. */
  readonly clock: () => ServerClock | null;
  /** Waits until a time, and says what for; false when the run was interrupted. */
  readonly pause: (at: number, what: string) => Promise<boolean>;
  /** Does work that needs the whole machine when its turn has come; at once where the network is what takes time. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Says how far a profile is. */
  readonly progress: (profile: ProfileName, key: KeyName, text: string) => void;
}

/** A sample that ends a burst: a refusal, a fault, or no whole answer. */
export const isOver = (sample: Sample): boolean => !wasServed(sample);

/**
 * A request that was lost on a kept connection and sent once more stands in the series twice, with the same times; the
 * second of the two says what became of it.
 */
const wasSentAgain = ({ status, sentAt, answeredAt }: Sample, next: Sample | undefined): boolean =>
  status === 0 && next?.sentAt === sentAt && next.answeredAt === answeredAt;

/** The samples of a series that may have ended it, in their order. */
export const endings = (samples: readonly Sample[]): readonly Sample[] =>
  samples.filter((sample, index) => isOver(sample) && !wasSentAgain(sample, samples[index + 1]));

/** The first sample that ends a series; undefined where all were served in the end. */
export const firstOver = (samples: readonly Sample[]): Sample | undefined => endings(samples)[0];

/** How a series came to its end, told by its last sample. */
export function endOf(samples: readonly Sample[], signal: AbortSignal, otherwise: SeriesEnd): SeriesEnd {
  // Of requests side by side the last to be sent need not be the one that ended it.
  const over = firstOver(samples);
  if (over === undefined) return signal.aborted ? 'interrupted' : otherwise;
  if (samples.some(wasRefused)) return 'refused';
  if (signal.aborted) return 'interrupted';
  return over.status === 0 ? 'transport' : 'unexpected-status';
}

/** What is left of the minute's allowance by the last answer; null where it does not say. */
export function leftBy(sample: Sample | undefined, figures: Figures): number | null {
  if (sample === undefined || !speaksOfMinute(sample, figures)) return null;
  return plainInteger(sample.remaining);
}

/** A collector whose answers the passive rows judge while the allowance lasts: past it, other rows say what has to come. */
export function sinkOf(profile: ProfileName, figures: Figures): Collector {
  const kept: Collector = collector(profile, {
    isPassive: () => {
      const { samples } = kept;
      return samples.length < figures.perMinute && leftBy(samples.at(-1), figures) !== 0 && !samples.some(wasRefused);
    },
  });
  return kept;
}

/** A person reads no faster, and the log stays small. */
const EVERY_MS = 500;

/** Says how far a profile is, from time to time; `text` is asked for only when it is said. */
export function progressEvery(lab: Lab, profile: ProfileName, key: KeyName, text: () => string): () => void {
  let last = lab.now();
  return () => {
    if (lab.now() - last < EVERY_MS) return;
    last = lab.now();
    lab.progress(profile, key, text());
  };
}

/** What a lab is made of. */
export interface LabOptions extends Pick<Lab, 'signal' | 'operations' | 'progress'> {
  /** The senders' own time. */
  readonly time: Clock;
  /** Every key's session. */
  readonly sessions: readonly Pick<KeySession, 'seen'>[];
  /** What was known of the server's clock before any session was opened. */
  readonly before: ClockBounds;
  /** Is told of a pause that somebody may wonder about, and of how many ms it takes. */
  readonly waiting: (what: string, ms: number) => void;
}

/** Waits below this are too short for anybody to wonder about. */
const WORTH_SAYING_MS = 400;

/** A target that answers faster is on this machine or beside it, and bursts side by side would only slow each other down. */
const NEARBY_MS = 2;

/** What the profiles of all keys share. */
export function openLab(options: LabOptions): Lab {
  const { time, sessions, before, signal, operations, progress, waiting } = options;
  const turns = pLimit(1);
  const quickestMs = (): number => Math.min(...sessions.map((session) => session.seen().quickestMs));
  return {
    ...time,
    signal,
    operations,
    clock: () => clockWithin(overlap([before, ...sessions.map((session) => session.seen().clock)])),
    pause: async (at, what) => {
      const ms = at - time.now();
      if (ms >= WORTH_SAYING_MS && !signal.aborted) waiting(what, ms);
      return time.sleepUntil(at, signal);
    },
    inTurn: (work) => (quickestMs() < NEARBY_MS ? turns(work) : work()),
    progress,
  };
}
