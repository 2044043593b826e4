import type { ProfileName } from '../../base/interface/names.js';
import type { Journal } from '../../log/journal.js';
import type { ProfileMark } from '../../log/record.js';
import type { Clock } from './clock.js';
import type { KeySession } from './key-session.js';
import { writeSeries } from './recorder.js';

export type Report = ReturnType<typeof reporterOf>['report'];

export interface Described {
  readonly sentence: string;
  readonly marks?: readonly ProfileMark[];
}

/** Returns a reporter that writes, with each profile, the requests since the previous one: each counts once. */
export function reporterOf(session: KeySession, journal: Journal, { now }: Pick<Clock, 'now'>) {
  const { key, figures } = session;
  let reported = 0;
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
    report,
    /** Reports the requests that no profile reported because the run ended first. */
    rest: (): void => {
      const first = session.samples()[reported];
      if (first !== undefined) report('burst', first.sentAt, { sentence: 'Ended without a result.' });
    },
  };
}
