import type { OperationName } from '../../../base/interface/types.js';
import { burstCeiling, burstStart, pauseBeforeTail } from '../bursting/pace.js';
import { LEFT_FOR_THE_LAST, lastOfBurstAt } from '../../../judge/limits/spread.js';
import {
  describesMinute,
  leftBy,
  mayCount,
  wasRefused,
  wasServed,
  type Sample,
  servedIn,
  quickestOf,
} from '../../../judge/limits/sample.js';
import { minuteMs, type Figures } from '../../../judge/limits/bounds.js';
import { readReset } from '../../../judge/limits/headers/header-number.js';
import { fewestApart } from '../../../judge/limits/operation-use.js';
import type { BurstSeries, KeySeries } from '../../../judge/limits/series.js';
import { windowsSeen } from '../../../judge/limits/windows-seen.js';
import { endOf, firstOver, inTurns, isOver, sinkOf, type Lab, type Wait } from '../../load/lab.js';
import type { Collector, KeySession } from '../../load/key-session.js';
import { approach, burstConnections, quickly, type Approach } from '../bursting/burst.js';
import { refusalAt } from '../../../judge/limits/refusal-phase.js';
import { firstAnswer, learnClock } from './first-answer.js';
import { allButTheLast } from '../window/drive.js';
import type { Drive, KeyRun, Told } from '../key-run.js';
import { count } from '../../../base/kernel/format.js';
import type { ProfileMark } from '../../../log/record.js';
import { acrossWindows } from '../sentences.js';

/** Requests that measure latency. The first opens the connection; the quicker of the other two shows the network. */
const LATENCY_REQUESTS = 3;
/** Requests of each operation in the single part: two alike may be chance. */
const OF_EACH = 3;
/** Factor on the latency of several connections: queues form. */
const SLOWER_IN_QUEUES = 2;
/** Extra time of a burst, for pauses and single requests, ms. */
const BESIDES_MS = 200;
/** Attempts to fit a burst into one window, on a target that is slower than it seemed. */
const MOST_ATTEMPTS = 3;

type BurstOptions = Pick<Drive, 'refusalOperation'> & Partial<Pick<Drive, 'spreads' | 'earlier'>>;

interface Burst {
  readonly series: Omit<BurstSeries, 'otherKey'>;
  /** Earlier requests that found the window used. */
  readonly before: readonly Sample[];
  /** Time from sending to response on an open connection, ms. */
  readonly latencyMs: number;
}

