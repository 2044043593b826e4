import type { Sample } from '../limits/sample.js';
import type { Journal } from '../log/journal.js';
import type { Clock } from '../load/clock.js';
import type { Report } from './key-run.js';
import type { KeySession } from '../load/key-session.js';
import { recordOutcome, seriesRecorder, type SeriesRecorder } from '../load/recorder.js';
import type { ProfileName } from '../contract/names.js';

export interface Reporter {
  readonly report: Report;
  /** Records a sample that the session does not keep; the next report includes it. */
  readonly record: (profile: ProfileName, sample: Sample) => void;
  /** Reports the requests that no profile reported because the run ended first. */
  readonly rest: () => void;
}

/** A series that no profile has reported yet. */
interface Untold {
  readonly profile: ProfileName;
  readonly startedAt: number;
  readonly series: SeriesRecorder;
}

/** Returns a reporter that writes, with each profile, the requests since the previous one: each counts once. */
export function reporterOf(session: KeySession, journal: Journal, { now }: Pick<Clock, 'now'>): Reporter {
  const { key, figures } = session;
  let told = 0;
  let passing: Untold | null = null;
  const report: Report = (profile, startedAt, sentence, marks = []) => {
    const series = passing?.series ?? seriesRecorder(journal, profile, key);
    passing = null;
    session.samples().slice(told).forEach(series.take);
    told = session.samples().length;
    const totals = series.close();
    recordOutcome(journal, { profile, key, figures, startedAt, finishedAt: now(), totals, sentence, marks });
  };
  return {
    report,
    record(profile, sample) {
      passing ??= { profile, startedAt: sample.sentAt, series: seriesRecorder(journal, profile, key) };
      passing.series.take(sample);
    },
    rest: () => {
      const [first] = session.samples().slice(told);
      const { profile, startedAt } = passing ?? { profile: 'burst' as const, startedAt: first?.sentAt };
      if (startedAt !== undefined) report(profile, startedAt, 'Ended without a result.');
    },
  };
}
