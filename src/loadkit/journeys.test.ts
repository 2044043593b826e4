import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Journey } from '../wire/scenario/journey-file.js';
import type { SecondRecord } from '../log/capacity-record.js';
import { blocksOf } from './blocks.js';
import { mergeSeconds } from './fleet/merge-figures.js';
import { newJourneyTally, journeysOf, mergeJourneys } from './journey-meter.js';
import { firstOfJourney } from './journeys.js';
import { Seconds } from './seconds.js';
import type { Following, StepEnd, Prepared } from './requests.js';

const JOURNEY: Journey = {
  name: 'adopt',
  thinkMs: 500,
  steps: [
    { operation: 'createPet', until: 'once', tries: 1 },
    { operation: 'getPet', until: 'once', tries: 1 },
    { operation: 'listPets', limit: 100, until: 'shown', tries: 2 },
  ],
};
/** More digits than a double has. */
const ID = '9007199254740993';

/** A request of which only the names are read. */
const request = (operation: Prepared['operation'], id?: string): Prepared =>
  ({ operation, key: 'pro', known: null, asked: id === undefined ? {} : { id } }) as unknown as Prepared;

/** Returns the end of a step that was served. */
const served = (answeredAt: number, body: string): StepEnd => ({
  outcome: 'served',
  response: { kind: 'response', status: 200, headers: [], bytes: Buffer.from(body) },
  latencyMs: 20,
  answeredAt,
});

/** Begins a journey at 1,000 ms, whose steps are answered one by one. */
function begun() {
  const tally = newJourneyTally(JOURNEY);
  tally.started();
  const source = {
    prepare: ({ operation }: Pick<Prepared, 'operation'>) => request(operation),
    fetch: (id: string) => request('getPet', id),
  };
  const first = firstOfJourney({ journey: JOURNEY, key: 'pro', source, tally, intendedAt: 1000, nth: 0 });
  const results = () => journeysOf([tally.record()])[0];
  return { first, results };
}

const nextOf = (following: Following | null | undefined): Following => {
  assert.ok(following);
  return following;
};

test('each step follows the response before it after the time to think, and fetches what was created', () => {
  const { first, results } = begun();
  assert.equal(first.operation, 'createPet');
  const fetched = nextOf(first.onEnd?.(served(1020, `{"id":${ID},"name":"a"}`)));
  assert.deepEqual(
    [fetched.at, fetched.request.operation, fetched.request.asked],
    [1520, 'getPet', { id: ID }],
  );
  const listed = nextOf(fetched.request.onEnd?.(served(1540, `{"id":${ID}}`)));
  assert.deepEqual([listed.at, listed.request.operation], [2040, 'listPets']);
  // The first listing does not show it yet: a near id is another animal.
  const again = nextOf(listed.request.onEnd?.(served(2060, '[{"id":9007199254740992}]')));
  assert.deepEqual([again.at, again.request.operation], [2560, 'listPets']);
  assert.equal(again.request.onEnd?.(served(2600, `[{"id":1},{"id":${ID}}]`)), null);
  const { started, finished, notShown, latencyMs, steps } = results() ?? {};
  assert.deepEqual([started, finished, notShown], [1, 1, 0]);
  assert.ok(Math.abs((latencyMs?.p50 ?? 0) - 1600) < 2, 'from the intended start');
  assert.deepEqual(
    steps?.map(({ operation, answered }) => [operation, answered]),
    [
      ['createPet', 1],
      ['getPet', 1],
      ['listPets', 2],
    ],
  );
});

test('a journey ends where its listing never shows the animal, and where a step is not served', () => {
  const one = begun();
  const created = nextOf(one.first.onEnd?.(served(1020, `{"id":${ID}}`)));
  const listed = nextOf(created.request.onEnd?.(served(1540, `{"id":${ID}}`)));
  const again = nextOf(listed.request.onEnd?.(served(2060, '[]')));
  assert.equal(again.request.onEnd?.(served(2600, '[]')), null);
  assert.deepEqual([one.results()?.finished, one.results()?.notShown], [0, 1]);

  const other = begun();
  assert.equal(
    other.first.onEnd?.({ outcome: 'refused', response: null, latencyMs: 5, answeredAt: 1005 }),
    null,
  );
  assert.equal(other.results()?.finished, 0);
  // Without an id there is nothing to fetch.
  const third = begun();
  assert.equal(third.first.onEnd?.(served(1020, 'no JSON')), null);
});

test('journeys of parts are added', () => {
  const { first } = begun();
  first.onEnd?.(served(1020, '{}'));
  const tally = newJourneyTally(JOURNEY);
  tally.started();
  tally.answered(0, 30, true);
  tally.finished(100);
  const [merged] = journeysOf(mergeJourneys([tally.record(), tally.record()]));
  assert.deepEqual([merged?.started, merged?.finished, merged?.steps[0]?.answered], [2, 2, 2]);
});

/**
 * Returns seconds of a phase in which one journey a second ends, each after 500 ms, with two steps of 20 ms
 * and 40 ms.
 */
function secondsOfJourneys(isPart: boolean): readonly SecondRecord[] {
  const counted = new Seconds(isPart);
  const tally = newJourneyTally(JOURNEY, (...time) => counted.timed(...time));
  return Array.from({ length: 60 }, (_, at): SecondRecord => {
    tally.answered(0, 20, true);
    tally.answered(1, 40, true);
    tally.answered(1, 40, false);
    tally.finished(500);
    const { droppedLate: __, ...figures } = counted.take();
    const health = { lagMs: 1, busy: 0.2, cpu: 0.2, underWay: 0, behind: false };
    return { type: 'second', phase: 'hold', at: (at + 1) * 1000, ms: 1000, ...figures, ...health };
  });
}

test('journeys and their steps have blocks of seconds, also merged from parts', () => {
  const phase = { kind: 'open', name: 'hold', seconds: 60, from: 1, to: 1 } as const;
  const parts = [0, 1].flatMap((part) =>
    secondsOfJourneys(true).map((second) => ({ part, second, endMs: second.at })),
  );
  for (const [seconds, count] of [
    [secondsOfJourneys(false), 1],
    [mergeSeconds(parts, 0), 2],
  ] as const) {
    const [journey] = journeysOf([newJourneyTally(JOURNEY).record()], blocksOf(phase, seconds)?.of);
    const { blocks = assert.fail(), steps } = journey ?? assert.fail();
    assert.equal(blocks.p99.length, 11);
    assert.deepEqual(new Set(blocks.throughput), new Set([count]));
    assert.ok(blocks.p99.every((ms) => Math.abs(ms - 500) < 5));
    assert.deepEqual(
      steps.map((step) => [step.blocks?.p50.map(Math.round)[0], step.blocks?.throughput[0]]),
      [
        [20, count],
        [40, count],
        // Nothing came of the last step.
        [undefined, undefined],
      ],
    );
  }
});
