import { minuteMs, type Figures } from '../../../judge/limits/bounds.js';
import { resetTime, type ServerClock } from '../../../judge/limits/clock.js';
import { allowedAgain } from '../../../judge/limits/key-samples.js';
import type { FreshSeries, KeySeries } from '../../../judge/limits/series.js';
import { BEYOND, pauseForRefills } from '../bursting/pace.js';
import {
  bySending,
  wasRefused,
  describesDay,
  type Sample,
  lastAnswerOf,
} from '../../../judge/limits/sample.js';
import { leeway } from '../../../judge/limits/timing.js';
import type { OperationName } from '../../../base/interface/types.js';
import { steadyGapMs, steadyRefusals } from '../../../judge/limits/steady-run.js';
import { progressEvery, type Lab } from '../../load/lab.js';
import { isOver, openSeries } from '../open-series.js';
import { collector, type KeySession } from '../../load/key-session.js';
import { paced } from '../../load/paced.js';
import { MOST_UNCERTAIN } from '../../load/refusal-bound.js';
import type { Drive, KeyRun, Outcome } from '../key-run.js';
import {
  byFreshBurst,
  gotLessThanLimit,
  gotNearlyAll,
  gotWholeAtFirst,
} from '../../../judge/limits/burst-counts.js';
import { nextAllowedAt, waitOf } from '../../../judge/limits/headers/retry-after.js';
import { isEvenBucket } from '../../../judge/limits/slow-return.js';
import { useUp } from '../bursting/burst.js';
import { freshSentence, steadySentence } from './sentence.js';

/** Length of the run, in windows: a window that is too long refuses at 95 % only after 1 / 0.95 windows. */
const STEADY_WINDOWS = 1.1;

/**
 * Plans a steady run that holds one whole window, even a clock-aligned one: a little more than W, plus the
 * rest of the window before by the first Reset. With null it returns the longest plan. `silenceMs` is the
 * silence before the run.
 */
export function steadyPlan(figures: Figures, first: Sample | null = null, clock: ServerClock | null = null) {
  const gapMs = steadyGapMs(figures);
  const window = minuteMs(figures);
  const reset = first === null ? null : resetTime(first, clock);
  const untilReset = first === null || reset === null ? window : reset.latest - first.sentAt;
  // The rest of a window that has already begun does not count: the next one must fit too.
  const begun = untilReset < 0.95 * window;
  const whole = STEADY_WINDOWS * window;
  const lasts = first === null ? whole + window : whole + (begun ? Math.max(0, untilReset) : 0);
  return { silenceMs: 2 * window + leeway(figures), gapMs, requests: Math.ceil(lasts / gapMs) };
}

/** Returns the most that a day can allow: gradual refills and one reset, plus a few to rule out rounding. */
export function dayCeiling(figures: Figures, elapsedMs: number): number {
  const back = (figures.perDay * elapsedMs) / (figures.daySeconds * 1000);
  return Math.floor(figures.perDay + back) + BEYOND;
}

/** Places of creations, so that each operation uses a refill. They are few: each leaves a pet behind. */
const CREATIONS: ReadonlySet<number> = new Set([5, 15, 25, 35]);

/**
 * True if more requests are pointless: three 429s in a row, which a strict pacer never gives, too late for
 * one.
 */
function isDecided(samples: readonly Sample[], session: KeySession): boolean {
  if (samples.length < 3 || !samples.slice(-3).every(wasRefused)) return false;
  // No pacer gives so many in a row, whatever the times.
  if (session.refused() >= MOST_UNCERTAIN) return true;
  // The judge knows what the limiter holds; here it is enough that nothing excuses the 429.
  const { quickestMs } = session.seen();
  return steadyRefusals({ samples }, session.figures, { quickestEver: quickestMs }).some(
    ({ strictPacer }) => !strictPacer,
  );
}

/**
 * Runs at 95 % of the plan on a fixed schedule: after two windows of silence, in which a sliding counter
 * forgets what came before. An empty bucket needs none, and shows how fast it refills.
 */
