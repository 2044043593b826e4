import type { CapacityOptions } from './capacity-options.js';
import { setMaxListeners } from 'node:events';
import type { PlanName } from '../base/interface/types.js';
import { now } from '../wire/exchange/connection.js';
import { figuresOf } from '../drive/load/figures.js';
import { machineClock } from '../drive/load/clock.js';
import { newConnectionReuse } from '../wire/exchange/connection-reuse.js';
import { wireContext } from '../drive/load/requests.js';
import { abortWatch } from './thresholds.js';
import type { EngineContext } from './engine-context.js';
import { fellBehind, measureStalls, watchHealth } from './health.js';
import { AnswerJudge, type JudgedKey } from './judge-answers.js';
import { watchKey } from './key-watch.js';
import { Meter } from './meter.js';
import { Seconds } from './seconds.js';
import { connectionPool } from './open-loop.js';
import { recordPhase } from './phase-record.js';
import type { CapacityPhaseRecord, SecondRecord } from '../log/capacity-record.js';
import { requestSource } from './requests.js';
import { send, type Run } from './send-phase.js';
import { watchSharedKeys } from './shared-keys.js';
import { countsUntil, watchThroughput } from './throughput.js';
import { turnsOf, type PlacedPhase } from '../wire/scenario/schedule.js';

const SECOND_MS = 1000;
/**
 * An empty piece of a second at the edge of a phase, shorter than this, joins the next one: it shows nothing,
 * ms.
 */
const LEAST_PIECE_MS = 50;

/**
 * Runs the phases of a scenario on one absolute schedule, judges and counts every response, and writes
 * seconds and phases into the journal. Faults of target and network are figures, never exceptions. Returns
 * the reason if the scenario's own rule stopped it; otherwise null.
 */
export const runCapacity = (options: CapacityOptions): Promise<string | null> =>
  new ScenarioRun(options).toItsEnd();

class ScenarioRun {
  /** Ends the run by the scenario's own rule. */
  private readonly own = new AbortController();
  private readonly signal: AbortSignal;
  private readonly shared: EngineContext;
  private readonly health = watchHealth();
  private readonly abort: ReturnType<typeof abortWatch>;
  private readonly run: Run;
  private readonly seconds: SecondRecord[] = [];
  private readonly pending: Promise<CapacityPhaseRecord>[] = [];
  private phase: string;
  private aborted: string | null = null;
  /** Ends the current step of a search that nothing answers; null in any other phase. */
  private step: { readonly meter: Meter; readonly over: AbortController } | null = null;

  constructor(private readonly options: CapacityOptions) {
    const { plan, target, journal, startAt, earlier } = options;
    this.signal = AbortSignal.any([options.signal, this.own.signal]);
    // Every connection listens for the interruption.
    setMaxListeners(0, this.signal);
    this.shared = fieldOf(options, this.signal);
    this.abort = abortWatch(plan.scenario.abort);
    this.phase = plan.phases[0]?.phase.name ?? '';
    const { shared, seconds } = this;
    const pool = connectionPool(shared);
    const missedMs = now() - startAt;
    this.run = { plan, target, journal, startAt, earlier, shared, pool, seconds, missedMs };
  }

  /** Ends the present second, or piece of one. */
  private tick(): void {
    const { shared, seconds } = this;
    const { startAt, journal } = this.options;
    const at = now();
    const previous = seconds.at(-1)?.at ?? startAt;
    if (at <= previous || (at - previous < LEAST_PIECE_MS && shared.seconds.isEmpty())) return;
    const { lateMs, droppedLate, ...second } = shared.seconds.take();
    const generator = this.health.take();
    const record: SecondRecord = {
      type: 'second',
      phase: this.phase,
      at: Math.round(at),
      ms: Math.round(at - previous),
      ...second,
      ...shared.sharedKeys?.take(),
      ...generator,
      underWay: shared.seconds.underWay(),
      lateMs: Math.round(lateMs * 10) / 10,
      behind: fellBehind({ ...generator, intended: second.intended }, droppedLate),
    };
    seconds.push(record);
    journal.append(record);
    if (this.step?.meter.silence.isGone(at)) this.step.over.abort();
    const why = this.abort(record);
    if (why !== null && this.aborted === null && !this.signal.aborted) {
      this.aborted = why;
      this.own.abort();
    }
  }

