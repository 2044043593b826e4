import { mayHaveCounted, wasRefused } from '../limits/answers.js';
import { samplesOf } from '../limits/judge.js';
import { needsSpread } from '../limits/oracles/early/spread.js';
import type { KeySeries } from '../limits/series.js';
import { afterRefusal } from './driving/after-refusal.js';
import { refusalMarks } from './driving/marks.js';
import { openPassage } from './driving/passage.js';
import type { Drive, Passage } from './driving/passage.js';
import { steadily } from './driving/steadily.js';
import type { Field } from './field.js';
import type { KeyLine } from './key-line.js';
import { burst } from './profiles/burst.js';
import type { Burst } from './profiles/burst.js';
import { dayQuota } from './profiles/day-quota.js';
import { spread } from './profiles/spread.js';
import { burstSentence, daySentence, spreadSentence } from './sentences.js';

/** Puts one key through its profiles, in the order in which none spoils the next. Ends early where one says that it must. */
export async function driveKey(line: KeyLine, field: Field, drive: Drive): Promise<KeySeries> {
  const passage = openPassage(line, field, drive);
  let soFar = { isSound: true, latencyMs: 0 };
  if (drive.profiles.has('burst')) soFar = await burstAndBack(passage);
  else drive.afterBurst();
  if (soFar.isSound && !field.signal.aborted) await spreadOut(passage, soFar.latencyMs);
  if (drive.profiles.has('steady') && !field.signal.aborted) await steadily(passage, soFar);
  if (drive.day !== null && !field.signal.aborted) {
    const startedAt = field.now();
    const series = await dayQuota(line, field, {
      place: drive.day,
      earlier: drive.earlier,
      record: (sample) => drive.record('day-quota', sample),
    });
    passage.add({ dayQuota: series });
    drive.report('day-quota', startedAt, daySentence(series, line.figures));
  }
  return passage.sofar();
}

/** The first burst and what follows a refusal; `isSound` where it was one and the key was let back. */
async function burstAndBack(passage: Passage): Promise<{ readonly isSound: boolean; readonly latencyMs: number }> {
  const { line, field, drive, add } = passage;
  const startedAt = field.now();
  const first = await burst(line, field, drive);
  const { samples, end } = first.series;
  const refusal = samples.find(wasRefused);
  const asksOther = refusal !== undefined && !field.signal.aborted;
  const otherKeys = asksOther && drive.askOther !== null ? [await drive.askOther()] : [];
  add({ burst: { ...first.series, otherKeys } });
  const sentence = burstSentence(samples, line.figures, servedBefore(passage, first));
  drive.report('burst', startedAt, sentence, refusalMarks(refusal));
  drive.afterBurst();
  const isRefused = refusal !== undefined && end === 'refused';
  return { isSound: isRefused && (await afterRefusal(passage, first)), latencyMs: first.latencyMs };
}

/** The allowance spread over a window, where the bursts leave open whether each request renews its expiry. */
async function spreadOut({ line, field, drive, add, sofar }: Passage, latencyMs: number): Promise<void> {
  const before = sofar();
  const all = samplesOf(before);
  if (!drive.profiles.has('window') || !needsSpread(before, all)) return;
  if (all.length + line.figures.perMinute > line.figures.perDay) return;
  const startedAt = field.now();
  const series = await spread(line, field, latencyMs);
  add({ spread: series });
  if (series !== null) drive.report('window', startedAt, spreadSentence(series));
}

/** What this run was served with the key in the window of the burst, before it and in no series. */
function servedBefore({ line, drive }: Passage, { series }: Burst): number {
  const until = series.samples[0]?.sentAt ?? 0;
  const since = until - line.figures.minuteSeconds * 1000;
  const own = new Set(series.samples);
  return [...drive.earlier, ...line.samples()].filter(
    (sample) => mayHaveCounted(sample) && !own.has(sample) && sample.sentAt >= since && sample.sentAt < until,
  ).length;
}
