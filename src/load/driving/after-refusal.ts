import { now } from '../../exchange/connection.js';
import { wasRefused, wasServed } from '../../limits/answers.js';
import { refillsMeanwhile } from '../../limits/decisions/coming-back.js';
import { nextBurstAt } from '../../limits/decisions/further-bursts.js';
import { resetHasPassed, resetTruthful } from '../../limits/oracles/recovery.js';
import type { Sample } from '../../limits/sample.js';
import type { Burst } from '../profiles/burst.js';
import { concurrent } from '../profiles/concurrent.js';
import { afterReset, recovery } from '../profiles/recovery.js';
import { bursts } from '../profiles/window.js';
import { concurrentSentence, recoverySentence, resetSentence, windowSentence } from '../sentences.js';
import { recoveryMarks, refusalMarks, servedMarks, windowMarks } from './marks.js';
import type { Passage } from './passage.js';

/** Recovery, bursts of the window, requests in parallel: false where the key was not let back. */
export async function afterRefusal({ line, field, drive, add, sofar }: Passage, first: Burst): Promise<boolean> {
  const { figures } = line;
  const { profiles, report } = drive;
  const { samples } = first.series;
  const refusal = samples.find(wasRefused);
  if (refusal === undefined || !profiles.has('recovery')) return true;
  let startedAt = now();
  const burstsFirst = profiles.has('window') && refillsMeanwhile(samples);
  let back = await recovery(line, field, refusal, samples.filter(wasRefused).length, !burstsFirst);
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
  if (burstsFirst && !field.signal.aborted) {
    startedAt = now();
    const told = await afterReset(line, field, back, line.samples().filter(wasRefused).length);
    if (told !== back) {
      back = told;
      add({ recoveries: [back.series] });
      report('recovery', startedAt, resetSentence(back), servedMarks(back));
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
  // A Reset that has come already while the wait goes on was true of another window, if of any.
  const isStale = last !== undefined && resetHasPassed(last, field.clock());
  if (last === undefined || (isTold && !isStale) || field.signal.aborted) return true;
  startedAt = now();
  const second = await recovery(line, field, last, line.samples().filter(wasRefused).length);
  add({ recoveries: [back.series, second.series] });
  report('recovery', startedAt, recoverySentence(second), recoveryMarks(second));
  return true;
}

const latestOf = (samples: readonly Sample[]): number =>
  samples.reduce((latest, { answeredAt }) => Math.max(latest, answeredAt), 0);
