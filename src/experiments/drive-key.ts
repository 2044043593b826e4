import { mayHaveCounted, wasRefused } from '../limits/answers.js';
import { samplesOf } from '../limits/samples-of.js';
import { needsSpread } from './steady/spread.js';
import type { KeySeries } from '../limits/series.js';
import { afterRefusal } from './after-refusal.js';
import { openKeyRun, type Drive, type KeyRun } from './key-run.js';
import { steadily } from './steady/steadily.js';
import type { Lab } from '../load/lab.js';
import type { KeySession } from '../load/key-session.js';
import { burst, type Burst } from './burst/drive.js';
import { dayQuota } from './day-quota/drive.js';
import { spread } from './window/drive-spread.js';
import { burstSentence, refusalMarks } from './burst/tell.js';
import { daySentence } from './day-quota/tell.js';
import { spreadSentence } from './window/tell.js';

/** Puts one key through its profiles, in the order in which none spoils the next. Ends early where one says that it must. */
export async function driveKey(session: KeySession, lab: Lab, drive: Drive): Promise<KeySeries> {
  const keyRun = openKeyRun(session, lab, drive);
  let soFar = { isSound: true, latencyMs: 0 };
  if (drive.profiles.has('burst')) soFar = await burstAndBack(keyRun);
  else drive.afterBurst();
  if (soFar.isSound && !lab.signal.aborted) await spreadOut(keyRun, soFar.latencyMs);
  if (drive.profiles.has('steady') && !lab.signal.aborted) await steadily(keyRun, soFar);
  if (drive.day !== null && !lab.signal.aborted) {
    const startedAt = lab.now();
    const series = await dayQuota(session, lab, {
      place: drive.day,
      earlier: drive.earlier,
      record: (sample) => drive.record('day-quota', sample),
    });
    keyRun.add({ dayQuota: series });
    drive.report('day-quota', startedAt, daySentence(series, session.figures));
  }
  return keyRun.sofar();
}

/** The first burst and what follows a refusal; `isSound` where it was one and the key was let back. */
async function burstAndBack(keyRun: KeyRun): Promise<{ readonly isSound: boolean; readonly latencyMs: number }> {
  const { session, lab, drive, add } = keyRun;
  const startedAt = lab.now();
  const first = await burst(session, lab, drive);
  const { samples, end } = first.series;
  const refusal = samples.find(wasRefused);
  const asksOther = refusal !== undefined && !lab.signal.aborted;
  const otherKeys = asksOther && drive.askOther !== null ? [await drive.askOther()] : [];
  add({ burst: { ...first.series, otherKeys } });
  const sentence = burstSentence(samples, session.figures, servedBefore(keyRun, first));
  drive.report('burst', startedAt, sentence, refusalMarks(refusal));
  drive.afterBurst();
  const isRefused = refusal !== undefined && end === 'refused';
  return { isSound: isRefused && (await afterRefusal(keyRun, first)), latencyMs: first.latencyMs };
}

/** The allowance spread over a window, where the bursts leave open whether each request renews its expiry. */
async function spreadOut({ session, lab, drive, add, sofar }: KeyRun, latencyMs: number): Promise<void> {
  const before = sofar();
  const all = samplesOf(before);
  if (!drive.profiles.has('window') || !needsSpread(before, all)) return;
  if (all.length + session.figures.perMinute > session.figures.perDay) return;
  const startedAt = lab.now();
  const series = await spread(session, lab, latencyMs);
  add({ spread: series });
  if (series !== null) drive.report('window', startedAt, spreadSentence(series));
}

/** What this run was served with the key in the window of the burst, before it and in no series. */
function servedBefore({ session, drive }: KeyRun, { series }: Burst): number {
  const until = series.samples[0]?.sentAt ?? 0;
  const since = until - session.figures.minuteSeconds * 1000;
  const own = new Set(series.samples);
  return [...drive.earlier, ...session.samples()].filter(
    (sample) => mayHaveCounted(sample) && !own.has(sample) && sample.sentAt >= since && sample.sentAt < until,
  ).length;
}
