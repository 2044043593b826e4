import { minuteMs } from '../../../judge/limits/bounds.js';
import {
  isAllButTheLast,
  lastOfSpreadAt,
  needsSpread,
  servedAfterSpreadAt,
} from '../../../judge/limits/spread.js';
import { readAsMinute } from '../../../judge/limits/headers/one-window.js';
import { samplesOf, allowedAgain } from '../../../judge/limits/key-samples.js';
import type { SpreadSeries } from '../../../judge/limits/series.js';
import { quickly, useUp } from '../bursting/burst.js';
import type { Lab } from '../../load/lab.js';
import { collector, type KeySession } from '../../load/key-session.js';
import { openSeries, type OpenSeries } from '../open-series.js';
import { MOST_REFUSED } from '../../load/refusal-bound.js';
import {
  leftBy,
  wasRefused,
  type Sample,
  wasServed,
  servedIn,
  lastAnswerOf,
} from '../../../judge/limits/sample.js';
import { isWithinReach, nextAllowedAt } from '../../../judge/limits/headers/retry-after.js';
import { leeway } from '../../../judge/limits/timing.js';
import { learnClock } from '../burst/first-answer.js';
import { count, counted, duration } from '../../../base/kernel/format.js';
import type { ProfileMark } from '../../../log/record.js';
import { answered } from '../sentences.js';
import type { Bursts } from '../../../judge/limits/window-progress.js';
import { burstCeiling } from '../bursting/pace.js';
import { burstsAgain, burstsOf, isNextWindow } from '../../../judge/limits/further-bursts.js';
import type { KeyRun, Outcome } from '../key-run.js';

/** Spreads the allowance if the bursts leave open whether each request extends its window. */
export async function spreadAllowance({ session, lab, record }: KeyRun): Promise<Outcome | null> {
  const key = record();
  const { perMinute, perDay } = key.figures;
  if (
    allowedAgain(key) === null ||
    !needsSpread(readAsMinute(key)) ||
    samplesOf(key).length + perMinute > perDay
  )
    return null;
  const series = await spread(session, lab, key.burst?.samples);
  return series && { series: { spread: series }, sentence: spreadSentence(series) };
}

/** Spreads the limit over most of a window and sends one request a window after the first (`SpreadSeries`). */
async function spread(
  session: KeySession,
  lab: Lab,
  burst: readonly Sample[] | undefined,
): Promise<SpreadSeries | null> {
  const { figures, key } = session;
  const before = session.samples();
  const refusal = before.findLast(wasRefused);
  const lastAnswer = lastAnswerOf(before);
  const back = refusal === undefined ? null : nextAllowedAt(refusal, lab.clock());
  const from = Math.max(lab.now(), back ?? 0, lastAnswer + minuteMs(figures) + leeway(figures));
  if (!isWithinReach(from, lab.now(), figures)) return null;
  const series = openSeries('window', session, lab, burst);
  const { samples } = series;
  let last: Sample | null = null;
  await series.untilOver(async () => {
    const what = (which: string): string => `${which} of the ${key} plan's allowance, spread over a window`;
    await series.waited(lab.pause(from, `the full allowance of the ${key} plan, to spread it over a window`));
    const first = await lab.inTurn(async () => {
      const sent = await series.ask('listPets');
      await quickly(series);
      await allButTheLast(series);
      return sent;
    });
    await series.waited(lab.pause(lastOfSpreadAt(first, figures), what('the last')));
    await series.ask('listPets');
    await series.waited(lab.pause(servedAfterSpreadAt(first, figures), what('the end')));
    last = await session.ask('listPets', collector('window', { isPassive: () => false }));
  });
  return samples.length === 0 ? null : { samples, last };
}

/** Sends requests one by one until only the last of the limit is left. */
export async function allButTheLast(series: OpenSeries): Promise<void> {
  const { session, lab, samples, inWindow } = series;
  while (!isAllButTheLast(inWindow(), session.figures)) {
    const [own] = inWindow();
    if (own) await learnClock(own, leftBy(samples.at(-1), session.figures), session, lab);
    await series.ask('listPets');
  }
}

/** Describes bursts: "2 more bursts before the window ended: 180 requests allowed in 21 s." */
function windowSentence(bursts: Bursts): string {
  const all = bursts.flat();
  const span = (all.at(-1)?.answeredAt ?? 0) - (all[0]?.sentAt ?? 0);
  const more = `${counted(bursts.length - 1, 'more burst')} before the window ended`;
  return `${more}: ${count(servedIn(all))} requests allowed in ${duration(span)}.`;
}

/** Describes a spread: "60 requests spread over 36 s; the next one, 61 s after the first, was allowed." */
function spreadSentence({ samples, last }: SpreadSeries): string {
  const from = samples[0]?.sentAt ?? 0;
  const spread = `${counted(samples.length, 'request')} spread over ${duration((samples.at(-1)?.sentAt ?? from) - from)}`;
  if (last === null) return `${spread}; no response to a request a window later.`;
  const response = wasServed(last) ? 'was allowed' : answered(last);
  return `${spread}; the next one, ${duration(last.sentAt - from)} after the first, ${response}.`;
}

const windowMarks = (all: readonly (readonly Sample[])[]): readonly ProfileMark[] =>
  all.flatMap(([first], index) =>
    first === undefined ? [] : [{ kind: 'window' as const, at: first.sentAt, text: `burst ${index + 1}` }],
  );

/**
 * Sends bursts from the retry on, unless it came in the next window: then the parallel requests are the next
 * burst.
 */
export async function burstsAfterRetry(run: KeyRun): Promise<Outcome | null> {
  const key = run.record();
  const back = allowedAgain(key);
  return back === null || isNextWindow(key.burst?.samples[0], back, key.figures)
    ? null
    : moreBursts(run, back);
}

/** Sends bursts from the parallel requests on, unless they exceeded the limit and so count as no burst. */
export async function burstsAfterParallel(run: KeyRun): Promise<Outcome | null> {
  const key = run.record();
  const [first] = key.concurrent?.samples ?? [];
  const counts = first !== undefined && burstsOf(key).some((burst) => burst.includes(first));
  return counts ? moreBursts(run, null) : null;
}

/**
 * Sends bursts as long as a 429 allows the next one before a window has passed, as `KeySeries.window`
 * describes.
 *
 * @param start allowed request that begins the next burst; null if none was sent
 */
async function moreBursts({ session, lab, record }: KeyRun, start: Sample | null): Promise<Outcome | null> {
  const { figures, key } = session;
  const before = record();
  const all = [...burstsOf(before)];
  const count = all.length;
  const begun = all[0]?.[0]?.sentAt ?? lab.now();
  const again = (): number | null => burstsAgain(all, before, lab.clock());
  for (let at = again(); at !== null && session.refused() < MOST_REFUSED; at = again()) {
    const series = openSeries('window', session, lab, before.burst?.samples);
    const { samples, sink } = series;
    const from = at;
    await series.untilOver(async () => {
      await series.waited(
        lab.pause(from, `the ${key} plan's next burst, because its 429 names an early time`),
      );
      if (all.length === count && start !== null) sink.take(start);
      await useUp(series, { ceiling: () => burstCeiling(figures, lab.now() - begun, samples) });
    });
    if (samples.length === 0) break;
    all.push(samples);
  }
  if (all.length === count) return null;
  const [first] = before.concurrent?.samples ?? [];
  const single = all.filter((burst) => first === undefined || !burst.includes(first));
  return { series: { window: single }, sentence: windowSentence(all), marks: windowMarks(all) };
}
