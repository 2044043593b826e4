import type { OperationName } from '../../base/interface/types.js';
import { daySamplesOf } from '../../judge/limits/key-samples.js';
import { NOTHING_RUN, type KeySeries, type OtherKeyProbe } from '../../judge/limits/series.js';
import type { ProfileMark } from '../../log/record.js';
import type { Lab } from '../load/lab.js';
import type { KeySession } from '../load/key-session.js';
import type { Sample } from '../../judge/limits/sample.js';
import type { ProfileName } from '../../base/interface/names.js';
import type { Journal } from '../../log/journal.js';
import type { Clock } from '../load/clock.js';
import { writeSeries } from '../load/recorder.js';

export type Report = ReturnType<typeof reporterOf>['report'];

/** Options of one plan's key. */
export interface Drive {
  readonly report: Report;
  readonly profiles: ReadonlySet<ProfileName>;
  /** True if a steady run was selected by name. Otherwise it runs only if a burst got less than the limit. */
  readonly steadyAskedFor: boolean;
  /** Operation that should get the first 429. */
  readonly refusalOperation: OperationName;
  /** True if this key spreads its allowance (`KeySeries.spreads`). */
  readonly spreads: boolean;
  readonly exclusive: boolean;
  /** Earlier requests of the run with this key, oldest first. */
  readonly earlier: readonly Sample[];
  readonly aloneSince: number;
  /** Probes another plan's key while this one is exhausted; null without another key. */
  readonly askOther: (() => Promise<OtherKeyProbe>) | null;
}

/** What one step recorded, and how a report says it. */
export interface Outcome {
  readonly series: Partial<KeySeries>;
  readonly sentence: string;
  readonly marks?: readonly ProfileMark[];
}

/**
 * A part of an experiment's requests; decides by the record so far whether it sends any. Null if it sent
 * none.
 */
export type Step = (run: KeyRun) => Promise<Outcome | null>;

/** One key's run through its experiments. */
export type KeyRun = ReturnType<typeof openKeyRun>;

/** Starts the run of a key. */
export function openKeyRun(session: KeySession, lab: Lab, drive: Drive) {
  const { key, figures } = session;
  const { exclusive, earlier, aloneSince, spreads } = drive;
  let series: KeySeries = { ...NOTHING_RUN, key, figures, exclusive, aloneSince, spreads };
  return {
    session,
    lab,
    drive,
    add: (more: Partial<KeySeries>): void => {
      series = { ...series, ...more };
    },
    /** Everything recorded so far. Samples outside all series were sent before, or for another key. */
    record: (): KeySeries => {
      const placed = new Set(daySamplesOf(series));
      const stalls = lab.stalls();
      return {
        ...series,
        stalls,
        earlier: [...earlier, ...session.samples().filter((sample) => !placed.has(sample))],
      };
    },
  };
}

/** Returns a reporter that writes, with each profile, the requests since the previous one: each counts once. */
export function reporterOf(session: KeySession, journal: Journal, { now }: Pick<Clock, 'now'>) {
  const { key, figures } = session;
  let reported = 0;
  type Described = Pick<Outcome, 'sentence' | 'marks'>;
  const report = (profile: ProfileName, startedAt: number, { sentence, marks = [] }: Described): void => {
    const samples = session.samples().slice(reported);
    reported += samples.length;
    const { latency, ...totals } = writeSeries(journal, profile, key, samples);
    const allowance = profile === 'day-quota' ? figures.perDay : figures.perMinute;
    const inOrder = marks.toSorted((one, other) => one.at - other.at);
    const times = { startedAt, finishedAt: now() };
    const summary = { profile, plan: key, ...times, ...totals, allowance, latency, sentence, marks: inOrder };
    journal.append({ type: 'profile', summary });
  };
  return {
    /** Reports a profile, with all requests of its key since the previous profile. */
    report,
    /** Reports the requests that no profile reported because the run ended first. */
    rest: (): void => {
      const first = session.samples()[reported];
      if (first !== undefined) report('burst', first.sentAt, { sentence: 'Ended without a result.' });
    },
  };
}
