import type { Drive, KeyRun, Told } from '../key-run.js';
import { describesDay, wasRefused } from '../../limits/sample.js';
import { steady, steadyPlan } from './drive.js';
import { shownByFreshBurst, gotLessThanLimit, gotNearlyAll } from './burst-counts.js';
import { count, counted, duration } from '../../format/format.js';
import {
  allowedAgain,
  type Figures,
  type FreshSeries,
  type SteadySeries,
  type KeySeries,
} from '../../limits/series.js';
import { refusedIn, servedIn } from '../sentences.js';
import { minuteMs } from '../../limits/bounds.js';
import { waitOf } from '../../limits/headers/retry-after.js';
import { burstCeiling, pauseForRefills } from '../../load/bursting/pace.js';
import { sinkOf } from '../../load/lab.js';
import type { KeySession } from '../../load/key-session.js';
import { useUp } from '../../load/bursting/burst.js';

/**
 * Runs one more burst to the first 429, after two windows of silence, as `FreshSeries` describes. It runs if a burst
 * got nearly all of the limit.
 */
export async function burstAfterSilence({ session, lab, drive, sofar, learned }: KeyRun): Promise<Told | null> {
  const { figures, key } = session;
  const { silenceMs, requests } = steadyPlan(figures, null, null);
  const before = sofar();
  if (!gotTooLittle(before, drive) || !gotNearlyAll(before)) return null;
  if (!fits(session, drive, requests + figures.perMinute + 1)) return null;
  const lastAnswer = session.samples().reduce((latest, { answeredAt }) => Math.max(latest, answeredAt), 0);
  const from = Math.max(lab.now(), lastAnswer + silenceMs);
  if (!(await lab.pause(from, `two windows of the ${key} plan without a request, before its allowance is counted`)))
    return null;
  const sink = sinkOf('steady', figures);
  const sentAt = (): number => sink.samples[0]?.sentAt ?? lab.now();
  await lab.inTurn(() =>
    useUp(session, lab, sink, {
      latencyMs: learned.latencyMs,
      ceiling: () => burstCeiling(figures, lab.now() - sentAt(), sink.samples),
      beforeTail: async () => {
        const pauseMs = pauseForRefills(sink.samples[0]?.answeredAt ?? 0, lab.now(), figures);
        return pauseMs === 0 || lab.pause(lab.now() + pauseMs, `possible refills of the ${key} plan`);
      },
    }),
  );
  const fresh = { silentMs: sentAt() - lastAnswer, samples: sink.samples };
  return { series: { fresh }, sentence: freshSentence(fresh, figures) };
}

/** True if a burst got less than the limit, and the key was allowed again. */
const gotTooLittle = (key: KeySeries, drive: Drive): boolean => isSound(key, drive) && gotLessThanLimit(key);

/** True if a burst ended with a 429 and the key was allowed again. */
const isSound = (key: KeySeries, { profiles }: Drive): boolean =>
  key.burst?.end === 'refused' && (!profiles.has('recovery') || allowedAgain(key) !== null);

/** True if the day allows so many more requests. */
const fits = (session: KeySession, { earlier }: Drive, more: number): boolean =>
  session.samples().length + earlier.length + more <= session.figures.perDay;

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

/** Runs at 95 % of the plan if selected, or if the bursts leave the verdict open. */
export async function keepSteady({ session, lab, drive, sofar }: KeyRun): Promise<Told | null> {
  const key = sofar();
  const isDecided = key.fresh !== null && shownByFreshBurst(key, key.fresh) !== null;
  const needed = (gotTooLittle(key, drive) && !isDecided) || (isSound(key, drive) && waitsTooLong(key));
  if (!drive.steadyAskedFor && !needed) return null;
  if (!fits(session, drive, steadyPlan(session.figures, null, null).requests)) return null;
  const series = await steady(session, lab);
  return series === null ? null : { series: { steady: series }, sentence: steadySentence(series) };
}
