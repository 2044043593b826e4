import { setMaxListeners } from 'node:events';
import type { Page } from '../judge/checks/listing.js';
import type { Judging } from '../judge/checks/layers.js';
import type { PlanName } from '../base/interface/types.js';
import { now } from '../wire/exchange/connection.js';
import { counted } from '../base/kernel/format.js';
import type { Journal } from '../log/journal.js';
import { figuresOf } from '../drive/experiments/figures.js';
import { machineClock } from '../drive/load/clock.js';
import { newReuse, type Learnt } from '../wire/exchange/reuse.js';
import { wireContext } from '../drive/load/requests.js';
import type { Target } from '../wire/targets/target.js';
import { closedRoom } from './allowance.js';
import { abortWatch } from './thresholds.js';
import { closedLoop } from './closed-loop.js';
import { CLOSES, type EngineContext, type Sending } from './engine-context.js';
import { watchHealth, measureStalls, fellBehind, saturationOf } from './health.js';
import { sum, sumAll } from './figures.js';
import { answerJudge, type JudgedKey } from './judge-answers.js';
import { watchKey } from './key-watch.js';
import { newMeter, type FinishedRequest, type Meter, newSeconds } from './meter.js';
import { connectionPool, MOST_LATE_MS, MOST_UNDER_WAY, openLoop, type Arrivals, type Pool } from './open-loop.js';
import type { CapacityPlan } from './plan.js';
import type { CapacityPhaseRecord, SecondRecord } from '../log/capacity-record.js';
import { firstOfJourney } from './journeys.js';
import { bothEvents } from './journey-meter.js';
import { requestSource, type Prepared } from './requests.js';
import { countsUntil, watchThroughput } from './throughput.js';
import { journeysByName } from '../wire/scenario/journey.js';
import { turnsOf, type PlacedPhase } from '../wire/scenario/schedule.js';
import { arrivalsOfSlice, placesOf } from '../wire/scenario/slice.js';

export interface CapacityOptions {
  readonly plan: CapacityPlan;
  readonly target: Target;
  readonly judging: Judging;
  readonly journal: Journal;
  /** ID of the run: eight hexadecimal digits. */
  readonly run: string;
  /** Preflight's listing, the source of fetches and categories; null without one. */
  readonly census: Page | null;
  /** Earlier use of each key's minute. */
  readonly earlier: ReadonlyMap<PlanName, number>;
  /** Behaviour of the server's connections in preflight. */
  readonly connections?: Learnt | undefined;
  /** Start of the first phase, Unix ms. */
  readonly startAt: number;
  readonly signal: AbortSignal;
  /**
   * Returns the phase after those of the plan, once the one before has all its responses; null for none.
   * @param recorded record of the phase before; null for the first
   */
  readonly nextPhase?: ((recorded: CapacityPhaseRecord | null, elapsedMs: number) => PlacedPhase | null) | undefined;
  /** Is called for every finished request. */
  readonly onFinished?: ((request: FinishedRequest) => void) | undefined;
}

const SECOND_MS = 1000;

/**
 * Runs the phases of a scenario on one absolute schedule, judges and counts every response, and writes seconds and
 * phases into the journal. Faults of target and network are figures, never exceptions. Returns the reason if the scenario's
 * own rule stopped it; otherwise null.
 */
