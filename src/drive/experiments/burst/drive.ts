import { burstMs, burstStart, pauseBeforeTail } from '../bursting/pace.js';
import { lastOfBurstAt } from '../../../judge/limits/spread.js';
import { lastAnswerOf, mayCount, wasRefused, type Sample, quickestOf } from '../../../judge/limits/sample.js';
import { minuteMs, type Figures } from '../../../judge/limits/bounds.js';
import type { BurstSeries, KeySeries } from '../../../judge/limits/series.js';
import { windowsSeen } from '../../../judge/limits/windows-seen.js';
import { endOf, firstOver, sinkOf, type Lab, type Turn } from '../../load/lab.js';
import type { Collector, KeySession } from '../../load/key-session.js';
import { quickly } from '../bursting/burst.js';
import { firstAnswer } from './first-answer.js';
import { allButTheLast } from '../window/drive.js';
import type { KeyRun, Outcome } from '../key-run.js';
import { burstSentence, refusalMarks } from './sentence.js';
import { eachOperation, toTheRefusal, type BurstOptions } from './to-the-refusal.js';

/** Requests that measure latency. The first opens the connection; the quicker of the other two shows the network. */
const LATENCY_REQUESTS = 3;
/** Extra time of a burst, for pauses and single requests, ms. */
const BESIDES_MS = 200;
/** Attempts to fit a burst into one window, on a target that is slower than it seemed. */
const MOST_ATTEMPTS = 3;
/** Share of the limit that a whole window held: with less, no other window holds all of it. */
const MAY_FIT = 0.8;

interface Burst {
  readonly series: Omit<BurstSeries, 'otherKey'>;
  /** Earlier requests that found the window used. */
  readonly before: readonly Sample[];
  /** Time from sending to response on an open connection, ms. */
  readonly latencyMs: number;
}

/** Sends the first burst, then one request with another plan's key. */
export async function burstToRefusal({ session, lab, drive, learned, record }: KeyRun): Promise<Outcome | null> {
  const { series, latencyMs } = await burst(session, lab, drive);
  const { samples } = series;
  learned.latencyMs = latencyMs;
  const refusal = samples.find(wasRefused);
  const otherKey = refusal === undefined || lab.signal.aborted ? null : ((await drive.askOther?.()) ?? null);
  return {
    series: { burst: { ...series, otherKey } },
    sentence: burstSentence(samples, session.figures, servedBefore(samples, record())),
    marks: refusalMarks(refusal),
  };
}

/** Counts the requests that this run got with the key in the burst's window, before it. */
function servedBefore(samples: readonly Sample[], { earlier, figures }: KeySeries): number {
  const until = samples[0]?.sentAt ?? 0;
  return earlier.filter(
    (sample) => mayCount(sample) && sample.sentAt >= until - minuteMs(figures) && sample.sentAt < until,
  ).length;
}

/**
 * Sends requests up to the first 429, as `BurstSeries` describes. If the window turns out to be used or exhausted, it
 * waits once for the next.
 */
export const burst = (session: KeySession, lab: Lab, options: BurstOptions): Promise<Burst> =>
  lab.inTurn((turn) => burstInTurn(session, lab, turn, options));

async function burstInTurn(session: KeySession, lab: Lab, turn: Turn, options: BurstOptions): Promise<Burst> {
  const sink = sinkOf('burst', session.figures);
  const { samples } = sink;
  const goesOn = (): boolean => !lab.signal.aborted && firstOver(samples) === undefined;
  const { first, before } = await firstOfWindow(session, lab, turn);
  first.forEach(sink.take);
  const latencyMs = await measureLatency(session, sink, goesOn);
  await upToTheRefusal({ session, lab, turn, sink, latencyMs, goesOn }, options);
  const end = endOf(samples, lab.signal, 'ceiling');
  return { series: { samples, refusalOperation: options.refusalOperation, end }, before, latencyMs };
}

/** Sends one request. If it finds the window used, that counts as earlier, and another one begins the next window. */
async function firstOfWindow(session: KeySession, lab: Lab, turn: Turn) {
  const { samples, freshAt } = await firstAnswer(session, lab);
  const waits = freshAt !== null && (await turn.leaveUntil(freshAt, `the ${session.key} plan's next window`));
  if (!waits) return { first: samples, before: [] };
  return { first: (await firstAnswer(session, lab)).samples, before: samples };
}

/** Sends the first single requests, and returns the time from sending to response on an open connection, ms. */
async function measureLatency(session: KeySession, sink: Collector, goesOn: () => boolean): Promise<number> {
  const { samples } = sink;
  const most = Math.min(LATENCY_REQUESTS, session.figures.perMinute / 4);
  while (goesOn() && samples.length < most) await session.ask('listPets', sink);
  // The first request opened the connection.
  return quickestOf(samples.length > 1 ? samples.slice(1) : samples);
}

