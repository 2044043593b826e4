import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperationName } from '../../base/interface/types.js';
import type { SecondRecord } from '../../log/capacity-record.js';
import { operationNames } from '../../base/interface/names.js';
import { blocksOf } from '../../loadkit/blocks.js';
import { Seconds } from '../../loadkit/seconds.js';
import type { CapacityResults, PhaseResult } from '../../loadkit/capacity-shape.js';
import { speedChanges, type SpeedChange } from './speed.js';
import { randomFrom } from '../../base/kernel/random.js';

const SECONDS = 120;
const RATE = 100;
const WORKERS = 3;
const PHASE = { kind: 'open', name: 'hold', seconds: SECONDS, from: RATE, to: RATE } as const;
/** Service times, ms, in the mix of an evening. */
const SERVICE: readonly (readonly [OperationName, number])[] = [
  ['listPets', 15],
  ['listPets', 15],
  ['getPet', 8],
  ['createPet', 20],
];

/**
 * Runs a phase of two minutes in virtual time against a server of three workers with one queue. Its service
 * times vary from request to request (half as an exponential), and with the load of its machine from second
 * to second.
 *
 * @param factor service times against those of the server as it is
 */
function run(seed: number, factor = 1): CapacityResults {
  const random = randomFrom(seed * 7919);
  const freeAt = Array.from({ length: WORKERS }, () => 0);
  const counted = new Seconds();
  let weather = 0;
  const answers = Array.from({ length: SECONDS * RATE }, (_, place) => {
    const intendedMs = ((place + 0.5) * 1000) / RATE;
    if (place % RATE === 0) weather = 0.5 * weather + (random() + random() + random() - 1.5) * 0.1;
    const [operation, meanMs] = SERVICE[place % SERVICE.length] ?? ['listPets', 15];
    const serviceMs = meanMs * factor * Math.exp(weather) * (0.5 - 0.5 * Math.log(1 - random()));
    const worker = freeAt.indexOf(Math.min(...freeAt));
    const answeredMs = Math.max(freeAt[worker] ?? 0, intendedMs) + serviceMs;
    freeAt[worker] = answeredMs;
    return { operation, latencyMs: answeredMs - intendedMs, answeredMs };
  }).toSorted((one, other) => one.answeredMs - other.answeredMs);
  let next = 0;
  const seconds = Array.from({ length: SECONDS }, (_, second): SecondRecord => {
    for (
      let answer = answers[next];
      answer && answer.answeredMs < (second + 1) * 1000;
      answer = answers[(next += 1)]
    ) {
      const { operation, latencyMs } = answer;
      const times = { latencyMs, serviceMs: latencyMs, leastMs: latencyMs };
      counted.answered({
        operation,
        status: 200,
        outcome: 'served',
        violates: false,
        isShort: false,
        reveals: 0,
        ...times,
      });
    }
    const { droppedLate: __, ...figures } = counted.take();
    const health = { lagMs: 1, busy: 0.2, cpu: 0.2, underWay: 0, behind: false };
    return { type: 'second', phase: 'hold', at: (second + 1) * 1000, ms: 1000, ...figures, ...health };
  });
  const blocks = blocksOf(PHASE, seconds);
  assert.ok(blocks);
  const operations = operationNames.flatMap((operation) => {
    const own = blocks.of({ operation });
    return own ? [{ operation, blocks: own }] : [];
  });
  const phase = { name: 'hold', whole: true, saturated: null, blocks: blocks.whole, operations };
  return { phases: [phase as unknown as PhaseResult], generator: {} } as unknown as CapacityResults;
}

const known = new Map<number, CapacityResults>();

/** Returns the server's run of a seed as it is: most are the second of one pair and the first of the next. */
function runAsItIs(seed: number): CapacityResults {
  const results = known.get(seed) ?? run(seed);
  known.set(seed, results);
  return results;
}

const changesOf = (before: readonly CapacityResults[], after: CapacityResults): readonly SpeedChange[] =>
  speedChanges({ before, after, scenariosDiffer: false });

const has = (changes: readonly SpeedChange[], ...answers: readonly SpeedChange['answer'][]): boolean =>
  changes.some(({ answer }) => answers.includes(answer));

test('of 200 pairs of runs of one server, at most 5 in 100 are called different in any figure', (t) => {
  const alarms = Array.from({ length: 200 }, (_, pair) =>
    changesOf([runAsItIs(pair)], runAsItIs(pair + 1)),
  ).filter((changes) => has(changes, 'slower', 'faster'));
  t.diagnostic(`${alarms.length} of 200 called different`);
  assert.ok(alarms.length <= 10, `${alarms.length} of 200`);
});

test('a server made 10 % slower is found in 90 of 100 runs of two minutes, and never called faster', (t) => {
  const all = Array.from({ length: 100 }, (_, pair) => changesOf([runAsItIs(pair)], run(pair + 1, 1.1)));
  const found = all.filter((changes) => has(changes, 'slower'));
  const by = (figure: string): number =>
    all.filter((changes) => changes.some((one) => one.answer === 'slower' && one.figure === figure)).length;
  t.diagnostic(`${found.length} of 100 found; p50 ${by('p50')}, p95 ${by('p95')}, p99 ${by('p99')}`);
  assert.ok(found.length >= 90, `${found.length} of 100`);
  assert.ok(!all.some((changes) => has(changes, 'faster')));
});
