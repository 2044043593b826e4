import type { OperationName } from '../../contract/types.js';
import { burstCeiling, burstStart, pauseBeforeTail } from '../../limits/decisions/burst.js';
import { lastOfBurstAt } from '../../limits/decisions/spread.js';
import type { Sample } from '../../limits/sample.js';
import type { BurstSeries } from '../../limits/series.js';
import { windowsSeen } from '../../limits/windows-seen.js';
import { endOf, firstOver, isOver, leftBy, sinkOf } from '../field.js';
import type { Field } from '../field.js';
import type { Collector, KeyLine } from '../key-line.js';
import { approach } from '../bursting/approach.js';
import type { Approach } from '../bursting/approach.js';
import { firstAnswer } from '../bursting/first-answer.js';
import type { FirstAnswer } from '../bursting/first-answer.js';
import { burstConnections, quickly } from '../bursting/quickly.js';
import { allButTheLast } from './spread.js';

/** Requests that tell the latency: the first opens the connection, and the quicker of two others is the network's. */
const LATENCY_REQUESTS = 3;

/** Of each operation in the single part: two alike may be chance. */
const OF_EACH = 3;

/** Bursts take longer than latency and connections say: queues form. */
const SLOWER_THAN_THOUGHT = 2;
/** What a burst takes besides: pauses, single requests. */
const BESIDES_MS = 200;

/** A target that is slower than it seemed may take more than one window to find that out. */
const MOST_ATTEMPTS = 3;

/** What a burst needs to know. */
export interface BurstOptions {
  /** To which the first refusal is to fall. */
  readonly refusalOperation: OperationName;
  /** Whether the last of the allowance waits for `lastOfBurstAt`. */
  readonly spreads?: boolean;
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
  // Whoever waits leaves the machine to the others.
  const ended = async (part: Burst | Halted): Promise<Burst> => {
    if ('series' in part) return part;
    const waited = await field.pause(
      part.at,
      `the ${line.key} plan's last request, to spread its allowance over a window`,
    );
    return waited ? field.inTurn(part.goOn) : part.asItIs();
  };
  const first = await field.inTurn(async () => {
    const found = await firstAnswer(line, field);
    return found.freshAt === null ? burstFrom(line, field, options, found) : found;
  });
  if (!('freshAt' in first)) return ended(first);
  const waited = await field.pause(first.freshAt ?? 0, `the ${line.key} plan's window, which has been used`);
  return ended(
    await field.inTurn(async () =>
      burstFrom(line, field, options, waited ? { ...(await firstAnswer(line, field)), before: first.samples } : first),
    ),
  );
}

/** A burst that waits before its last request. */
interface Halted {
  readonly at: number;
  readonly goOn: () => Promise<Burst>;
  readonly asItIs: () => Burst;
}

async function burstFrom(
  line: KeyLine,
  field: Field,
  options: BurstOptions,
  start: FirstAnswer,
): Promise<Burst | Halted> {
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
    if (start > field.now()) {
      if (!(await field.pause(start, `the ${key} plan's next window, to stay inside one`))) return done(latencyMs);
      windowFrom = samples.length;
      await line.ask('listPets', sink);
    }
    const begun = field.now();
    await quickly(line, field, sink, { connections, windowFrom });
    const rolledAt = samples.length - (windowsSeen(samples, figures).pieces.at(-1)?.samples.length ?? 0);
    if (!goesOn() || rolledAt <= windowFrom || attempt === MOST_ATTEMPTS) break;
    // It took longer than thought, and a window ended in its midst: now it is known how long it takes.
    lengthMs = Math.max(lengthMs, field.now() - begun) + BESIDES_MS;
    windowFrom = rolledAt;
  }
  const first = samples[windowFrom];
  if (!goesOn() || first === undefined) return done(latencyMs);
  const pauseMs = pauseBeforeTail(first.answeredAt, field.now(), latencyMs, figures);
  if (pauseMs > 0) {
    if (!(await field.pause(field.now() + pauseMs, `requests of the ${key} plan that may come back`)))
      return done(latencyMs);
    // What came back meanwhile is not to be mistaken for what the next operation costs.
    await line.ask('listPets', sink);
  }
  await eachOperation(line, field, sink);
  const goOn = async (): Promise<Burst> => {
    await toTheRefusal(line, field, sink, { ...options, windowFrom, connections, latencyMs });
    return done(latencyMs);
  };
  const isLong = lastOfBurstAt(samples.slice(windowFrom), figures, field.clock()) !== null;
  if (options.spreads !== true || !isLong || !goesOn()) return goOn();
  await allButTheLast(line, field, sink, windowFrom);
  const at = lastOfBurstAt(samples.slice(windowFrom), figures, field.clock());
  return at === null || !goesOn() ? goOn() : { at, goOn, asItIs: () => done(latencyMs) };
}

/** The quickest answer of those that did not have to open a connection. */
function latencyOf(samples: readonly Sample[]): number {
  const reused = samples.length > 1 ? samples.slice(1) : samples;
  return Math.min(...reused.map(({ sentAt, answeredAt }) => answeredAt - sentAt));
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
  const begun = samples[windowFrom]?.sentAt ?? field.now();
  let isGone = false;
  let last = await approach(line, field, sink, {
    ...way,
    ceiling: () => windowFrom + burstCeiling(figures, field.now() - begun, samples.slice(windowFrom)),
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