/** Sends the first burst, then one request with another plan's key. */
export async function burstToRefusal({ session, lab, drive, learned, sofar }: KeyRun): Promise<Told | null> {
  const { series, latencyMs } = await burst(session, lab, drive);
  const { samples } = series;
  learned.latencyMs = latencyMs;
  const refusal = samples.find(wasRefused);
  const otherKey = refusal === undefined || lab.signal.aborted ? null : ((await drive.askOther?.()) ?? null);
  return {
    series: { burst: { ...series, otherKey } },
    sentence: burstSentence(samples, session.figures, servedBefore(samples, sofar())),
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

/** Sends each operation several times in a row: Remaining shows the cost of each. */
async function eachOperation(session: KeySession, { operations, signal }: Lab, sink: Collector): Promise<void> {
  const order = (['createPet', 'getPet', 'listPets'] as const).filter((operation) => operations.includes(operation));
  for (const operation of order.flatMap((operation) => Array.from({ length: OF_EACH }, () => operation))) {
    const last = sink.samples.at(-1);
    const isGone = leftBy(last, session.figures) === 0;
    if (signal.aborted || last === undefined || isOver(last) || isGone) return;
    await session.ask(operation, sink);
  }
}

/**
 * Sends the rest of a burst, to the first 429. Past the ceiling it sends every other operation once, to distinguish an
 * operation that is not counted from no limit.
 */
async function toTheRefusal(
  session: KeySession,
  lab: Lab,
  sink: Collector,
  way: BurstOptions & Pick<Approach, 'windowFrom' | 'latencyMs'>,
): Promise<void> {
  const { figures } = session;
  const { samples } = sink;
  const { windowFrom, refusalOperation } = way;
  const begun = samples[windowFrom]?.sentAt ?? lab.now();
  // Where no header shows a window, only more than two windows' worth within one shows that none is limited.
  const isUnseen = (): boolean =>
    !samples.slice(windowFrom).some((sample) => describesMinute(sample, figures) || readReset(sample.reset) !== null);
  const beyondAnyWindow = (): number =>
    isUnseen() && lab.now() < begun + minuteMs(figures) ? 2 * figures.perMinute + 1 : 0;
  let isGone = false;
  let isTimed = false;
  let last = await approach(session, lab, sink, {
    ...way,
    before: async (latest) => {
      const own = samples[windowFrom];
      if (own === undefined) return;
      const left = leftBy(latest, figures);
      if (!isTimed) await learnClock(own, left, session, lab);
      // The pause comes before the last of the allowance: after it, a refill would count as a request too many.
      const counted = left === 0 ? figures.perMinute - (samples.length - windowFrom) : left;
      if (counted !== LEFT_FOR_THE_LAST || (isTimed && left !== 0)) return;
      isTimed = true;
      const at = refusalAt(own, { ...way, figures, now: lab.now(), clock: lab.clock() });
      if (at !== null) await lab.pause(at, `the right moment for the ${session.key} plan's 429`);
    },
    ceiling: () =>
      windowFrom + Math.max(burstCeiling(figures, lab.now() - begun, samples.slice(windowFrom)), beyondAnyWindow()),
    operation: (sent, latest) => {
      isGone ||= (leftBy(latest, figures) ?? figures.perMinute - (sent - windowFrom)) <= 0;
      return isGone ? refusalOperation : 'listPets';
    },
  });
  if (last !== undefined && wasRefused(last) && isUnseen() && servedIn(samples) > figures.perMinute)
    await tryApart(session, lab, sink, last);
  for (const other of lab.operations) {
    const goesOn = !lab.signal.aborted && last !== undefined && !isOver(last);
    if (other !== refusalOperation && goesOn) last = await session.ask(other, sink);
  }
}

/** Most requests that show whether operations are counted apart. */
const MOST_APART = 8;

/**
 * Sends other requests just after a refusal, then the refused one again: if only that is refused, operations are counted
 * apart. It stops at the first other refusal.
 */
async function tryApart(session: KeySession, lab: Lab, sink: Collector, refusal: Sample): Promise<void> {
  const { figures } = session;
  const amount = (operation: OperationName): number =>
    sink.samples.filter((sample) => sample.operation === operation && wasServed(sample)).length;
  const [other] = lab.operations
    .filter((operation) => operation !== refusal.operation)
    .toSorted((one, next) => amount(one) - amount(next));
  if (other === undefined) return;
  for (let served = 0; served < MOST_APART && !lab.signal.aborted; served += 1) {
    if (served >= fewestApart(figures, lab.now() - refusal.sentAt)) {
      await session.ask(refusal.operation, sink);
      return;
    }
    if (isOver(await session.ask(other, sink))) return;
  }
}

const REQUESTS: Readonly<Record<OperationName, string>> = {
  listPets: 'GET /pets',
  createPet: 'POST /pets',
  getPet: 'GET /pets/{petId}',
};

/**
 * Describes a burst: "60 of 60 requests allowed; request 61 (POST /pets) got 429."
 * @param before earlier requests of this key allowed in the same window
 */
export function burstSentence(samples: readonly Sample[], figures: Figures, before = 0): string {
  const served = servedIn(samples);
  const across = acrossWindows(samples, figures);
  // A burst that got the whole allowance had a fresh window, whatever came shortly before.
  const earlier = across === '' && served < figures.perMinute ? before : 0;
  const allowed =
    across === ''
      ? `${count(served + earlier)} of ${count(figures.perMinute)} requests allowed${earlier > 0 ? ` (${count(earlier)} earlier)` : ''}`
      : `${count(served)} requests allowed${across}`;
  const at = samples.findIndex((sample) => !wasServed(sample));
  const over = samples[at];
  if (over === undefined) return `${allowed}; none refused.`;
  const request =
    earlier > 0
      ? `the next one, ${REQUESTS[over.operation]},`
      : `request ${count(at + 1)} (${REQUESTS[over.operation]})`;
  return `${allowed}; ${request} got ${over.status === 0 ? 'no response' : over.status}.`;
}

/** Marks the 429 that ended a burst. */
export const refusalMarks = (refusal: Sample | undefined): readonly ProfileMark[] =>
  refusal === undefined ? [] : [{ kind: 'first-refusal', at: refusal.answeredAt, text: `429 to ${refusal.operation}` }];
