import type { OperationName } from '../../contract/types.js';
import { now } from '../../exchange/connection.js';
import { wasRefused, wasServed } from '../../limits/answers.js';
import { refillIntervalMs } from '../../limits/bounds.js';
import {
  burstCeiling,
  burstStart,
  connectionsFor,
  pauseBeforeTail,
  retryAt,
  tailLength,
} from '../../limits/decisions.js';
import { resetTime } from '../../limits/clock.js';
import type { Sample } from '../../limits/sample.js';
import type { BurstSeries, Figures } from '../../limits/series.js';
import { windowsSeen } from '../../limits/windows-seen.js';
import { endOf, firstOver, isOver, leftBy, sinkOf } from '../field.js';
import type { Field } from '../field.js';
import type { Collector, KeyLine } from '../key-line.js';
import { progressEvery } from '../progress.js';

/** Requests that tell the latency: the first opens the connection, and the quicker of two others is the network's. */
const LATENCY_REQUESTS = 3;
/** Of each operation in the single part: two alike may be chance. */
const OF_EACH = 3;
/** Bursts take longer than latency and connections say: queues form. */
const SLOWER_THAN_THOUGHT = 2;
/** What a burst takes besides: pauses, single requests. */
const BESIDES_MS = 200;
/** With less than this share left at the start, a fresh window is worth waiting for. */
const ENOUGH_LEFT = 0.9;

/** A target that is slower than it seemed may take more than one window to find that out. */
const MOST_ATTEMPTS = 3;
/** Where one connection is too slow, a few more cost nothing and keep what comes back meanwhile small. */
const A_FEW = 10;

/** Connections for the quick part of a burst. */
export function burstConnections(latencyMs: number, figures: Figures): number {
  const { connections } = connectionsFor(latencyMs, figures);
  return connections === 1 ? 1 : Math.max(A_FEW, connections);
}

/** What a burst needs to know. */
export interface BurstOptions {
  /** To which the first refusal is to fall. */
  readonly refusalOperation: OperationName;
}

/** A burst with what else came of it. */
export interface Burst {
  readonly series: Omit<BurstSeries, 'otherKeys'>;
  /** Requests sent before the burst's own, which found the window used. */
  readonly before: readonly Sample[];
  /** From sending to answer, without opening a connection, ms. */
  readonly latencyMs: number;
}

/**
 * Asks for the allowance up to the first refusal and no further, as `BurstSeries` describes it. Where the window turns
 * out to be used already, or refused from the start, it waits for the next one, once.
 */
export async function burst(line: KeyLine, field: Field, options: BurstOptions): Promise<Burst> {
  const first = await field.inTurn(async () => {
    const found = await firstAnswer(line, field);
    return found.freshAt === null ? burstFrom(line, field, options, found) : found;
  });
  if ('series' in first) return first;
  // Whoever waits for a window leaves the machine to the others.
  const waited = await field.pause(first.freshAt ?? 0, `the ${line.key} plan's window, which has been used`);
  return field.inTurn(async () =>
    burstFrom(line, field, options, waited ? { ...(await firstAnswer(line, field)), before: first.samples } : first),
  );
}

/** The first answer of a burst, and when a fresh window begins where this one is used already. */
interface FirstAnswer {
  readonly before: readonly Sample[];
  readonly samples: readonly Sample[];
  /** Null where nothing need be waited for. Unix ms. */
  readonly freshAt: number | null;
}

async function firstAnswer(line: KeyLine, field: Field): Promise<FirstAnswer> {
  const { figures, key } = line;
  const told = line.samples().at(-1);
  const isRefused = told !== undefined && wasRefused(told);
  if (isRefused) await field.pause(retryAt(told, figures, field.clock()).at, `Retry-After on the ${key} plan`);
  const sink = sinkOf('burst', figures);
  const answer = await line.ask('listPets', sink);
  const left = leftBy(answer, figures);
  const isUsed = wasServed(answer) && left !== null && left < ENOUGH_LEFT * figures.perMinute;
  // A key that is refused again after it has waited is not going to be served.
  const isWorthIt = !isRefused && (wasRefused(answer) || isUsed);
  return { before: [], samples: sink.samples, freshAt: isWorthIt ? freshAtBy(answer, line, field) : null };
}

/** A served answer of a key whose window is fresh, waited for once where it has to be; null where there is none. */
export async function freshAnswer(line: KeyLine, field: Field): Promise<Sample | null> {
  const first = await firstAnswer(line, field);
  const waits = first.freshAt !== null && (await field.pause(first.freshAt, `the ${line.key} plan's window`));
  const last = (waits ? await firstAnswer(line, field) : first).samples.at(-1);
  return last !== undefined && wasServed(last) ? last : null;
}

