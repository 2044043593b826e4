import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import autocannon from 'autocannon';
import { planCapacity } from '../loadkit/plan.js';
import type { CapacityPhaseRecord } from '../log/capacity-record.js';
import { machineClock } from '../drive/load/clock.js';
import { onSchedule } from '../loadkit/on-schedule.js';
import { runCapacity } from '../loadkit/run-capacity.js';
import { parseScenario } from '../wire/scenario/scenario.js';
import { now } from '../wire/exchange/connection.js';
import { memoryJournal } from '../log/journal.js';
import { judging } from '../judge/checks/judging.js';
import { parseTarget } from '../wire/targets/load-target.js';
import { measureArtillery } from './measure-artillery.js';
import { fastServer, median } from './measure.js';

/** Throughput of two generators in alternating turns, by wall clock and by processor time. */
export interface Contest {
  /** Requests a second, medians. */
  readonly bare: number;
  readonly checked: number;
  /** Checked over bare, the median of all pairs: requests a second, and requests per second of processor time. */
  readonly byClock: number;
  readonly byProcessor: number;
}

const CONNECTIONS = 10;
/** Short turns, so that other work on the machine affects both alike. The first pair only warms up. */
const TURN_SECONDS = 2;
const TURNS = 7;
const KEY = 'pk-some-key-of-a-bench';
/** Built once: a run of the command builds it before it sends, and these turns measure sending. */
const JUDGING = judging();
const OPEN_RATE = 2000;
const OPEN_SECONDS = 10;

/** Measures load, and a generator that checks nothing, against one server in a separate process. */
export async function measureLoad(turns = TURNS) {
  using server = await fastServer();
  const { origin } = server;
  return {
    reads: await contest(origin, false, turns),
    /** A tenth are creations, each with a different name. */
    creations: await contest(origin, true, turns),
    /**
     * Deviation of the gaps in the same schedule without requests, p99, ms: the timers' error on this
     * machine.
     */
    timersP99: await gapsOfTimers(),
    open: await openLoop(origin),
    /** Requests a second of artillery, which checks nothing; null where it is not installed. */
    artillery: await measureArtillery(origin, KEY, CONNECTIONS),
  };
}

interface Turn {
  readonly perSecond: number;
  readonly perProcessorSecond: number;
}

async function contest(origin: string, creations: boolean, turns: number): Promise<Contest> {
  const pairs: { readonly bare: Turn; readonly checked: Turn }[] = [];
  for (let turn = 0; turn <= turns; turn += 1) {
    const bare = await timed(() => bareTurn(origin, creations));
    const checked = await timed(() => checkedTurn(origin, creations));
    if (turn > 0) pairs.push({ bare, checked });
  }
  return {
    bare: median(pairs.map(({ bare }) => bare.perSecond)),
    checked: median(pairs.map(({ checked }) => checked.perSecond)),
    byClock: median(pairs.map(({ bare, checked }) => checked.perSecond / bare.perSecond)),
    byProcessor: median(
      pairs.map(({ bare, checked }) => checked.perProcessorSecond / bare.perProcessorSecond),
    ),
  };
}

async function timed(
  send: () => Promise<{ readonly requests: number; readonly seconds: number }>,
): Promise<Turn> {
  const before = process.cpuUsage();
  const { requests, seconds } = await send();
  const { user, system } = process.cpuUsage(before);
  return { perSecond: requests / seconds, perProcessorSecond: requests / ((user + system) / 1e6) };
}

let created = 0;

/** Runs autocannon in its usual way; each creation has its own name, like the kit's. */
async function bareTurn(url: string, creations: boolean) {
  const list: autocannon.Request = { method: 'GET', path: '/v1/pets?limit=20' };
  const create: autocannon.Request = {
    method: 'POST',
    path: '/v1/pets',
    setupRequest: (request) => {
      const name = `conformance-0123abcd-load-1-${(created += 1)}`;
      const body = JSON.stringify({ name, categoryId: 1, status: 'available' });
      return { ...request, body, headers: { ...request.headers, 'Content-Type': 'application/json' } };
    },
  };
  const { requests, duration } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: TURN_SECONDS,
    headers: { Authorization: `Bearer ${KEY}` },
    requests: creations ? [...Array.from({ length: 9 }, () => list), create] : [list],
  });
  return { requests: requests.total, seconds: duration };
}

