import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CapacityResults, PhaseResult } from '../../loadkit/capacity-shape.js';
import {
  judgeSlower,
  parseSlower,
  speedChanges,
  subjectText,
  type Compared,
  type SlowerRule,
} from './speed.js';

/** Returns values that vary by 2 % around a mean. */
const values = (mean: number): readonly number[] =>
  Array.from({ length: 24 }, (_, at) => mean * (1 + 0.02 * Math.sin(at * 2.4)));

/** Returns results with one phase, whose blocks vary by 2 % around a value. */
const run = (ms: number, more: Partial<PhaseResult> = {}): CapacityResults => {
  const blocks = {
    seconds: 5,
    p50: values(ms / 2),
    p95: values(ms * 0.8),
    p99: values(ms),
    throughput: values(100),
  };
  const phase = {
    name: 'hold',
    whole: true,
    saturated: null,
    operations: [],
    blocks,
    ...more,
  } as unknown as PhaseResult;
  return { phases: [phase], generator: {} } as unknown as CapacityResults;
};

const pair = (before: CapacityResults, after: CapacityResults, scenariosDiffer = false): Compared => ({
  before: [before],
  after,
  scenariosDiffer,
});

const judgedBy = (rule: SlowerRule, compared: Compared) =>
  judgeSlower(rule, speedChanges(compared, [rule]), compared.after).outcome;

const wordsOf = (before: CapacityResults, after: CapacityResults, isOther = false) =>
  speedChanges(pair(before, after, isOther)).map(
    ({ figure, answer, words }) => `${figure} ${answer}: ${words}`,
  );

test('a slower run is named with its interval, and the throughput that did not change is not', () => {
  const [p50, , p99, throughput] = wordsOf(run(100), run(112));
  assert.match(p50 ?? '', /^p50 slower: 1[01] to 1[23] % slower$/);
  assert.match(p99 ?? '', /^p99 slower: 1[01] to 1[23] % slower$/);
  assert.match(throughput ?? '', /^throughput same: no difference; 2 min could have shown [\d.]+ %$/);
});

test('a faster run is faster, and less throughput is slower', () => {
  assert.match(wordsOf(run(100), run(80))[2] ?? '', /^p99 faster: (?:19|20) to 2[01] % faster$/);
  const less = run(100);
  const half = run(100, {
    blocks: { ...less.phases[0]?.blocks, throughput: Array.from({ length: 24 }, () => 50) } as never,
  });
  assert.match(wordsOf(less, half)[3] ?? '', /^throughput slower: (?:9\d|100) to 10\d % slower$/);
});

const onMachine = (machine: string): CapacityResults => {
  const results = run(100);
  return { ...results, generator: { ...results.generator, machine } };
};

const wild = Array.from({ length: 8 }, (_, at) => (at < 4 ? 1 : 1000));
const unsteady = { seconds: 5, p50: wild, p95: wild, p99: wild, throughput: values(100) };

const UNKNOWN: readonly (readonly [what: string, words: readonly string[], reason: RegExp])[] = [
  ['another scenario', wordsOf(run(100), run(100), true), /the scenarios differ/],
  [
    'a saturated generator',
    wordsOf(run(100), run(100, { saturated: { fromMs: 0, perSecond: 1 } })),
    /the generator was the bottleneck/,
  ],
  [
    'another machine',
    wordsOf(onMachine('2 x A, 8 GiB'), onMachine('4 x B, 8 GiB')),
    /another machine sent the load: 2 x A, 8 GiB before, 4 x B, 8 GiB now/,
  ],
  [
    'an unsteady server',
    wordsOf(run(100), run(100, { blocks: unsteady })).filter((words) => words.startsWith('p99')),
    /varied so much within the runs that not even twice as slow would show/,
  ],
  ['a short phase', wordsOf(run(100), run(100, { blocks: undefined } as never)), /needs 43 s at one rate/],
];
for (const [what, words, reason] of UNKNOWN)
  test(`${what} leaves the difference unknown, with the reason`, () => {
    assert.equal(words.length, 1);
    assert.match(words[0] ?? '', reason);
  });

test('a rule fails only if the whole interval is beyond its bound', () => {
  const outcomeOf = (text: string, after: CapacityResults, isOther = false) => {
    const rule = parseSlower(text);
    assert.ok(rule, text);
    return judgedBy(rule, pair(run(100), after, isOther));
  };
  assert.equal(outcomeOf('p99 slower than 5%', run(112)), 'failed');
  assert.equal(outcomeOf('p99 slower than 14 %', run(112)), 'kept');
  assert.equal(outcomeOf('p99 slower than 11.9 %', run(112)), 'unknown', 'its interval goes beyond');
  assert.equal(outcomeOf('p99 slower than 5%', run(101)), 'kept');
  assert.equal(outcomeOf('p99 slower than 5%', run(112), true), 'unknown');
  // These runs could have shown 2 %, not a tenth of it.
  assert.equal(outcomeOf('p99 slower than 0.1%', run(100.3)), 'unknown');
  const nothing = { before: [run(100)], after: { ...run(100), phases: [] }, scenariosDiffer: false };
  assert.equal(judgedBy({ part: '', figure: 'p99', most: 0.05, text: '' }, nothing), 'unknown');
  for (const wrong of [
    'p99 slower',
    'p90 slower than 5%',
    'adoptPet p99 slower than 5%',
    'p99 < 5%',
    'p99 slower than 5ms',
    'journey p99 slower than 5%',
    'step of adopt p99 slower than 5%',
  ])
    assert.equal(parseSlower(wrong), null, wrong);
});