async function burstFrom(line: KeyLine, field: Field, options: BurstOptions, start: FirstAnswer): Promise<Burst> {
  const { figures, key } = line;
  const { signal } = field;
  const sink = sinkOf('burst', figures);
  const { samples } = sink;
  start.samples.forEach(sink.take);
  const done = (latencyMs: number, end = endOf(samples, signal, 'ceiling')): Burst => ({
    series: { samples, refusalOperation: options.refusalOperation, end },
    before: start.before,
    latencyMs,
  });
  const goesOn = (): boolean => !signal.aborted && firstOver(samples) === undefined;

  while (goesOn() && samples.length < Math.min(LATENCY_REQUESTS, figures.perMinute / 4))
    await line.ask('listPets', sink);
  const latencyMs = latencyOf(samples);
  if (!goesOn()) return done(latencyMs);

  const connections = burstConnections(latencyMs, figures);
  let lengthMs = (SLOWER_THAN_THOUGHT * figures.perMinute * latencyMs) / connections + BESIDES_MS;
  let windowFrom = 0;
  for (let attempt = 1; ; attempt += 1) {
    const last = samples.at(-1);
    const start = last === undefined ? 0 : burstStart(last, figures, field.clock(), lengthMs);
    if (start > now()) {
      if (!(await field.pause(start, `the ${key} plan's next window, to stay inside one`))) return done(latencyMs);
      windowFrom = samples.length;
      await line.ask('listPets', sink);
    }
    const begun = now();
    await quickly(line, field, sink, { connections, windowFrom });
    const rolledAt = samples.length - (windowsSeen(samples, figures).pieces.at(-1)?.samples.length ?? 0);
    if (!goesOn() || rolledAt <= windowFrom || attempt === MOST_ATTEMPTS) break;
    // It took longer than thought, and a window ended in its midst: now it is known how long it takes.
    lengthMs = Math.max(lengthMs, now() - begun) + BESIDES_MS;
    windowFrom = rolledAt;
  }
  const first = samples[windowFrom];
  if (!goesOn() || first === undefined) return done(latencyMs);
  const pauseMs = pauseBeforeTail(first.answeredAt, now(), latencyMs, figures);
  if (pauseMs > 0) {
    if (!(await field.pause(now() + pauseMs, `requests of the ${key} plan that may come back`))) return done(latencyMs);
    // What came back meanwhile is not to be mistaken for what the next operation costs.
    await line.ask('listPets', sink);
  }
  await eachOperation(line, field, sink);
  await toTheRefusal(line, field, sink, { ...options, windowFrom, connections, latencyMs });
  return done(latencyMs);
}

/** Past Reset a second may be missing to rounding. */
const ROUNDED_MS = 1050;

/** When a window that is used already ought to be over, at most two windows from now; null where nothing tells. */
function freshAtBy(answer: Sample, { figures }: KeyLine, { clock }: Field): number | null {
  const latest = answer.answeredAt + 2 * figures.minuteSeconds * 1000;
  const after = wasRefused(answer) ? Number.parseInt(answer.retryAfter ?? '', 10) * 1000 : Number.NaN;
  const told = Number.isNaN(after) ? 0 : answer.answeredAt + after + ROUNDED_MS / 2;
  const reset = resetTime(answer, clock());
  if (reset === null && told === 0) return null;
  return Math.min(latest, Math.max(told, (reset?.latest ?? 0) + ROUNDED_MS));
}

/** The quickest answer of those that did not have to open a connection. */
function latencyOf(samples: readonly Sample[]): number {
  const reused = samples.length > 1 ? samples.slice(1) : samples;
  return Math.min(...reused.map(({ sentAt, answeredAt }) => answeredAt - sentAt));
}

/** How many were sent since the window began, and how many it should have left. */
const leftOfWindow = (samples: readonly Sample[], windowFrom: number, { figures }: KeyLine): number => {
  const byCount = figures.perMinute - (samples.length - windowFrom);
  return Math.max(0, Math.min(leftBy(samples.at(-1), figures) ?? byCount, byCount));
};

