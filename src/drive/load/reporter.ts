import { newHistogram, percentilesOf, recordMs } from '../../log/histogram.js';
import { sampleToRow } from '../../log/run-log.js';
import { refusedIn, servedIn, wasServed, type Sample } from '../../judge/limits/sample.js';
import type { KeyName, ProfileName } from '../../base/interface/names.js';
import type { Journal } from '../../log/journal.js';
import type { ProfileMark } from '../../log/record.js';
import type { Clock } from './clock.js';
import type { KeySession } from './key-session.js';

export type Report = ReturnType<typeof reporterOf>['report'];

interface Described {
  readonly sentence: string;
  readonly marks?: readonly ProfileMark[];
}

/** Returns a reporter that writes, with each profile, the requests since the previous one: each counts once. */
export function reporterOf(
  session: Pick<KeySession, 'key' | 'figures' | 'samples'>,
  journal: Journal,
  { now }: Pick<Clock, 'now'>,
) {
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
      const [first, ...others] = session.samples().slice(reported);
      if (first !== undefined) report('burst', first.sentAt, { sentence: endText(others.at(-1) ?? first) });
    },
  };
}

/** Says what ended the questions to a key: a key that is banned, say, is asked no more. */
const endText = (last: Sample): string =>
  wasServed(last)
    ? 'Ended without a result.'
    : `Ended without a result: the last request got ${last.status === 0 ? 'no response' : last.status}.`;

/** Most rows of a series in one log record, so that lines stay bounded. */
const ROWS_A_RECORD = 500;

/** Writes a profile's series into the log in pieces, and returns its totals with the latency in ms. */
export function writeSeries(
  journal: Journal,
  profile: ProfileName,
  plan: KeyName,
  samples: readonly Sample[],
) {
  for (let from = 0; from < samples.length; from += ROWS_A_RECORD) {
    const rows = samples.slice(from, from + ROWS_A_RECORD).map(sampleToRow);
    journal.append({ type: 'series', profile, plan, rows });
  }
  const histogram = newHistogram();
  for (const { status, intendedAt, answeredAt } of samples)
    if (status !== 0) recordMs(histogram, answeredAt - intendedAt);
  const { p50, p90, p99, max } = percentilesOf(histogram);
  const latency = {
    count: histogram.totalCount,
    min: histogram.minNonZeroValue / 1000,
    p50,
    p90,
    p99,
    max,
  };
  return {
    sent: samples.length,
    served: servedIn(samples),
    refused: refusedIn(samples),
    latency: latency.count === 0 ? null : latency,
  };
}
