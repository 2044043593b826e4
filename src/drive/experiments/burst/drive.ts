import { burstStart, pauseBeforeTail } from '../bursting/pace.js';
import { lastOfBurstAt } from '../../../judge/limits/spread.js';
import { mayCount, wasRefused, type Sample, quickestOf } from '../../../judge/limits/sample.js';
import { minuteMs } from '../../../judge/limits/bounds.js';
import type { BurstSeries, KeySeries } from '../../../judge/limits/series.js';
import { windowsSeen } from '../../../judge/limits/windows-seen.js';
import { endOf, firstOver, inTurns, sinkOf, type Lab, type Wait } from '../../load/lab.js';
import type { KeySession } from '../../load/key-session.js';
import { burstConnections, quickly } from '../bursting/burst.js';
import { firstAnswer } from './first-answer.js';
import { allButTheLast } from '../window/drive.js';
import type { KeyRun, Outcome } from '../key-run.js';
import { burstSentence, refusalMarks } from './sentence.js';
import { eachOperation, toTheRefusal, type BurstOptions } from './to-the-refusal.js';

/** Requests that measure latency. The first opens the connection; the quicker of the other two shows the network. */
const LATENCY_REQUESTS = 3;
/** Factor on the latency of several connections: queues form. */
const SLOWER_IN_QUEUES = 2;
/** Extra time of a burst, for pauses and single requests, ms. */
const BESIDES_MS = 200;
/** Attempts to fit a burst into one window, on a target that is slower than it seemed. */
const MOST_ATTEMPTS = 3;

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
  inTurns(lab, partsOf(session, lab, options));

/** A burst in turns with other keys' bursts. During a yielded wait these use the machine; false if interrupted. */
async function* partsOf(session: KeySession, lab: Lab, options: BurstOptions): AsyncGenerator<Wait, Burst, boolean> {
  const { figures, key } = session;
  const { signal } = lab;
  const sink = sinkOf('burst', figures);
  const { samples } = sink;
  let found = await firstAnswer(session, lab);
  let before: readonly Sample[] = [];
  if (found.freshAt !== null && (yield { at: found.freshAt, what: `the ${key} plan's next window` })) {
    before = found.samples;
    found = await firstAnswer(session, lab);
  }
  found.samples.forEach(sink.take);
  const done = (latencyMs: number): Burst => ({
    series: { samples, refusalOperation: options.refusalOperation, end: endOf(samples, signal, 'ceiling') },
    before,
    latencyMs,
  });
  const goesOn = (): boolean => !signal.aborted && firstOver(samples) === undefined;

  while (goesOn() && samples.length < Math.min(LATENCY_REQUESTS, figures.perMinute / 4))
    await session.ask('listPets', sink);
  // The first request opened the connection.
  const latencyMs = quickestOf(samples.length > 1 ? samples.slice(1) : samples);
  if (!goesOn()) return done(latencyMs);

  const connections = burstConnections(latencyMs, figures);
  const eachMs = latencyMs * (connections === 1 ? 1 : SLOWER_IN_QUEUES / connections);
  let lengthMs = figures.perMinute * eachMs + BESIDES_MS;
  let windowFrom = 0;
  for (let attempt = 1; ; attempt += 1) {
    const last = samples.at(-1);
    const at = last === undefined ? 0 : burstStart(last, figures, lab.clock(), lengthMs);
    if (at > lab.now()) {
      if (!(yield { at, what: `the ${key} plan's next window, to stay inside one` })) return done(latencyMs);
      windowFrom = samples.length;
      await session.ask('listPets', sink);
    }
    const begun = lab.now();
    await quickly(session, lab, sink, { latencyMs, windowFrom });
    const rolledAt = samples.length - (windowsSeen(samples, figures).pieces.at(-1)?.samples.length ?? 0);
    if (!goesOn() || rolledAt <= windowFrom || attempt === MOST_ATTEMPTS) break;
    // The burst was slower than expected and a window ended in it: now its length is known.
    lengthMs = Math.max(lengthMs, lab.now() - begun) + BESIDES_MS;
    windowFrom = rolledAt;
  }
  const first = samples[windowFrom];
  if (!goesOn() || first === undefined) return done(latencyMs);
  const pauseMs = pauseBeforeTail(first.answeredAt, lab.now(), latencyMs, figures);
  if (pauseMs > 0) {
    if (!(await lab.pause(lab.now() + pauseMs, `possible refills of the ${key} plan`))) return done(latencyMs);
    // A refill in the pause is not the cost of the next operation.
    await session.ask('listPets', sink);
  }
  await eachOperation(session, lab, sink);
  const lastAt = (): number | null => lastOfBurstAt(samples.slice(windowFrom), figures, lab.clock());
  if (options.spreads === true && goesOn() && lastAt() !== null) {
    await allButTheLast(session, lab, sink, windowFrom);
    const at = goesOn() ? lastAt() : null;
    const what = `the ${key} plan's last request, to spread its allowance over a window`;
    if (at !== null && !(yield { at, what })) return done(latencyMs);
  }
  await toTheRefusal(session, lab, sink, { ...options, windowFrom, latencyMs });
  return done(latencyMs);
}