export async function runCapacity(options: CapacityOptions): Promise<string | null> {
  const { plan, journal, startAt, nextPhase = () => null } = options;
  const own = new AbortController();
  const signal = AbortSignal.any([options.signal, own.signal]);
  // Every connection listens for the interruption.
  setMaxListeners(0, signal);
  const shared = fieldOf(options, signal);
  const pool = connectionPool(shared);
  const health = watchHealth();
  const abort = abortWatch(plan.scenario.abort);
  const state = { phase: plan.phases[0]?.phase.name ?? '', aborted: null as string | null };
  const seconds: SecondRecord[] = [];

  const tick = (): void => {
    const at = now();
    const previous = seconds.at(-1)?.at ?? startAt;
    if (at <= previous) return;
    const { lateMs, droppedLate, ...second } = shared.seconds.take();
    const generator = health.take();
    const record: SecondRecord = {
      type: 'second',
      phase: state.phase,
      at: Math.round(at),
      ms: Math.round(at - previous),
      ...second,
      ...generator,
      underWay: shared.seconds.underWay(),
      lateMs: Math.round(lateMs * 10) / 10,
      behind: fellBehind({ ...generator, intended: second.intended }, droppedLate),
    };
    seconds.push(record);
    journal.append(record);
    const why = abort(record);
    if (why !== null && state.aborted === null && !signal.aborted) {
      state.aborted = why;
      own.abort();
    }
  };

  const pending: Promise<CapacityPhaseRecord>[] = [];
  const { target, earlier } = options;
  const run: Run = { plan, target, journal, startAt, earlier, shared, pool, seconds, missedMs: now() - startAt };
  /** Sends a phase; false if it was interrupted before. Its record is the last pending one. */
  const begin = async (placed: PlacedPhase): Promise<boolean> => {
    if (!(await machineClock.sleepUntil(startAt + placed.startMs, signal))) return false;
    tick();
    state.phase = placed.phase.name;
    journal.append({ type: 'progress', profile: placed.phase.name, plan: 'capacity', text: 'begins' });
    const endAt = startAt + placed.endMs;
    const meter = newMeter(placed.phase.name, countsUntil(endAt, placed.endMs - placed.startMs));
    shared.throughput.begins(meter);
    const { sent, answered } = send(placed, meter, run);
    const recordedOf = async (): Promise<CapacityPhaseRecord> => {
      const remarks = await answered;
      // Responses to an earlier phase may still come in its time.
      if (placed.phase.kind === 'open') await machineClock.sleepUntil(endAt, signal);
      // Nothing after the last phase would end its last second.
      if (state.phase === placed.phase.name) tick();
      return recordPhase(placed, meter, remarks, !signal.aborted, run);
    };
    pending.push(recordedOf());
    await sent;
    return true;
  };
  await machineClock.sleepUntil(startAt, signal);
  // Loading and setup until now are no part of the run.
  health.take();
  const ticking = setInterval(tick, SECOND_MS);
  try {
    for (const placed of plan.phases) if (!(await begin(placed))) break;
    await Promise.all(pending);
    let recorded: CapacityPhaseRecord | null = null;
    for (let placed = nextPhase(null, now() - startAt); placed !== null && (await begin(placed));) {
      recorded = (await pending.at(-1)) ?? null;
      if (signal.aborted) break;
      placed = nextPhase(recorded, now() - startAt);
    }
  } finally {
    clearInterval(ticking);
    tick();
    health.close();
    shared.stalls.close();
    shared.judge.close();
    await pool.close();
  }
  return state.aborted;
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
  const reuse = newReuse(connections);
  const judge = answerJudge(judging, journal, keys, census);
  const source = requestSource(run, census, judge.newKnown, plan.slice.index, judging.contract);
  const operations = plan.operations.filter(({ operation }) => source.canFetch || operation !== 'getPet');
  return {
    origin: new URL(target.baseUrl).origin,
    limits: { ...target.http, signal },
    keys,
    source,
    turns: turnsOf(
      operations.length > 0 ? operations : [{ operation: 'listPets', weight: 1, limits: [], statuses: [] }],
    ),
    judge,
    seconds: newSeconds(plan.slice.count > 1),
    stalls: measureStalls(),
    throughput: watchThroughput(),
    onFinished,
    reuse,
    signal,
  };
}

interface Run extends Pick<CapacityOptions, 'plan' | 'target' | 'journal' | 'startAt' | 'earlier'> {
  readonly shared: EngineContext;
  readonly pool: Pool;
  readonly seconds: readonly SecondRecord[];
  /** Time of the run that passed before this part began, ms. */
  readonly missedMs: number;
}

function send(placed: PlacedPhase, meter: Meter, run: Run): Sending {
  const { plan, shared, pool, startAt, earlier } = run;
  const windowMs = run.target.windows.minute * 1000;
  const { phase, endMs, before } = placed;
  const [first = 'free', ...others] = shared.keys.keys();
  const names: readonly [PlanName, ...PlanName[]] = [first, ...others];
  if (phase.kind === 'open') {
    const slice = arrivalsOfSlice(plan.slice, names, placed);
    const at = (place: number): number => startAt + slice.at(place).atMs;
    const arrivals: Arrivals = {
      count: slice.count,
      at,
      request(place) {
        const { nth, key } = slice.at(place);
        return beginning(run, meter, at(place), nth, key);
      },
      isToWait: (place, now) => shared.keys.get(slice.at(place).key)?.watch.isToWait(now) ?? false,
    };
    return openLoop(shared, pool, meter, arrivals, startAt + (plan.phases.at(-1)?.endMs ?? Infinity));
  }
  const connections = placesOf(plan.slice, phase.connections);
  // With fewer connections than parts, this one has nothing to do in this phase.
  if (connections === 0) return { sent: Promise.resolve(), answered: Promise.resolve([]) };
  /** Room of each key in this phase. */
  const budget = new Map(
    plan.keys.map((key) => {
      const spent = plan.spending.get(key);
      return [key, spent ? closedRoom(spent, placed, earlier.get(key) ?? 0, windowMs) : 0] as const;
    }),
  );
  const spend = (key: PlanName): boolean => {
    const room = budget.get(key) ?? 0;
    if (room > 0) budget.set(key, room - 1);
    return room > 0;
  };
  let place = 0;
  let asked = 0;
  return closedLoop(shared, meter, {
    connections: Math.min(connections, sumAll(budget.values())),
    until: startAt + endMs,
    next: () => {
      // Skips a key without room.
      for (let tries = 0; tries < names.length; tries += 1) {
        const key = names[place % names.length] ?? first;
        place += 1;
        if (shared.keys.get(key)?.watch.isToWait(now()) || !spend(key)) continue;
        asked += 1;
        return prepared(shared, before + asked, key);
      }
      return null;
    },
    again: ({ key }) => spend(key),
  });
}

