import { minuteMs } from '../../../judge/limits/bounds.js';
import { isAllButTheLast, lastOfSpreadAt, needsSpread, servedAfterSpreadAt } from '../../../judge/limits/spread.js';
import { samplesOf, allowedAgain } from '../../../judge/limits/key-samples.js';
import type { SpreadSeries } from '../../../judge/limits/series.js';
import { quickly, useUp } from '../bursting/burst.js';
import { firstOver, sinkOf, type Lab } from '../../load/lab.js';
import { collector, type Collector, type KeySession } from '../../load/key-session.js';
import { MOST_REFUSED } from '../../load/refusal-bound.js';
import { leftBy, wasRefused, type Sample, wasServed, servedIn, lastAnswerOf } from '../../../judge/limits/sample.js';
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
export async function spreadAllowance({ session, lab, record, learned }: KeyRun): Promise<Outcome | null> {
  const key = record();
  const { perMinute, perDay } = key.figures;
  if (allowedAgain(key) === null || !needsSpread(key) || samplesOf(key).length + perMinute > perDay) return null;
  const series = await spread(session, lab, learned.latencyMs);
  return series && { series: { spread: series }, sentence: spreadSentence(series) };
}

/** Spreads the limit over most of a window and sends one request a window after the first (`SpreadSeries`). */
async function spread(session: KeySession, lab: Lab, latencyMs: number): Promise<SpreadSeries | null> {
  const { figures, key } = session;
  const before = session.samples();
  const refusal = before.findLast(wasRefused);
  const lastAnswer = lastAnswerOf(before);
  const back = refusal === undefined ? null : nextAllowedAt(refusal, lab.clock());
  const from = Math.max(lab.now(), back ?? 0, lastAnswer + minuteMs(figures) + leeway(figures));
  if (!isWithinReach(from, lab.now(), figures)) return null;
  if (!(await lab.pause(from, `the full allowance of the ${key} plan, to spread it over a window`))) return null;
  const sink = sinkOf('window', figures);
  const { samples } = sink;
  await lab.inTurn(async () => {
    await session.ask('listPets', sink);
    if (firstOver(samples) === undefined) await quickly(session, lab, sink, { latencyMs, windowFrom: 0 });
    await allButTheLast(session, lab, sink, 0);
  });
  const [first] = samples;
  if (first === undefined || firstOver(samples) !== undefined) return { samples, last: null };
  const ask = async (at: number, what: string, into: Collector): Promise<Sample | null> =>
    (await lab.pause(at, `${what} of the ${key} plan's allowance, spread over a window`))
      ? session.ask('listPets', into)
      : null;
  await ask(lastOfSpreadAt(first, figures), 'the last', sink);
  if (firstOver(samples) !== undefined) return { samples, last: null };
  const lastSink = collector('window', { isPassive: () => false });
  return { samples, last: await ask(servedAfterSpreadAt(first, figures), 'the end', lastSink) };
}

/** Sends requests one by one until only the last of the limit is left. */
export async function allButTheLast(session: KeySession, lab: Lab, sink: Collector, windowFrom: number): Promise<void> {
  const { signal } = lab;
  const { samples } = sink;
  const isUsed = (): boolean => isAllButTheLast(samples.slice(windowFrom), session.figures);
  while (!signal.aborted && firstOver(samples) === undefined && !isUsed()) {
    const own = samples[windowFrom];
    if (own) await learnClock(own, leftBy(samples.at(-1), session.figures), session, lab);
    await session.ask('listPets', sink);
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

/** Sends bursts from the retry on, unless it came in the next window: then the parallel requests are the next burst. */
export async function burstsAfterRetry(run: KeyRun): Promise<Outcome | null> {
  const key = run.record();
  const back = allowedAgain(key);
  return back === null || isNextWindow(key.burst?.samples[0], back, key.figures) ? null : moreBursts(run, back);
}

/** Sends bursts from the parallel requests on, unless they exceeded the limit and so count as no burst. */
export async function burstsAfterParallel(run: KeyRun): Promise<Outcome | null> {
  const key = run.record();
  const [first] = key.concurrent?.samples ?? [];
  const counts = first !== undefined && burstsOf(key).some((burst) => burst.includes(first));
  return counts ? moreBursts(run, null) : null;
}

/**
 * Sends bursts as long as a 429 allows the next one before a window has passed, as `KeySeries.window` describes.
 * @param start allowed request that begins the next burst; null if none was sent
 */
async function moreBursts({ session, lab, record, learned }: KeyRun, start: Sample | null): Promise<Outcome | null> {
  const { figures, key } = session;
  const before = record();
  const all = [...burstsOf(before)];
  const count = all.length;
  const begun = all[0]?.[0]?.sentAt ?? lab.now();
  const again = (): number | null => burstsAgain(all, before, lab.clock());
  for (let at = again(); at !== null && session.refused() < MOST_REFUSED; at = again()) {
    if (!(await lab.pause(at, `the ${key} plan's next burst, because its 429 names an early time`))) break;
    const sink = sinkOf('window', figures);
    if (all.length === count && start !== null) sink.take(start);
    await useUp(session, lab, sink, {
      latencyMs: learned.latencyMs,
      ceiling: () => burstCeiling(figures, lab.now() - begun, sink.samples),
    });
    all.push(sink.samples);
  }
  if (all.length === count) return null;
  const [first] = before.concurrent?.samples ?? [];
  const single = all.filter((burst) => first === undefined || !burst.includes(first));
  return { series: { window: single }, sentence: windowSentence(all), marks: windowMarks(all) };
}
