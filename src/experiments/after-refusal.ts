import { isLongBySeconds, minuteMs } from '../limits/bounds.js';
import { leeway } from '../limits/timing.js';
import { leftBy, sinkOf, type Lab } from '../load/lab.js';
import type { KeySession } from '../load/key-session.js';
import { isSurelyWithin, needsSpread, willShow } from './steady/spread.js';
import { windowProgress, type Bursts } from './window/window-progress.js';
import type { Burst } from './burst/drive.js';
import { refusalMarks } from './burst/sentence.js';
import type { KeyRun } from './key-run.js';
import { samplesOf, wasRefused, wasServed, type Sample } from '../limits/sample.js';
import { nextAllowedAt } from '../limits/headers/retry-after.js';
import { concurrent, concurrentSentence } from './concurrent/drive.js';
import { afterReset, recovery, recoveryMarks, recoverySentence, resetSentence, servedMarks } from './recovery/drive.js';
import { resetWasTried, resetHasPassed } from './recovery/waits.js';
import { bursts, windowMarks, windowSentence } from './window/drive.js';
import { isNextWindow, nextBurstAt, burstsOf } from './window/further-bursts.js';

/** Runs recovery, the bursts of the window, and parallel requests. Returns false if the key was not allowed again. */
export async function driveAfterRefusal({ session, lab, drive, add, sofar }: KeyRun, first: Burst): Promise<boolean> {
  const { figures } = session;
  const { profiles, report } = drive;
  const { samples } = first.series;
  const refusal = samples.find(wasRefused);
  if (refusal === undefined || !profiles.has('recovery')) return true;
  const refusals = (): number => session.samples().filter(wasRefused).length;
  const earlier = sofar().earlier.filter(({ sentAt }) => sentAt < (samples[0]?.sentAt ?? 0));
  let startedAt = lab.now();
  let back = await recovery(session, lab, refusal, samples.filter(wasRefused).length);
  add({ recoveries: [back.series] });
  report('recovery', startedAt, recoverySentence(back), recoveryMarks(back));
  const { retry, resetRetry } = back.series;
  const served = [retry, resetRetry].find((sample) => sample !== null && wasServed(sample)) ?? null;
  if (served === null || lab.signal.aborted) return false;

  let all: Bursts = [samples];
  let parallel: readonly Sample[] | null = null;
  const burstOn = async (start: Sample | null): Promise<void> => {
    if (!profiles.has('window') || lab.signal.aborted) return;
    startedAt = lab.now();
    const more = await bursts(session, lab, all, start, first.latencyMs, earlier);
    if (more.length === all.length) return;
    all = more;
    add({ window: { bursts: all.filter((one) => one !== parallel) } });
    report('window', startedAt, windowSentence(all), windowMarks(all));
  };
  if (!isNextWindow(samples[0], served, figures)) await burstOn(served);
  const isDrained = windowProgress(all, figures, lab.clock(), earlier).kind === 'drained';
  // In windows of a few seconds, Reset's rounding alone lets the window refill.
  if (!lab.signal.aborted && (!isDrained || isLongBySeconds(figures))) {
    startedAt = lab.now();
    const last = all.length > 1 ? all.at(-1)?.find(wasRefused) : undefined;
    const notBefore = last === undefined ? 0 : (nextAllowedAt(last, lab.clock()) ?? 0);
    const told = await afterReset(session, lab, back, all.length > 1 ? refusals() : back.series.refusals, notBefore);
    if (told !== back) {
      back = told;
      add({ recoveries: [back.series] });
      report('recovery', startedAt, resetSentence(back), servedMarks(back));
    }
  }
  const latest = session.samples().at(-1);
  if (!profiles.has('concurrent') || latest === undefined || lab.signal.aborted) return true;
  startedAt = lab.now();
  const soonest = nextBurstAt(all, latest, figures, lab.clock(), earlier);
  const sent = sofar();
  const left = leftBy(latest, figures) ?? 0;
  const isOpen = needsSpread(sent, samplesOf(sent)) && !willShow(samplesOf(sent), left, figures);
  const inNextWindow = profiles.has('window') && soonest <= startedAt && isOpen;
  const together = inNextWindow
    ? await concurrent(session, lab, await nextWindow(session, lab, served, latest), served, first.latencyMs)
    : await concurrent(session, lab, soonest, latest, first.latencyMs);
  if (together === null) return true;
  add({ concurrent: together });
  const last = together.samples.filter(wasRefused).toSorted((one, other) => other.answeredAt - one.answeredAt)[0];
  report('concurrent', startedAt, concurrentSentence(together, session.figures), refusalMarks(last));
  all = burstsOf(sofar());
  parallel = all.find((one) => one.includes(together.samples[0] ?? latest)) ?? null;
  const withParallel = all.length;
  if (parallel !== null && parallel === all.at(-1)) await burstOn(null);
  if (all.length > withParallel) return true;

  // A second recovery is worth its wait only if the first could not judge Reset.
  const isTold = resetWasTried(back.series, lab.clock());
  // A Reset that passed before the wait is over was true of another window, if of any.
  const isStale = last !== undefined && resetHasPassed(last, lab.clock());
  if (last === undefined || (isTold && !isStale) || lab.signal.aborted) return true;
  startedAt = lab.now();
  const again = await recovery(session, lab, last, refusals());
  const second = await afterReset(session, lab, again, again.series.refusals);
  add({ recoveries: [back.series, second.series] });
  report('recovery', startedAt, recoverySentence(second), recoveryMarks(second));
  return true;
}

/** Share of a window after which a request bridges two windows, with room for delays on either side. */
const BRIDGES = 0.7;

/**
 * Returns when the window after `served` has begun, Unix ms. Sends one request in between, so that no two are a window
 * apart. With the whole limit allowed in that window, this shows the same as a spread of two windows.
 */
async function nextWindow(session: KeySession, lab: Lab, served: Sample, latest: Sample): Promise<number> {
  const { key, figures } = session;
  const at = Math.max(served.answeredAt + minuteMs(figures) + leeway(figures), lab.now());
  const isFar = !isSurelyWithin(latest.sentAt, at, figures);
  if (
    isFar &&
    (await lab.pause(latest.sentAt + BRIDGES * minuteMs(figures), `a later moment of the ${key} plan's window`))
  )
    await session.ask('listPets', sinkOf('window', figures));
  return at;
}