async function checkedTurn(origin: string, creations: boolean) {
  const flood = `{ name: flood, duration: ${TURN_SECONDS}s, connections: ${CONNECTIONS} }`;
  const { startedAt, finishedAt, operations } = await phaseOf(origin, flood, creations);
  return {
    requests: operations.reduce((sum, { served }) => sum + served, 0),
    seconds: (finishedAt - startedAt) / 1000,
  };
}

/** Runs a phase in this process, as a load run of the command does. */
async function phaseOf(origin: string, phase: string, creations: boolean): Promise<CapacityPhaseRecord> {
  const operations = [
    '{ operation: listPets, weight: 9, query: { limit: 20 } }',
    ...(creations ? ['{ operation: createPet, weight: 1 }'] : []),
  ];
  const scenario = parseScenario(
    `name: b\nphases: [${phase}]\noperations: [${operations.join(', ')}]\noverLimit: allow\n`,
    'the scenario of the bench',
  );
  const target = parseTarget(
    `name: t\nbaseUrl: ${origin}/v1\nkeys: { enterprise: ${KEY} }\nplans: { enterprise: { perMinute: 100000000, perDay: 1000000000 } }\n`,
    'the target of the bench',
    {},
  );
  const journal = memoryJournal();
  await runCapacity({
    plan: planCapacity({ scenario, target, writes: true, fetches: true }),
    target,
    judging: JUDGING,
    journal,
    run: '0123abcd',
    census: null,
    earlier: new Map(),
    startAt: now(),
    signal: new AbortController().signal,
  });
  const [record] = journal.records.flatMap((each) => (each.type === 'capacity-phase' ? [each] : []));
  if (!record || record.violations.length > 0)
    throw new Error(`The bench's own server was found wrong: ${JSON.stringify(record?.violations)}`);
  return record;
}

/** Measures open loop when requests are written to the wire. */
async function openLoop(origin: string) {
  const sentAt: number[] = [];
  const note = (): void => void sentAt.push(performance.now());
  subscribe('undici:client:sendHeaders', note);
  try {
    const phase = `{ name: open, duration: ${OPEN_SECONDS}s, rate: ${OPEN_RATE}/s }`;
    const { droppedLate, droppedFull } = await phaseOf(origin, phase, false);
    const share = sharesOf(sentAt);
    return {
      /** Deviation of the gap between two requests from the intended one, p99, ms. */
      gapP99: share(0.99),
      dropped: droppedLate + droppedFull,
    };
  } finally {
    unsubscribe('undici:client:sendHeaders', note);
  }
}

/** Runs the same schedule without requests. */
async function gapsOfTimers(): Promise<number> {
  const { signal } = new AbortController();
  const from = now();
  const at: number[] = [];
  const begin = (): null => {
    at.push(now());
    return null;
  };
  const schedule = {
    count: () => OPEN_RATE * OPEN_SECONDS,
    at: (place: number) => from + (place * 1000) / OPEN_RATE,
    begin,
  };
  await onSchedule(schedule, { ...machineClock, signal }).sent;
  return sharesOf(at)(0.99);
}

/** Returns the deviation of the gaps from the intended one at a percentile, ms. */
function sharesOf(moments: readonly number[]): (part: number) => number {
  const gaps = moments
    .slice(1)
    .map((at, place) => Math.abs(at - (moments[place] ?? at) - 1000 / OPEN_RATE))
    .toSorted((one, other) => one - other);
  return (part) => gaps[Math.floor(gaps.length * part)] ?? 0;
}
