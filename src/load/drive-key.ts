import { now } from '../exchange/connection.js';
import type { OperationName } from '../contract/types.js';
import { mayHaveCounted, wasRefused, wasServed } from '../limits/answers.js';
import { estimate } from '../limits/decisions/estimate.js';
import { nextBurstAt } from '../limits/decisions/further-bursts.js';
import type { ProfileName } from '../limits/decisions/estimate.js';
import { samplesOf } from '../limits/judge.js';
import { byFreshBurst } from '../limits/oracles/early/fresh-burst.js';
import { gotLess, gotNearlyAll } from '../limits/oracles/early/gains.js';
import { waitsTooLong } from '../limits/oracles/not-early.js';
import { resetTruthful } from '../limits/oracles/recovery.js';
import type { Sample } from '../limits/sample.js';
import { NOTHING_RUN } from '../limits/series.js';
import type { KeySeries, OtherKeyProbe } from '../limits/series.js';
import type { ProfileMark } from '../log/record.js';
import type { Field } from './field.js';
import type { KeyLine } from './key-line.js';
import { burst } from './profiles/burst.js';
import type { Burst } from './profiles/burst.js';
import { concurrent } from './profiles/concurrent.js';
import { dayQuota } from './profiles/day-quota.js';
import { freshBurst } from './profiles/fresh.js';
import { recovery } from './profiles/recovery.js';
import type { Recovery } from './profiles/recovery.js';
import { steady } from './profiles/steady.js';
import { bursts } from './profiles/window.js';
import type { DayPlace } from './day-place.js';
import {
  burstSentence,
  concurrentSentence,
  daySentence,
  freshSentence,
  recoverySentence,
  steadySentence,
  windowSentence,
} from './sentences.js';

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
  /** Writes down a sample that the line does not keep; the next report tells of it. */
  readonly record: (profile: ProfileName, sample: Sample) => void;
}

/** Puts one key through its profiles, in the order in which none spoils the next. Ends early where one says that it must. */
export async function driveKey(line: KeyLine, field: Field, drive: Drive): Promise<KeySeries> {
  const { key, figures } = line;
  const { profiles, report } = drive;
  const parts: Partial<KeySeries> = {};
  const sofar = (): KeySeries => seriesOf(line, drive, parts);
  const add = (more: Partial<KeySeries>): void => void Object.assign(parts, more);

  let isSound = true;
  let latencyMs = 0;
  if (profiles.has('burst')) {
    const startedAt = now();
    const first = await burst(line, field, drive);
    const refusal = first.series.samples.find(wasRefused);
    const otherKeys =
      refusal !== undefined && drive.askOther !== null && !field.signal.aborted ? [await drive.askOther()] : [];
    add({ burst: { ...first.series, otherKeys } });
    latencyMs = first.latencyMs;
    report(
      'burst',
      startedAt,
      burstSentence(first.series.samples, figures, servedBefore(first)),
      refusalMarks(refusal),
    );
    drive.afterBurst();
    isSound = refusal !== undefined && first.series.end === 'refused';
    if (isSound) isSound = await afterRefusal(line, field, drive, first, add, sofar);
  } else drive.afterBurst();

  if (profiles.has('steady') && !field.signal.aborted) {
    const needed = parts.burst !== undefined && isSound && gotLess(sofar(), samplesOf(sofar()));
    const fits = (more: number): boolean => line.samples().length + drive.earlier.length + more <= figures.perDay;
    const steadyRequests = estimate('steady', figures).requests;
    const counts = needed && gotNearlyAll(sofar(), samplesOf(sofar()));
    if (counts && fits(steadyRequests + estimate('burst', figures).requests)) {
      const startedAt = now();
      const series = await freshBurst(line, field, latencyMs);
      add({ fresh: series });
      if (series !== null) report('steady', startedAt, freshSentence(series, figures));
    }
    const isDecided = parts.fresh !== undefined && parts.fresh !== null && byFreshBurst(sofar(), parts.fresh) !== null;
    const paces = drive.steadyAskedFor || (needed && !isDecided) || (isSound && waitsTooLong(sofar()));
    if (paces && fits(steadyRequests) && !field.signal.aborted) {
      const startedAt = now();
      const series = await steady(line, field);
      add({ steady: series });
      if (series !== null) report('steady', startedAt, steadySentence(series));
    }
  }
  if (drive.day !== null && !field.signal.aborted) {
    const startedAt = now();
    const series = await dayQuota(line, field, {
      place: drive.day,
      earlier: drive.earlier,
      record: (sample) => drive.record('day-quota', sample),
    });
    add({ dayQuota: series });
    report('day-quota', startedAt, daySentence(series, figures));
  }
  return sofar();

  /** What this run was served with the key in the window of the burst, before it and in no series. */
  function servedBefore({ series }: Burst): number {
    const since = (series.samples[0]?.sentAt ?? 0) - figures.minuteSeconds * 1000;
    const own = new Set(series.samples);
    const until = series.samples[0]?.sentAt ?? 0;
    return [...drive.earlier, ...line.samples()].filter(
      (sample) => mayHaveCounted(sample) && !own.has(sample) && sample.sentAt >= since && sample.sentAt < until,
    ).length;
  }

  /** All of one key so far; what stands in no series was sent before, or for another key's sake. */
  function seriesOf(own: KeyLine, { exclusive, earlier, aloneSince }: Drive, known: Partial<KeySeries>): KeySeries {
    const series: KeySeries = {
      key,
      figures,
      exclusive,
      aloneSince,
      ...NOTHING_RUN,
      ...known,
    };
    const placed = new Set(samplesOf(series));
    return { ...series, earlier: [...earlier, ...own.samples().filter((sample) => !placed.has(sample))] };
  }
}