  /** Sends a phase; false if it was interrupted before. Its record is the last pending one. */
  private async begin(placed: PlacedPhase): Promise<boolean> {
    const { shared } = this;
    const { startAt, journal, nextPhase } = this.options;
    const { name } = placed.phase;
    if (!(await machineClock.sleepUntil(startAt + placed.startMs, this.signal))) return false;
    this.tick();
    this.phase = name;
    journal.append({ type: 'progress', profile: name, plan: 'capacity', text: 'begins' });
    const endAt = startAt + placed.endMs;
    const beganAt = startAt + placed.startMs;
    const meter = new Meter(name, countsUntil(endAt, endAt - beganAt), beganAt);
    const stoodBefore = shared.stalls.stoodUntil(now());
    shared.throughput.begins(meter);
    const over = new AbortController();
    // The phases of a scenario keep their time, as a server may come back.
    if (nextPhase) this.step = { meter, over };
    const { sent, answered } = send(placed, meter, this.run, over.signal);
    const recordedOf = async (): Promise<CapacityPhaseRecord> => {
      const remarks = await answered;
      // Responses to an earlier phase may still come in its time.
      if (placed.phase.kind === 'open')
        await machineClock.sleepUntil(endAt, AbortSignal.any([this.signal, over.signal]));
      // Nothing after the last phase would end its last second.
      if (this.phase === name) this.tick();
      const stoodMs = shared.stalls.stoodUntil(now()) - stoodBefore;
      return recordPhase(placed, { meter, remarks, stoodMs, isWhole: !this.signal.aborted }, this.run);
    };
    this.pending.push(recordedOf());
    await sent;
    return true;
  }

  private async sendAll(): Promise<void> {
    const { plan, startAt, nextPhase = () => null } = this.options;
    for (const placed of plan.phases) if (!(await this.begin(placed))) break;
    await Promise.all(this.pending);
    const next = (before: CapacityPhaseRecord | null) => nextPhase(before, this.seconds, now() - startAt);
    for (let placed = next(null); placed !== null && (await this.begin(placed));) {
      const recorded = (await this.pending.at(-1)) ?? null;
      if (this.signal.aborted) break;
      placed = next(recorded);
    }
  }

  async toItsEnd(): Promise<string | null> {
    const { shared, health, run } = this;
    await machineClock.sleepUntil(this.options.startAt, this.signal);
    // Loading and setup until now are no part of the run.
    health.take();
    const ticking = setInterval(() => this.tick(), SECOND_MS);
    try {
      await this.sendAll();
    } finally {
      clearInterval(ticking);
      this.tick();
      health.close();
      shared.stalls.close();
      shared.judge.close();
      await run.pool.close();
    }
    return this.aborted;
  }
}

function fieldOf(options: CapacityOptions, signal: AbortSignal): EngineContext {
  const { plan, target, judging, journal, run, census, earlier, connections, onFinished } = options;
  const keys = new Map<PlanName, JudgedKey>(
    plan.keys.flatMap((name) => {
      const secret = target.keys[name];
      if (!secret) return [];
      const figures = figuresOf(target, name);
      const watch = watchKey(figures, target.windows, plan.scenario.overLimit);
      const before = earlier.get(name) ?? 0;
      for (let count = 0; count < before; count += 1) watch.sent(now());
      return [[name, { figures, watch, context: wireContext(target, options, name, secret) }] as const];
    }),
  );
  const reuse = newConnectionReuse(connections);
  const judge = new AnswerJudge(judging, journal, keys, census, plan.isShared);
  const source = requestSource(run, census, judge.newKnown, plan.slice.index, judging.contract);
  return {
    origin: new URL(target.baseUrl).origin,
    limits: { ...target.http, signal },
    keys,
    source,
    turns: turnsOf(plan.operations.filter(({ operation }) => source.canFetch || operation !== 'getPet')),
    judge,
    seconds: new Seconds(plan.slice.count > 1),
    stalls: measureStalls(),
    throughput: watchThroughput(),
    sharedKeys: plan.isShared ? watchSharedKeys() : null,
    onFinished,
    reuse,
    signal,
  };
}