const ofTwelve: CapacityResults = {
  ...run(100),
  phases: Array.from(
    { length: 12 },
    (_, at) => ({ ...run(100).phases[0], name: `step ${at + 1}` }) as PhaseResult,
  ),
};

test('a rule names a reason of many phases once', () => {
  const compared = pair(ofTwelve, ofTwelve, true);
  const rule = parseSlower('p99 slower than 5%') ?? assert.fail();
  const { words } = judgeSlower(rule, speedChanges(compared, [rule]), compared.after);
  assert.equal(words, 'step 1, step 2, step 3 and 9 more: cannot tell: the scenarios differ');
});

const withOperations = (list: number, get: number) =>
  run(100, {
    operations: [
      { operation: 'listPets', blocks: run(list).phases[0]?.blocks },
      { operation: 'getPet', blocks: run(get).phases[0]?.blocks },
    ] as never,
  });

test('each operation is compared on its own, and a rule may name one', () => {
  const compared = pair(withOperations(100, 50), withOperations(100, 60));
  const slower = speedChanges(compared).filter(({ answer }) => answer === 'slower');
  assert.deepEqual([...new Set(slower.map(({ operation }) => operation))], ['getPet']);
  const outcomeOf = (text: string) => {
    const rule = parseSlower(text);
    assert.ok(rule, text);
    return judgedBy(rule, compared);
  };
  assert.equal(outcomeOf('getPet p99 slower than 5%'), 'failed');
  assert.equal(outcomeOf('listPets p99 slower than 5%'), 'kept');
  assert.equal(outcomeOf('p99 slower than 5%'), 'kept');
  assert.equal(outcomeOf('createPet p99 slower than 5%'), 'unknown');
});

test('journeys and their steps are compared on their own, and a rule may name one', () => {
  const withJourney = (whole: number, second: number): CapacityResults =>
    run(100, {
      journeys: [
        {
          journey: 'adopt',
          blocks: run(whole).phases[0]?.blocks,
          steps: [
            { operation: 'createPet', blocks: run(40).phases[0]?.blocks },
            { operation: 'getPet', blocks: run(second).phases[0]?.blocks },
          ],
        },
      ] as never,
    });
  const compared = pair(withJourney(200, 60), withJourney(240, 80));
  const slower = speedChanges(compared).filter(({ answer }) => answer === 'slower');
  assert.deepEqual(
    [...new Set(slower.map((change) => `${subjectText(change)}: ${change.words}`))].map((text) =>
      text.replace(/: (\d)\d to.*/, ': $1x %'),
    ),
    ['journey adopt in hold: 1x %', 'step 2 of adopt, getPet in hold: 3x %'],
  );
  const outcomeOf = (text: string) => judgedBy(parseSlower(text) ?? assert.fail(text), compared);
  assert.equal(outcomeOf('p99 slower than 5%'), 'kept');
  assert.equal(outcomeOf('journey adopt  p99 slower than 5 %'), 'failed');
  assert.equal(outcomeOf('step 1 of adopt p99 slower than 5%'), 'kept');
  assert.equal(outcomeOf('step 2 of adopt p50 slower than 5%'), 'failed');
  assert.equal(outcomeOf('getPet p99 slower than 5%'), 'unknown');
  assert.equal(outcomeOf('step 3 of adopt p99 slower than 5%'), 'unknown');
  assert.equal(outcomeOf('journey buy p99 slower than 5%'), 'unknown');
  // A journey that only one run has, or that has no blocks, is left out.
  const others = speedChanges(pair(run(100), withJourney(240, 80))).filter(
    ({ journey }) => journey !== undefined,
  );
  assert.deepEqual(others, []);
});

/** Returns a run whose p99 varies by a share from block to block. */
const varying = (ms: number, share: number): CapacityResults => {
  const p99 = Array.from({ length: 24 }, (_, at) => ms * (1 + share * Math.sin(at * 2.4)));
  return run(100, { blocks: { ...run(100).phases[0]?.blocks, p99 } as never });
};

test('a difference of the asked size that is not ruled out is not called none', () => {
  const p99 = (after: CapacityResults, rules: readonly SlowerRule[] = []) =>
    speedChanges(pair(varying(100, 0.4), after), rules).find(({ figure }) => figure === 'p99') ??
    assert.fail();
  const open = p99(varying(112, 0.4));
  assert.equal(open.answer, 'unknown');
  assert.match(
    open.words,
    /^cannot tell: [\d.]+ % faster to [\d.]+ % slower; \d+ min(?: \d+ s)? would show 20 %$/,
  );
  assert.ok(
    open.low !== null && open.low < 0 && open.high !== null && open.high > 0.2,
    'the interval is kept',
  );
  const rule = parseSlower('p99 slower than 60%') ?? assert.fail();
  assert.equal(p99(varying(112, 0.4), [rule]).answer, 'same', 'by the size that a rule asks for');
  const { low, high } = p99(varying(112, 0.4), [rule]);
  assert.deepEqual([low, high], [open.low, open.high], 'one interval, whatever is asked');
  assert.equal(judgedBy(rule, pair(varying(100, 0.4), varying(112, 0.4))), 'kept');
});
