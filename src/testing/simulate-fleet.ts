import { gzipSync } from 'node:zlib';
import { BEAT_MS, TOLD_SECONDS } from '../loadkit/fleet/state.js';
import {
  type AgentSeconds,
  type PartState,
  type RunState,
  type SliceState,
} from '../loadkit/fleet/messages.js';
import { knownRedacted } from '../wire/exchange/redaction.js';
import { mergeParts } from '../loadkit/fleet/merge.js';
import type { Part } from '../loadkit/fleet/part.js';
import { Meter } from '../loadkit/meter.js';
import { Seconds } from '../loadkit/seconds.js';
import type { SecondRecord } from '../log/capacity-record.js';
import { parseScenario } from '../wire/scenario/scenario.js';
import { placed } from '../wire/scenario/schedule.js';
import { arrivalsOfSlice } from '../wire/scenario/slice.js';
import { headerRecord } from '../log/records.test.support.js';
import { gather } from '../log/run-log.js';
import type { LogRecord } from '../log/record.js';

/**
 * Simulates a run with more agents than anybody has machines. Drives the kit's own splitting, reporting and
 * merging with made-up responses. Prints the figures that docs/scale.md quotes.
 */

/** Rate that the figures are for, requests a second. */
const RATE = 1_000_000;
const AGENTS = [4, 25, 100, 500, 1000];
/** Error of an agent's clock, half the round trip to Redis: a millisecond in one data centre. */
const CLOCK_ERROR_MS = 1;
/** As long as a useful run, s. */
const SECONDS = 60;

/** Creates repeatable pseudo-random numbers (a linear congruence, Numerical Recipes). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

const scenarioOf = (rate: number, seconds: number) =>
  parseScenario(
    `name: s\nphases: [{ name: hold, duration: ${seconds}s, rate: ${rate}/s }]\noperations: [{ operation: listPets, weight: 6 }, { operation: getPet, weight: 3 }, { operation: createPet, weight: 1 }]\n`,
    's.yaml',
  );

/** Returns the most arrivals in a millisecond over the mean, if each agent's clock is off by up to the error. */
function unevenness(count: number): number {
  const random = numbers(7);
  const [phase] = placed(scenarioOf(RATE, 0.2).phases);
  if (!phase) throw new Error('no phase');
  const perMs = new Uint32Array(300);
  for (let index = 0; index < count; index += 1) {
    const off = (random() * 2 - 1) * CLOCK_ERROR_MS;
    const { count: places, at } = arrivalsOfSlice({ index, count }, ['key'], phase);
    for (let place = 0; place < places; place += 1) {
      const ms = Math.floor(at(place).atMs + off) + 10;
      perMs[ms] = (perMs[ms] ?? 0) + 1;
    }
  }
  return Math.max(...perMs.subarray(20, 200)) / (RATE / 1000);
}

/** Returns the records of one agent, with latencies spread as on a busy server. */
function partLog(index: number, count: number): readonly LogRecord[] {
  const random = numbers(index + 1);
  const scenario = scenarioOf(RATE, SECONDS);
  const [meter, seconds] = [new Meter(), new Seconds(true)];
  // The size of a histogram depends on the spread of times, not on their number.
  const records = Array.from({ length: SECONDS }, (_, second): SecondRecord => {
    for (let answer = 0; answer < 500; answer += 1) {
      const latencyMs = 2 - Math.log(1 - random()) * 20;
      const operation = answer % 10 < 6 ? 'listPets' : answer % 10 < 9 ? 'getPet' : 'createPet';
      const answered = {
        operation,
        status: 200,
        outcome: 'served',
        violates: false,
        isShort: false,
        reveals: 0,
      } as const;
      const times = { latencyMs, serviceMs: latencyMs, leastMs: latencyMs };
      meter.sent(operation, 'enterprise');
      seconds.sent(0);
      meter.answered({ ...answered, ...times });
      seconds.answered({ ...answered, ...times });
    }
    const { lateMs, droppedLate: __, ...counts } = seconds.take();
    const health = { lagMs: 2.1, busy: 0.412, cpu: 0.433, underWay: 12, lateMs, behind: false };
    return { type: 'second', phase: 'hold', at: 1_000_000 + second * 1000, ms: 1000, ...counts, ...health };
  });
  return [
    {
      ...headerRecord,
      scope: { ...headerRecord.scope, selection: { scenario: 's' } },
    },
    {
      type: 'scenario',
      scenario,
      slice: { index, count },
      keys: ['enterprise'],
      leftOut: [],
      startAt: 1_000_000,
      together: { beginsAt: 1_000_000, lateMs: 0 },
    },
    ...records,
    {
      type: 'capacity-phase',
      phase: 'hold',
      startedAt: 1_000_000,
      finishedAt: 1_000_000 + SECONDS * 1000,
      intended: 500 * SECONDS,
      ...meter.totals(),
      violations: [],
      saturated: null,
      lagMs: 2.1,
      cpu: 0.4,
      whole: true,
      remarks: [],
    },
    { type: 'footer', complete: true, reason: null, finishedAt: '2026-01-01T00:00:00.000Z' },
  ];
}