/** Most of the allowance, as fast as the connections carry it; leaves what the single part needs. */
export async function quickly(
  line: KeyLine,
  field: Field,
  sink: Collector,
  { connections, windowFrom }: { readonly connections: number; readonly windowFrom: number },
): Promise<void> {
  const { samples } = sink;
  const from = samples.length;
  const { quick } = tailLength(leftOfWindow(samples, windowFrom, line), connections);
  const tell = progressEvery(
    field,
    sink.profile,
    line.key,
    () => `${samples.length} of ${line.figures.perMinute} sent`,
  );
  if (connections === 1) {
    while (samples.length - from < quick && !field.signal.aborted) {
      if (isOver(await line.ask('listPets', sink))) return;
      tell();
    }
    return;
  }
  if (quick === 0) return;
  let sent = 0;
  const tellSent = progressEvery(
    field,
    sink.profile,
    line.key,
    () => `${from + sent} of ${line.figures.perMinute} sent`,
  );
  await line.volley(
    {
      connections: Math.min(connections, quick),
      next: () => {
        if (sent >= quick) return null;
        sent += 1;
        tellSent();
        return 'listPets';
      },
      stopsAt: isOver,
    },
    sink,
  );
}

/** Each operation several times, one after the other: what each of them costs shows in Remaining. */
async function eachOperation(line: KeyLine, { operations, signal }: Field, sink: Collector): Promise<void> {
  const order = (['createPet', 'getPet', 'listPets'] as const).filter((operation) => operations.includes(operation));
  for (const operation of order.flatMap((operation) => Array.from({ length: OF_EACH }, () => operation))) {
    const last = sink.samples.at(-1);
    const isGone = leftBy(last, line.figures) === 0;
    if (signal.aborted || last === undefined || isOver(last) || isGone) return;
    await line.ask(operation, sink);
  }
}

/** Single requests after which nothing more is left than before: they will not reach the limit. */
const STUCK_AFTER = 4;

/** What the way to a refusal needs to know. */
interface Approach {
  /** Where in the sink the window began. */
  readonly windowFrom: number;
  readonly connections: number;
  readonly latencyMs: number;
  /** How many may be in the sink in all, without a refusal. */
  readonly ceiling: () => number;
  /** What to send, by how many were sent before it and the last answer that came. */
  readonly operation: (sent: number, last: Sample | undefined) => OperationName;
}

/**
 * To the first refusal: one by one, so that there is but one, and on several connections only where a limiter refills as
 * fast as single requests come.
 * @returns the answer that ended it, or the last
 */
export async function approach(
  line: KeyLine,
  { signal }: Field,
  sink: Collector,
  { windowFrom, connections, latencyMs, ceiling, operation }: Approach,
): Promise<Sample | undefined> {
  const { figures } = line;
  const { samples } = sink;
  let last = samples.at(-1);
  const goesOn = (): boolean => !signal.aborted && last !== undefined && !isOver(last) && samples.length < ceiling();

  const keepsUp = connections === 1 || 3 * latencyMs < refillIntervalMs(figures);
  const lefts: number[] = [];
  const isStuck = (): boolean => {
    const before = lefts.at(-1 - STUCK_AFTER);
    return !keepsUp && before !== undefined && (lefts.at(-1) ?? 0) >= before;
  };
  while (goesOn() && !isStuck()) {
    last = await line.ask(operation(samples.length, last), sink);
    lefts.push(Math.max(0, leftBy(last, figures) ?? figures.perMinute - (samples.length - windowFrom)));
  }
  if (!goesOn()) return last;
  let sent = samples.length;
  const answers = await line.volley(
    {
      connections: Math.min(connections, ceiling() - sent),
      next: () => (sent < ceiling() ? operation(sent++, last) : null),
      stopsAt: (sample) => isOver((last = sample)),
    },
    sink,
  );
  return firstOver(answers) ?? answers.at(-1);
}

/**
 * The rest of a burst, to the first refusal. Past the ceiling every other operation is asked once, to tell an operation
 * that is not counted from no limit at all.
 */
async function toTheRefusal(
  line: KeyLine,
  field: Field,
  sink: Collector,
  way: BurstOptions & Pick<Approach, 'windowFrom' | 'connections' | 'latencyMs'>,
): Promise<void> {
  const { figures } = line;
  const { samples } = sink;
  const { windowFrom, refusalOperation } = way;
  const begun = samples[windowFrom]?.sentAt ?? now();
  let isGone = false;
  let last = await approach(line, field, sink, {
    ...way,
    ceiling: () => windowFrom + burstCeiling(figures, now() - begun),
    operation: (sent, latest) => {
      isGone ||= (leftBy(latest, figures) ?? figures.perMinute - (sent - windowFrom)) <= 0;
      return isGone ? refusalOperation : 'listPets';
    },
  });
  for (const other of field.operations) {
    const goesOn = !field.signal.aborted && last !== undefined && !isOver(last);
    if (other !== refusalOperation && goesOn) last = await line.ask(other, sink);
  }
}