const prepared = ({ turns, source }: EngineContext, nth: number, key: PlanName): Prepared =>
  source.prepare(turns.at(nth), key, nth);

/** Prepares the request of an arrival, or the first one of its journey. */
function beginning(
  { shared, plan }: Pick<Run, 'shared' | 'plan'>,
  meter: Meter,
  intendedAt: number,
  nth: number,
  key: PlanName,
): Prepared {
  const journey = journeysByName(plan.scenario.journeys).get(shared.turns.at(nth).journey ?? '');
  if (!journey) return prepared(shared, nth, key);
  const ofPhase = meter.journey(journey);
  ofPhase.started();
  const tally = bothEvents(ofPhase, shared.seconds.journey(journey));
  return firstOfJourney({ journey, key, source: shared.source, tally, intendedAt, nth });
}

const fullWords = (dropped: number): string =>
  `${counted(dropped, 'arrival')} ${dropped === 1 ? 'was' : 'were'} not sent, because ${MOST_UNDER_WAY} requests had no response`;

const againWords = (again: number): string =>
  `${counted(again, 'request')} ${again === 1 ? 'was' : 'were'} sent again, ` +
  `because the server closed ${again === 1 ? 'its connection' : 'their connections'}`;

function recordPhase(
  placed: PlacedPhase,
  meter: Meter,
  remarks: readonly string[],
  isWhole: boolean,
  { shared, journal, startAt, plan, seconds, missedMs }: Run,
): CapacityPhaseRecord {
  const { phase, startMs, endMs, count } = placed;
  const startedAt = startAt + startMs;
  const own = seconds.filter((second) => second.phase === phase.name);
  const totals = meter.totals();
  const sent = sum(totals.operations, (operation) => operation.sent);
  const intended = count === null ? null : placesOf(plan.slice, count) + (totals.followed ?? 0);
  const finishedAt = Math.min(now(), startAt + endMs);
  const why = plan.keys.some((key) => shared.keys.get(key)?.watch.isToWait(finishedAt))
    ? 'its keys had to wait after a 429'
    : 'the plans of its keys allow no more requests (overLimit: allow continues)';
  const early =
    phase.kind === 'closed' &&
    sent > 0 &&
    isWhole &&
    !remarks.some((remark) => remark !== CLOSES) &&
    finishedAt < startAt + endMs - SECOND_MS;
  const record: CapacityPhaseRecord = {
    type: 'capacity-phase',
    phase: phase.name,
    startedAt: Math.round(startedAt),
    finishedAt: Math.round(finishedAt),
    intended,
    ...totals,
    violations: shared.judge.ofPhase(),
    // A late part's missed requests, or a phase without any, show nothing about its capacity.
    saturated:
      // Files and ports are missing then, and not time.
      totals.exhausted || missedMs - startMs > MOST_LATE_MS || (intended ?? sent) === 0
        ? null
        : saturationOf(
            own.map(({ at, ...second }) => ({ ...second, endMs: at - startedAt })),
            totals.droppedLate,
            intended ?? sent,
          ),
    lagMs: Math.max(0, ...own.map(({ lagMs }) => lagMs)),
    cpu: sum(own, ({ cpu }) => cpu) / Math.max(1, own.length),
    whole: isWhole,
    remarks: [
      ...[...meter.causes()].map(([cause, times]) => `${counted(times, 'request')} got no response: ${cause}`),
      ...remarks,
      ...(totals.droppedFull > 0 ? [fullWords(totals.droppedFull)] : []),
      ...(totals.again === undefined ? [] : [againWords(totals.again)]),
      ...(totals.droppedHeld
        ? [`${counted(totals.droppedHeld, 'request')} not sent, because the key had to wait after a 429`]
        : []),
      ...(early ? [`it ended early: ${why}`] : []),
    ],
  };
  journal.append(record);
  return record;
}
