import {
  burstMs,
  burstStart,
  connectionsFor,
  latencyRequests,
  pauseBeforeTail,
  quickPart,
  singlesMs,
} from '../bursting/pace.js';
import { lastOfBurstAt } from '../../../judge/limits/spread.js';
import { lastAnswerOf, wasRefused, type Sample } from '../../../judge/limits/sample.js';
import { minuteMs, type Figures } from '../../../judge/limits/bounds.js';
import { windowsSeen } from '../../../judge/limits/windows-seen.js';
import type { Lab, Turn } from '../../load/lab.js';
import type { KeySession } from '../../load/key-session.js';
import { openSeries, type OpenSeries } from '../open-series.js';
import { quickly } from '../bursting/burst.js';
import { firstAnswer } from './first-answer.js';
import { allButTheLast } from '../window/drive.js';
import type { KeyRun, Outcome } from '../key-run.js';
import { burstSentence, refusalMarks } from './sentence.js';
import { eachOperation, toTheRefusal, type BurstOptions } from './to-the-refusal.js';

/** Extra time of a burst, for pauses and single requests, ms. */
const BESIDES_MS = 200;
/** Attempts to fit a burst into one window, on a target that is slower than it seemed. */
const MOST_ATTEMPTS = 3;
/** Share of a window that a burst filled: it shows how many requests a whole one holds. */
const WHOLE = 0.8;

/** Sends the first burst, then one request with another plan's key. */
export async function burstToRefusal({ session, lab, drive, record }: KeyRun): Promise<Outcome | null> {
  const { series } = await burst(session, lab, drive);
  const { samples } = series;
  const refusal = samples.find(wasRefused);
  const otherKey = refusal === undefined || lab.signal.aborted ? null : ((await drive.askOther?.()) ?? null);
  return {
    series: { burst: { ...series, otherKey } },
    sentence: burstSentence(samples, record()),
    marks: refusalMarks(refusal),
  };
}

/**
 * Sends requests up to the first 429, as `BurstSeries` describes. If the window turns out to be used or
 * exhausted, it waits once for the next.
 *
 * @returns the series, and earlier requests that found the window used
 */
export const burst = (session: KeySession, lab: Lab, options: BurstOptions) =>
  lab.inTurn(async (turn) => {
    const series = openSeries('burst', session, lab);
    const { first, before } = await firstOfWindow(session, lab, turn);
    first.forEach(series.sink.take);
    await series.untilOver(() => inOneWindow(series, turn, options));
    const { samples, end } = series;
    return { series: { samples, refusalOperation: options.refusalOperation, end: end() }, before };
  });

/**
 * Sends one request. If it finds the window used, that counts as earlier, and another one begins the next
 * window.
 */
async function firstOfWindow(session: KeySession, lab: Lab, turn: Turn) {
  const { samples, freshAt } = await firstAnswer(session, lab);
  const waits = freshAt !== null && (await turn.leaveUntil(freshAt, `the ${session.key} plan's next window`));
  if (!waits) return { first: samples, before: [] };
  return { first: (await firstAnswer(session, lab)).samples, before: samples };
}

/** Sends a burst: most of it quickly, some of each operation, and single requests up to the first 429. */
async function inOneWindow(series: OpenSeries, turn: Turn, options: BurstOptions): Promise<void> {
  const { session, samples } = series;
  while (samples.length < latencyRequests(session.figures)) await series.ask('listPets');
  await quicklyInOneWindow(series, turn);
  await untilRefillsShow(series);
  await eachOperation(series);
  if (options.spreads === true) await spreadToTheLast(series, turn);
  await toTheRefusal(series, options);
}

/**
 * Sends most of the limit as fast as allowed, inside one window. If a window ends in it, the target is slower
 * than it seemed, and the part in the new window counts as the start of another attempt. The series ends if a
 * whole window held too little.
 */
async function quicklyInOneWindow(series: OpenSeries, turn: Turn): Promise<void> {
  const { session, lab, samples, inWindow } = series;
  let lengthMs = burstMs(session.figures, series.latencyMs()) + BESIDES_MS;
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    await roomFor(lengthMs, series, turn);
    const begun = lab.now();
    await quickly(series);
    const newest = windowsSeen(samples, session.figures).pieces.at(-1)?.samples.length ?? 0;
    const ended = inWindow().slice(0, Math.max(0, inWindow().length - newest));
    if (ended.length === 0 || attempt === MOST_ATTEMPTS) return;
    if (isTooSlow(ended, series.latencyMs(), session.figures)) series.stop();
    series.beginWindow(samples.length - newest);
    lengthMs = Math.max(lengthMs, lab.now() - begun) + BESIDES_MS;
  }
}

/**
 * True if the requests of a whole window, which ended in a burst, show that no window holds the limit: as
 * many as may go side by side at their pace, and the rest one by one.
 */
function isTooSlow(inWindow: readonly Sample[], latencyMs: number, figures: Figures): boolean {
  const tookMs = lastAnswerOf(inWindow) - (inWindow[0]?.sentAt ?? 0);
  const quick = quickPart(figures.perMinute, connectionsFor(latencyMs, figures));
  const neededMs = (quick * tookMs) / inWindow.length + singlesMs(latencyMs);
  return tookMs >= WHOLE * minuteMs(figures) && neededMs > minuteMs(figures);
}

/** Waits for the next window, and begins it, if the present one ends before a burst of `lengthMs` would. */
async function roomFor(lengthMs: number, series: OpenSeries, turn: Turn): Promise<void> {
  const { session, lab, samples } = series;
  const last = samples.at(-1);
  if (last === undefined) return;
  const at = burstStart(last, session.figures, lab.clock(), { burstMs: lengthMs, now: lab.now() });
  if (at <= lab.now()) return;
  await series.waited(turn.leaveUntil(at, `the ${session.key} plan's next window, to stay inside one`));
  series.beginWindow(samples.length);
  await series.ask('listPets');
}

/** Waits until due refills would show, where the burst may be as long as one. */
async function untilRefillsShow(series: OpenSeries): Promise<void> {
  const { session, lab } = series;
  const { figures, key } = session;
  const [first] = series.inWindow();
  if (first === undefined) return;
  const pauseMs = pauseBeforeTail(first.answeredAt, lab.now(), series.latencyMs(), figures);
  if (pauseMs <= 0) return;
  await series.waited(lab.pause(lab.now() + pauseMs, `possible refills of the ${key} plan`));
  // A refill in the pause is not the cost of the next operation.
  await series.ask('listPets');
}

/** Sends all but the last of the allowance, and waits for the last one's time. */
async function spreadToTheLast(series: OpenSeries, turn: Turn): Promise<void> {
  const { session, lab } = series;
  const lastAt = (): number | null => lastOfBurstAt(series.inWindow(), session.figures, lab.clock());
  if (lastAt() === null) return;
  await allButTheLast(series);
  const at = lastAt();
  const what = `the ${session.key} plan's last request, to spread its allowance over a window`;
  if (at !== null) await series.waited(turn.leaveUntil(at, what));
}