/** A burst under way, in its key's turn. */
interface UnderWay {
  readonly session: KeySession;
  readonly lab: Lab;
  readonly turn: Turn;
  readonly sink: Collector;
  readonly latencyMs: number;
  /** False once a response or an interruption has ended the burst. */
  readonly goesOn: () => boolean;
}

/** Sends the rest of a burst: most of it quickly, some of each operation, and single requests up to the first 429. */
async function upToTheRefusal(run: UnderWay, options: BurstOptions): Promise<void> {
  const { session, lab, sink, latencyMs } = run;
  const windowFrom = await quicklyInOneWindow(run);
  if (windowFrom === null || !(await untilRefillsShow(run, windowFrom))) return;
  await eachOperation(session, lab, sink);
  if (options.spreads === true && !(await spreadToTheLast(run, windowFrom))) return;
  await toTheRefusal(session, lab, sink, { ...options, windowFrom, latencyMs });
}

/**
 * Sends most of the limit as fast as allowed, inside one window. If a window ends in it, the target is slower than it
 * seemed, and the part in the new window counts as the start of another attempt. It ends if a whole window held too little.
 * @returns the place of the window's first sample; null if the burst ended
 */
async function quicklyInOneWindow(run: UnderWay): Promise<number | null> {
  const { session, lab, sink, latencyMs, goesOn } = run;
  const { samples } = sink;
  let lengthMs = burstMs(session.figures, latencyMs) + BESIDES_MS;
  let reached = 0;
  for (let attempt = 1; goesOn(); attempt += 1) {
    const windowFrom = await roomFor(lengthMs, run, reached);
    if (windowFrom === null) return null;
    const begun = lab.now();
    await quickly(session, lab, sink, { latencyMs, windowFrom });
    if (!goesOn()) return null;
    const newest = windowsSeen(samples, session.figures).pieces.at(-1)?.samples.length ?? 0;
    reached = samples.length - newest;
    if (reached <= windowFrom || attempt === MOST_ATTEMPTS) return windowFrom;
    if (isTooSlow(samples.slice(windowFrom, reached), session.figures)) return null;
    lengthMs = Math.max(lengthMs, lab.now() - begun) + BESIDES_MS;
  }
  return null;
}

/** True if the requests of a whole window, which ended in a burst, show that no window holds the limit. */
const isTooSlow = (inWindow: readonly Sample[], figures: Figures): boolean =>
  lastAnswerOf(inWindow) - (inWindow[0]?.sentAt ?? 0) >= MAY_FIT * minuteMs(figures) &&
  inWindow.length < MAY_FIT * figures.perMinute;

/**
 * Waits for the next window, and begins it, if the present one ends before a burst of `lengthMs` would.
 * @param presentFrom place of the present window's first sample
 * @returns the place of the first sample of the burst's window; null if interrupted
 */
async function roomFor(lengthMs: number, run: UnderWay, presentFrom: number): Promise<number | null> {
  const { session, lab, turn, sink } = run;
  const { samples } = sink;
  const last = samples.at(-1);
  const at =
    last === undefined ? 0 : burstStart(last, session.figures, lab.clock(), { burstMs: lengthMs, now: lab.now() });
  if (at <= lab.now()) return presentFrom;
  if (!(await turn.leaveUntil(at, `the ${session.key} plan's next window, to stay inside one`))) return null;
  const begins = samples.length;
  await session.ask('listPets', sink);
  return begins;
}

/** Waits until due refills would show, where the burst may be as long as one. False if interrupted. */
async function untilRefillsShow({ session, lab, sink, latencyMs }: UnderWay, windowFrom: number): Promise<boolean> {
  const first = sink.samples[windowFrom];
  if (first === undefined) return false;
  const pauseMs = pauseBeforeTail(first.answeredAt, lab.now(), latencyMs, session.figures);
  if (pauseMs <= 0) return true;
  if (!(await lab.pause(lab.now() + pauseMs, `possible refills of the ${session.key} plan`))) return false;
  // A refill in the pause is not the cost of the next operation.
  await session.ask('listPets', sink);
  return true;
}

/** Sends all but the last of the allowance, and waits for the last one's time. False if interrupted. */
async function spreadToTheLast(run: UnderWay, windowFrom: number): Promise<boolean> {
  const { session, lab, turn, sink, goesOn } = run;
  const lastAt = (): number | null =>
    goesOn() ? lastOfBurstAt(sink.samples.slice(windowFrom), session.figures, lab.clock()) : null;
  if (lastAt() === null) return true;
  await allButTheLast(session, lab, sink, windowFrom);
  const at = lastAt();
  const what = `the ${session.key} plan's last request, to spread its allowance over a window`;
  return at === null || turn.leaveUntil(at, what);
}