async function steady(session: KeySession, lab: Lab, isEmptyBucket: boolean): Promise<FreshSeries | null> {
  const { figures, key } = session;
  const longest = steadyPlan(figures);
  const lastAnswer = lastAnswerOf(session.samples());
  const refusal = session.samples().findLast(wasRefused);
  const allowedAt = isEmptyBucket && refusal !== undefined ? nextAllowedAt(refusal, lab.clock()) : null;
  // A 429 may name a far time. Two windows of silence are enough for any limiter.
  const back = allowedAt === null || allowedAt > lastAnswer + longest.silenceMs ? null : allowedAt;
  const from = Math.max(lab.now(), back ?? lastAnswer + longest.silenceMs);
  const what =
    back === null ? `two windows of the ${key} plan without a request` : `the ${key} plan's next refill`;
  if (!(await lab.pause(from, `${what}, before a run at 95 % of it`))) return null;

  const sink = collector('steady');
  const { samples } = sink;
  const reads: readonly OperationName[] = lab.operations.filter((operation) => operation !== 'createPet');
  const creates = lab.operations.includes('createPet');
  let requests = longest.requests;
  const tell = progressEvery(lab, 'steady', key, () => `${samples.length} of ${requests} sent`);
  await paced(
    session,
    {
      from: lab.now(),
      gapMs: longest.gapMs,
      // A 95 % run must make up for this machine's delays; requests too close together then excuse a 429.
      mostLateMs: Infinity,
      requests: () => requests,
      operation: (place) =>
        creates && CREATIONS.has(place) ? 'createPet' : (reads[place % reads.length] ?? 'listPets'),
      stopsAt: (sample) => {
        if (samples.length === 1) requests = steadyPlan(figures, sample, lab.clock()).requests;
        tell();
        return isDecided(samples, session) || (isOver(sample) && !wasRefused(sample));
      },
    },
    sink,
    lab,
  );
  return { silentMs: (samples[0]?.sentAt ?? from) - lastAnswer, samples };
}

/**
 * Runs one more burst to the first 429, after two windows of silence, as `FreshSeries` describes. It runs if
 * a burst got nearly all of the limit.
 */
export async function burstAfterSilence({ session, lab, drive, record }: KeyRun): Promise<Outcome | null> {
  const { figures, key } = session;
  const { silenceMs, requests } = steadyPlan(figures);
  const before = record();
  if (!gotTooLittle(before, drive) || !gotNearlyAll(before) || isEvenBucket(before)) return null;
  if (!fits(session, drive, requests + figures.perMinute + 1)) return null;
  const lastAnswer = lastAnswerOf(session.samples());
  const from = Math.max(lab.now(), lastAnswer + silenceMs);
  const series = openSeries('steady', session, lab, before.burst?.samples);
  const { samples } = series;
  const beforeTail = async (): Promise<void> => {
    const pauseMs = pauseForRefills(samples[0]?.answeredAt ?? 0, lab.now(), figures);
    if (pauseMs > 0)
      await series.waited(lab.pause(lab.now() + pauseMs, `possible refills of the ${key} plan`));
  };
  const what = `two windows of the ${key} plan without a request, before its allowance is counted`;
  await series.untilOver(async () => {
    await series.waited(lab.pause(from, what));
    await lab.inTurn(() => useUp(series, {}, beforeTail));
  });
  const [first] = samples;
  if (first === undefined) return null;
  const fresh = { silentMs: first.sentAt - lastAnswer, samples };
  return { series: { fresh }, sentence: freshSentence(fresh, figures) };
}

/** True if a burst got less than the limit, the key was allowed again, and more requests would show more. */
const gotTooLittle = (key: KeySeries, drive: Drive): boolean =>
  isSound(key, drive) && gotLessThanLimit(key) && (isEvenBucket(key) || !gotWholeAtFirst(key));

/** True if a burst ended with a 429 and the key was allowed again. */
const isSound = (key: KeySeries, { profiles }: Drive): boolean =>
  key.burst?.end === 'refused' && (!profiles.has('recovery') || allowedAgain(key) !== null);

const fits = (session: KeySession, { earlier }: Drive, more: number): boolean =>
  session.samples().length + earlier.length + more <= session.figures.perDay;

/** Slack for a wait in whole seconds, ms and as a share: for a long window some add a second or two. */
const WAIT_ROUNDED_MS = 500;
const WAIT_ROUNDED_SHARE = 0.03;

/**
 * True if the first 429 of a burst demands a longer wait than a window of the plan: later ones may be a
 * ban's. The limit may be for a longer window, which a burst that follows the wait cannot show.
 */
const waitsTooLong = ({ burst, concurrent, window, figures }: KeySeries): boolean => {
  const length = minuteMs(figures);
  const most = length + Math.max(WAIT_ROUNDED_MS, WAIT_ROUNDED_SHARE * length);
  return [burst?.samples ?? [], bySending(concurrent?.samples ?? []), ...(window ?? [])]
    .flatMap(
      (samples) => samples.find((sample) => wasRefused(sample) && !describesDay(sample, figures)) ?? [],
    )
    .some((refusal) => (waitOf(refusal) ?? 0) > most);
};

/** Runs at 95 % of the plan if selected, or if the bursts leave the verdict open. */
export async function keepSteady({ session, lab, drive, record }: KeyRun): Promise<Outcome | null> {
  const key = record();
  const isDecided = key.fresh !== null && byFreshBurst(key, key.fresh) !== null;
  const needed = (gotTooLittle(key, drive) && !isDecided) || (isSound(key, drive) && waitsTooLong(key));
  if (!drive.steadyAskedFor && !needed) return null;
  if (!fits(session, drive, steadyPlan(session.figures).requests)) return null;
  const series = await steady(session, lab, isEvenBucket(key));
  return series === null
    ? null
    : { series: { steady: series }, sentence: steadySentence(series, session.figures) };
}