const text = (records: readonly LogRecord[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** Returns the Redis traffic in MB a second: each beat writes and reads states, each second its figures. */
function redisMegabytes(count: number, log: readonly LogRecord[]): number {
  const seconds: AgentSeconds = log
    .filter((record) => record.type === 'second')
    .slice(-TOLD_SECONDS)
    // Agents send them live without their operations.
    .map((record) => {
      const { operations: _, ...second } = record;
      return second;
    });
  const state: SliceState = {
    instance: 'a'.repeat(36),
    name: 'agent-100',
    step: 'sending',
    beat: 1000,
    reason: null,
    offsetMs: 0.123,
    errorMs: 0.123,
    startAt: 1_700_000_000_000.123,
  };
  const run: RunState = { run: '0123abcd', step: 'go', beat: 1000, beginsAt: 1_700_000_000_000.123 };
  const part: PartState = { instance: 'a'.repeat(36), isReceived: false };
  const [told, ...each] = [seconds, state, state, run, part].map((value) => JSON.stringify(value).length);
  return (count * (2 * (told ?? 0) + (1000 / BEAT_MS) * each.reduce((sum, length) => sum + length, 0))) / 1e6;
}

const columns = [
  'agents',
  'each sends',
  'most in a ms',
  'Redis',
  'commands',
  'a log',
  'all logs',
  'merging',
  'memory',
];
const say = (cells: readonly string[]): void =>
  void process.stdout.write(`${cells.map((cell) => cell.padStart(13)).join('')}\n`);

process.stdout.write(
  `${RATE.toLocaleString('en')} requests a second for ${SECONDS} s, by number of agents\n\n`,
);
say(columns);
const first = partLog(0, 1000);
const logOfFirst = gather(first.map((record) => knownRedacted(record)));
for (const count of AGENTS) {
  const packed = gzipSync(text(first)).length;
  // The parts' differences do not affect the time to merge them.
  const parts = new Map(
    Array.from({ length: count }, (_, index): [number, Part] => [
      index,
      { name: `a${index}`, log: logOfFirst },
    ]),
  );
  const startedAt = performance.now();
  mergeParts(parts, {
    header: headerRecord,
    scenario: scenarioOf(RATE, SECONDS),
    count,
    beginsAt: 1_000_000,
    ended: null,
    problems: [],
    senders: new Map(),
  });
  const ms = performance.now() - startedAt;
  say([
    String(count),
    `${Math.round(RATE / count).toLocaleString('en')}/s`,
    `${unevenness(count).toFixed(2)} x`,
    `${redisMegabytes(count, first).toFixed(1)} MB/s`,
    // Per beat an agent gets three values and sets one, plus one a second; the coordinator gets and sets for all.
    `${(1000 / BEAT_MS) * (4 * count + 6) + count + 1}/s`,
    `${(packed / 1024).toFixed(0)} KB`,
    `${((packed * count) / 1e6).toFixed(1)} MB`,
    `${(ms / 1000).toFixed(1)} s`,
    `${Math.round(process.memoryUsage.rss() / 1e6)} MB`,
  ]);
}