/** Recovery, bursts of the window, requests in parallel: false where the key was not let back. */
async function afterRefusal(
  line: KeyLine,
  field: Field,
  { profiles, report }: Drive,
  first: Burst,
  add: (more: Partial<KeySeries>) => void,
  sofar: () => KeySeries,
): Promise<boolean> {
  const { figures } = line;
  const { samples } = first.series;
  const refusal = samples.find(wasRefused);
  if (refusal === undefined || !profiles.has('recovery')) return true;
  let startedAt = now();
  const back = await recovery(line, field, refusal, samples.filter(wasRefused).length);
  add({ recoveries: [back.series] });
  report('recovery', startedAt, recoverySentence(back), recoveryMarks(back));
  const { retry, resetRetry } = back.series;
  const served = [retry, resetRetry].find((sample) => sample !== null && wasServed(sample)) ?? null;
  if (served === null || field.signal.aborted) return false;

  let again: Sample | null = served;
  let lastAnswer = latestOf(samples);
  if (profiles.has('window') && served === retry) {
    startedAt = now();
    const before = sofar().earlier.filter(({ sentAt }) => sentAt < (samples[0]?.sentAt ?? 0));
    const more = await bursts(line, field, first.series, served, first.latencyMs, before);
    if (more.series !== null) {
      add({ window: more.series });
      report('window', startedAt, windowSentence(more.series), windowMarks(more.series.bursts));
      [again, lastAnswer] = [null, latestOf(line.samples())];
    }
  }
  const latest = line.samples().at(-1);
  if (!profiles.has('concurrent') || latest === undefined || field.signal.aborted) return true;
  startedAt = now();
  const together = await concurrent(line, field, nextBurstAt(lastAnswer, again, figures), latest, first.latencyMs);
  if (together === null) return true;
  add({ concurrent: together });
  const last = together.samples.filter(wasRefused).toSorted((one, other) => other.answeredAt - one.answeredAt)[0];
  report('concurrent', startedAt, concurrentSentence(together), refusalMarks(last));

  // Only where the first recovery could not tell whether Reset is true is a second one worth its wait.
  const isTold = resetTruthful(sofar(), field.clock()).every(
    (finding) => finding.kind !== 'inconclusive' || finding.reason.code !== 'too-little-data',
  );
  if (last === undefined || isTold || field.signal.aborted) return true;
  startedAt = now();
  const second = await recovery(line, field, last, line.samples().filter(wasRefused).length);
  add({ recoveries: [back.series, second.series] });
  report('recovery', startedAt, recoverySentence(second), recoveryMarks(second));
  return true;
}

const latestOf = (samples: readonly Sample[]): number =>
  samples.reduce((latest, { answeredAt }) => Math.max(latest, answeredAt), 0);

const refusalMarks = (refusal: Sample | undefined): readonly ProfileMark[] =>
  refusal === undefined ? [] : [{ kind: 'first-refusal', at: refusal.answeredAt, text: `429 to ${refusal.operation}` }];

function recoveryMarks({ series: { refusal, retry, resetRetry }, retryAt, resetAt }: Recovery): readonly ProfileMark[] {
  const served = [resetRetry, retry].find((sample) => sample !== null && wasServed(sample)) ?? null;
  return [
    { kind: 'retry-after', at: retryAt, text: `Retry-After: ${refusal.retryAfter ?? 'none'}` },
    ...(resetAt === null ? [] : [{ kind: 'reset' as const, at: resetAt, text: `X-RateLimit-Reset: ${refusal.reset}` }]),
    ...(served === null ? [] : [{ kind: 'recovered' as const, at: served.answeredAt, text: 'served again' }]),
  ];
}

const windowMarks = (all: readonly (readonly Sample[])[]): readonly ProfileMark[] =>
  all.flatMap(([first], index) =>
    first === undefined ? [] : [{ kind: 'window' as const, at: first.sentAt, text: `burst ${index + 1}` }],
  );
