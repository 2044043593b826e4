import { wasRefused, wasServed } from '../../limits/answers.js';
import { isLongBySeconds } from '../../limits/bounds.js';
import { isNextWindow, nextBurstAt } from '../../limits/decisions/further-bursts.js';
import { resetHasPassed, resetTruthful } from '../../limits/oracles/recovery.js';
import { letsBackAt } from '../../limits/lets-back-at.js';
import { burstsOf } from '../../limits/oracles/window.js';
import { windowProgress } from '../../limits/oracles/window-progress.js';
import type { Bursts } from '../../limits/oracles/window-progress.js';
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
  const refusals = (): number => line.samples().filter(wasRefused).length;
  const earlier = sofar().earlier.filter(({ sentAt }) => sentAt < (samples[0]?.sentAt ?? 0));
  let startedAt = field.now();
  let back = await recovery(line, field, refusal, samples.filter(wasRefused).length);
  add({ recoveries: [back.series] });
  report('recovery', startedAt, recoverySentence(back), recoveryMarks(back));
  const { retry, resetRetry } = back.series;
  const served = [retry, resetRetry].find((sample) => sample !== null && wasServed(sample)) ?? null;
  if (served === null || field.signal.aborted) return false;

  let all: Bursts = [samples];
  let parallel: readonly Sample[] | null = null;
  const burstOn = async (start: Sample | null): Promise<void> => {
    if (!profiles.has('window') || field.signal.aborted) return;
    startedAt = field.now();
    const more = await bursts(line, field, all, start, first.latencyMs, earlier);
    if (more.length === all.length) return;
    all = more;
    add({ window: { bursts: all.filter((one) => one !== parallel) } });
    report('window', startedAt, windowSentence(all), windowMarks(all));
  };
  if (!isNextWindow(samples[0], served, figures)) await burstOn(served);
  const isDrained = windowProgress(all, figures, field.clock(), earlier).kind === 'drained';
  // In windows of a few seconds the second in which Reset is rounded would fill what was drained.
  if (!field.signal.aborted && (!isDrained || isLongBySeconds(figures))) {
    startedAt = field.now();
    const last = all.length > 1 ? all.at(-1)?.find(wasRefused) : undefined;
    const notBefore = last === undefined ? 0 : (letsBackAt(last, field.clock()) ?? 0);
    const told = await afterReset(line, field, back, all.length > 1 ? refusals() : back.series.refusals, notBefore);
    if (told !== back) {
      back = told;
      add({ recoveries: [back.series] });
      report('recovery', startedAt, resetSentence(back), servedMarks(back));
    }
  }
  const latest = line.samples().at(-1);
  if (!profiles.has('concurrent') || latest === undefined || field.signal.aborted) return true;
  startedAt = field.now();
  const at = nextBurstAt(all, latest, figures, field.clock(), earlier);
  const together = await concurrent(line, field, at, latest, first.latencyMs);
  if (together === null) return true;
  add({ concurrent: together });
  const last = together.samples.filter(wasRefused).toSorted((one, other) => other.answeredAt - one.answeredAt)[0];
  report('concurrent', startedAt, concurrentSentence(together), refusalMarks(last));
  all = burstsOf(sofar());
  parallel = all.find((one) => one.includes(together.samples[0] ?? latest)) ?? null;
  const withParallel = all.length;
  if (parallel !== null && parallel === all.at(-1)) await burstOn(null);
  if (all.length > withParallel) return true;

  // Only where the first recovery could not tell whether Reset is true is a second one worth its wait.
  const isTold = resetTruthful(sofar(), field.clock()).every(
    (finding) => finding.kind !== 'inconclusive' || finding.reason.code !== 'too-little-data',
  );
  // A Reset that has come already while the wait goes on was true of another window, if of any.
  const isStale = last !== undefined && resetHasPassed(last, field.clock());
  if (last === undefined || (isTold && !isStale) || field.signal.aborted) return true;
  startedAt = field.now();
  const again = await recovery(line, field, last, refusals());
  const second = await afterReset(line, field, again, again.series.refusals);
  add({ recoveries: [back.series, second.series] });
  report('recovery', startedAt, recoverySentence(second), recoveryMarks(second));
  return true;
}
