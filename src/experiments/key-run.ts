import type { OperationName } from '../contract/types.js';
import { NOTHING_RUN, type KeySeries, type OtherKeyProbe } from '../limits/series.js';
import type { ProfileMark } from '../log/record.js';
import type { Lab } from '../load/lab.js';
import type { KeySession } from '../load/key-session.js';
import { samplesOf, type Sample } from '../limits/sample.js';
import type { DayPlace } from './day-quota/drive.js';
import type { ProfileName } from '../contract/names.js';

/** Writes down what a profile found, with all that its key sent since the profile before. */
export type Report = (
  profile: ProfileName,
  startedAt: number,
  sentence: string,
  marks?: readonly ProfileMark[],
) => void;

/** What one plan's key is to be put through. */
export interface Drive {
  readonly profiles: ReadonlySet<ProfileName>;
  /** Whether a steady run was asked for by name; else it is sent only where a burst got less than the allowance. */
  readonly steadyAskedFor: boolean;
  readonly refusalOperation: OperationName;
  /** Whether this is the key that spreads its allowance (`KeySeries.spreads`). */
  readonly spreads: boolean;
  readonly exclusive: boolean;
  /** What the run sent with this key before, oldest first. */
  readonly earlier: readonly Sample[];
  readonly aloneSince: number;
  /** Asks another plan's key while this one is exhausted; null where no other is to be asked. */
  readonly askOther: (() => Promise<OtherKeyProbe>) | null;
  /** Is called once the first burst, and what another key was asked after it, is over. */
  readonly afterBurst: () => void;
  readonly day: DayPlace | null;
  readonly report: Report;
  /** Writes down a sample that the session does not keep; the next report tells of it. */
  readonly record: (profile: ProfileName, sample: Sample) => void;
}

/** One key on its way through its profiles. */
export interface KeyRun {
  readonly session: KeySession;
  readonly lab: Lab;
  readonly drive: Drive;
  /** Adds what a profile recorded. */
  readonly add: (more: Partial<KeySeries>) => void;
  /** All that was recorded so far; what stands in no series was sent before, or for another key's sake. */
  readonly sofar: () => KeySeries;
}

/** The run of a key that has nothing behind it yet. */
export function openKeyRun(session: KeySession, lab: Lab, drive: Drive): KeyRun {
  const { key, figures } = session;
  const { exclusive, earlier, aloneSince, spreads } = drive;
  let series: KeySeries = { ...NOTHING_RUN, key, figures, exclusive, aloneSince, spreads };
  return {
    session,
    lab,
    drive,
    add: (more) => {
      series = { ...series, ...more };
    },
    sofar: () => {
      const placed = new Set(samplesOf(series));
      const stalls = lab.stalls();
      return { ...series, stalls, earlier: [...earlier, ...session.samples().filter((sample) => !placed.has(sample))] };
    },
  };
}
