import type { KeyRun } from '../key-run.js';
import { samplesOf, describesDay, wasRefused } from '../../limits/sample.js';
import { steady, steadyPlan } from './drive.js';
import { shownByFreshBurst, gotLessThanLimit, gotNearlyAll } from './burst-counts.js';
import { count, counted, duration } from '../../format/format.js';
import type { Figures, FreshSeries, SteadySeries, KeySeries } from '../../limits/series.js';
import { refusedIn, servedIn } from '../sentences.js';
import { minuteMs } from '../../limits/bounds.js';
import { waitOf } from '../../limits/headers/retry-after.js';
import { burstCeiling, pauseForRefills } from '../../load/bursting/pace.js';
import { firstOver, isOver, sinkOf, type Lab } from '../../load/lab.js';
import type { KeySession } from '../../load/key-session.js';
import { approach, burstConnections, quickly } from '../../load/bursting/burst.js';

/** Runs one more burst to the first 429, after two windows of silence, as `FreshSeries` describes. */
async function freshBurst(session: KeySession, lab: Lab, latencyMs: number): Promise<FreshSeries | null> {
  const { figures, key } = session;
  const lastAnswer = session.samples().reduce((latest, { answeredAt }) => Math.max(latest, answeredAt), 0);
  const from = Math.max(lab.now(), lastAnswer + steadyPlan(figures, null, null).silenceMs);
  if (!(await lab.pause(from, `two windows of the ${key} plan without a request, before its allowance is counted`)))
    return null;

  return lab.inTurn(async () => {
    const sink = sinkOf('steady', figures);
    const { samples } = sink;
    const connections = burstConnections(latencyMs, figures);
    const first = await session.ask('listPets', sink);
    if (!isOver(first)) await quickly(session, lab, sink, { connections, windowFrom: 0 });
    const pauseMs = firstOver(samples) !== undefined ? 0 : pauseForRefills(first.answeredAt, lab.now(), figures);
    if (pauseMs === 0 || (await lab.pause(lab.now() + pauseMs, `possible refills of the ${key} plan`)))
      await approach(session, lab, sink, {
        windowFrom: 0,
        connections,
        latencyMs,
        ceiling: () => burstCeiling(figures, lab.now() - first.sentAt, samples),
        operation: () => 'listPets',
      });
    return { silentMs: first.sentAt - lastAnswer, samples };
  });
}

/** Slack for a wait in whole seconds, ms and as a share: for a long window some add a second or two. */
const WAIT_ROUNDED_MS = 500;
const WAIT_ROUNDED_SHARE = 0.03;

/**
 * True if a 429 demands a longer wait than a window of the plan. The limit may be for a longer window, which a burst
 * that follows the wait cannot show.
 */
const waitsTooLong = ({ burst, figures }: KeySeries): boolean => {
  const window = minuteMs(figures);
  const most = window + Math.max(WAIT_ROUNDED_MS, WAIT_ROUNDED_SHARE * window);
  return (burst?.samples ?? [])
    .filter((sample) => wasRefused(sample) && !describesDay(sample, figures))
    .some((refusal) => (waitOf(refusal) ?? 0) > most);
};

const freshSentence = ({ samples }: FreshSeries, figures: Figures): string =>
  `${count(servedIn(samples))} of ${count(figures.perMinute)} requests allowed after two idle windows, ${refusedIn(samples) > 0 ? 'then 429' : 'no 429'}.`;

const steadySentence = ({ samples, gapMs }: SteadySeries): string =>
  `${count(servedIn(samples))} of ${counted(samples.length, 'request')} allowed at 95 % of the plan's rate, one every ${duration(gapMs)}.`;

/**
 * Runs at 95 % of the plan if selected, or if a burst leaves the verdict open. If a burst got nearly all, one more
 * burst after two windows of silence comes first.
 * @param burst `isSound`: a burst ended with a 429 and the key was allowed again; `latencyMs`: its measurement
 */
export async function steadily(
  { session, lab, drive, add, sofar }: KeyRun,
  burst: { readonly isSound: boolean; readonly latencyMs: number },
): Promise<void> {
  const { figures } = session;
  const { report, steadyAskedFor, earlier } = drive;
  const fits = (more: number): boolean => session.samples().length + earlier.length + more <= figures.perDay;
  const steadyRequests = steadyPlan(figures, null, null).requests;
  const before = sofar();
  const needed = before.burst !== null && burst.isSound && gotLessThanLimit(before, samplesOf(before));
  const gotMost = needed && gotNearlyAll(before, samplesOf(before));
  let isDecided = false;
  if (gotMost && fits(steadyRequests + figures.perMinute + 1)) {
    const startedAt = lab.now();
    const series = await freshBurst(session, lab, burst.latencyMs);
    add({ fresh: series });
    if (series !== null) report('steady', startedAt, freshSentence(series, figures));
    isDecided = series !== null && shownByFreshBurst(sofar(), series) !== null;
  }
  const paces = steadyAskedFor || (needed && !isDecided) || (burst.isSound && waitsTooLong(before));
  if (!paces || !fits(steadyRequests) || lab.signal.aborted) return;
  const startedAt = lab.now();
  const series = await steady(session, lab);
  add({ steady: series });
  if (series !== null) report('steady', startedAt, steadySentence(series));
}
