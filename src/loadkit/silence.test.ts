import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonGaps, watchSilence } from './silence.js';

const START = 1_000_000;
const END = START + 30_000;

interface Given {
  /** Times of responses, ms from the start. */
  readonly answers: readonly number[];
  /** Times of requests without a response. */
  readonly failures?: readonly number[];
  readonly medianMs?: number;
  readonly isClosed?: boolean;
  readonly sentUntil?: number;
  /** Time from which on this machine stood still for a time. */
  readonly stood?: readonly [from: number, ms: number];
}

/** Returns the record of a phase of 30 s with these responses. */
function recordOf({
  answers,
  failures = [],
  medianMs = 20,
  isClosed = true,
  sentUntil = 30_000,
  stood: [stoodFrom, stoodMs] = [0, 0],
}: Given) {
  const silence = watchSilence(START);
  const stalls = {
    unreadIn: (from: number, to: number): number =>
      Math.max(0, Math.min(to - START, stoodFrom + stoodMs) - Math.max(from - START, stoodFrom)),
  };
  silence.sent(START);
  for (const at of answers) silence.answered(START + at, stalls);
  for (const at of failures) silence.failed(START + at, 'connect ECONNREFUSED');
  return silence.record({ endAt: END, sentUntil: START + sentUntil, medianMs, isClosed }, stalls);
}

/** Returns responses every 20 ms, except in the times that are left out. */
const except = (
  silent: readonly (readonly [from: number, to: number])[],
  until = 30_000,
): readonly number[] =>
  Array.from({ length: until / 20 }, (_, place) => (place + 1) * 20).filter(
    (at) => !silent.some(([from, to]) => at > from && at < to),
  );

test('gaps between responses are summed as time, wherever seconds of the clock begin', () => {
  const cases: readonly (readonly [silent: readonly (readonly [number, number])[], ms: number])[] = [
    [[], 0],
    [
      [
        [7500, 9500],
        [17_500, 19_500],
        [27_500, 29_500],
      ],
      6000,
    ],
    [Array.from({ length: 6 }, (_, at) => [at * 5000 + 2700, at * 5000 + 4200] as const), 9000],
    // Shorter than 200 ms.
    [[[5000, 5160]], 0],
    [[[0, 4000]], 4000],
    [[[28_000, 30_020]], 2000],
  ];
  for (const [silent, ms] of cases) {
    const { gaps = [], stopped } = recordOf({ answers: except(silent) });
    assert.equal(
      gaps.reduce((sum, gap) => sum + gap.ms, 0),
      ms,
      JSON.stringify(silent),
    );
    assert.equal(stopped, undefined);
  }
});

test('the time between the responses of a slow server is no gap', () => {
  const answers = Array.from({ length: 15 }, (_, at) => (at + 1) * 2000);
  assert.deepEqual(recordOf({ answers, medianMs: 1900 }).gaps, []);
  assert.equal(recordOf({ answers, medianMs: 150 }).gaps?.length, 15);
});

test('while this machine stood still, no gap is the server’s', () => {
  const answers = except([[10_000, 22_000]]);
  assert.deepEqual(recordOf({ answers, stood: [10_010, 11_900] }).gaps, []);
  assert.deepEqual(recordOf({ answers, stood: [10_010, 4000] }).gaps, [{ atMs: 14_000, ms: 8000 }]);
});

test('responses that end before the phase does are told, in closed and open loop', () => {
  for (const isClosed of [true, false]) {
    const answers = except([], 25_000);
    const { gaps, stopped } = recordOf({
      answers,
      failures: [25_010, 25_020, 25_030],
      isClosed,
      sentUntil: isClosed ? 25_040 : 30_000,
    });
    assert.equal(stopped?.failed, 3);
    assert.equal(stopped.ofMs, 30_000);
    assert.equal(stopped.afterMs, isClosed ? 25_000 : 25_010);
    assert.deepEqual(gaps, isClosed ? [{ atMs: 25_000, ms: 5000 }] : undefined);
  }
});

test('single failures, failures before a response, and an end without requests are no end of responses', () => {
  assert.equal(recordOf({ answers: except([]), failures: [29_900, 29_950] }).stopped, undefined);
  const silence = watchSilence(START);
  silence.sent(START);
  for (const at of [1, 2, 3, 4]) silence.failed(START + at, 'read ECONNRESET');
  silence.answered(START + 29_000, { unreadIn: () => 0 });
  const end = { endAt: END, sentUntil: END, medianMs: 200, isClosed: true };
  assert.equal(silence.record(end, { unreadIn: () => 0 }).stopped, undefined);
  // Its keys allow no more requests.
  const { gaps, stopped } = recordOf({ answers: except([], 3000), sentUntil: 3020 });
  assert.deepEqual([gaps, stopped], [[], undefined]);
});

test('requests that time out after the phase do not end it where later ones were answered', () => {
  const silence = watchSilence(START);
  const stalls = { unreadIn: () => 0 };
  silence.sent(START);
  for (const at of except([])) silence.answered(START + at, stalls);
  // Sent in the phase, one in a few seconds; each timeout comes 10 s after.
  for (const at of [22_000, 24_000, 26_000, 28_000, 29_000])
    silence.failed(START + at, 'no complete response');
  const end = { endAt: END, sentUntil: END, medianMs: 20, isClosed: false };
  assert.equal(silence.record(end, stalls).stopped, undefined);
  assert.equal(silence.isGone(START + 39_000), false);
  // Where nothing more was due, the end is no silence either.
  assert.equal(silence.record({ ...end, endAt: END + 20_000 }, stalls).stopped, undefined);
  for (const at of [30_010, 30_020, 30_030, 30_040, 30_050])
    silence.failed(START + at, 'no complete response');
  assert.equal(silence.record({ ...end, endAt: END + 20_000 }, stalls).stopped?.afterMs, 30_000);
  assert.equal(silence.isGone(START + 39_000), true);
});

/** Returns the common gaps of senders that send throughout. */
const common = (...all: readonly (readonly { readonly atMs: number; readonly ms: number }[])[]) =>
  commonGaps(all.map((gaps) => ({ gaps, doneMs: 10_000 })));

test('several senders share the times in which none got a response', () => {
  const one = [
    { atMs: 1000, ms: 2000 },
    { atMs: 8000, ms: 1000 },
  ];
  const other = [
    { atMs: 500, ms: 1000 },
    { atMs: 2500, ms: 3000 },
    { atMs: 8900, ms: 1000 },
  ];
  assert.deepEqual(common(one, other), [
    { atMs: 1000, ms: 500 },
    { atMs: 2500, ms: 500 },
  ]);
  assert.deepEqual(common(one), one);
  assert.deepEqual(common(one, []), []);
});

test('a sender that is done, or had no connection, leaves the gaps to the others', () => {
  const gaps = [
    { atMs: 1000, ms: 1500 },
    { atMs: 6000, ms: 1500 },
  ];
  const whole = { gaps, doneMs: 10_000 };
  assert.deepEqual(commonGaps([whole, { gaps: [], doneMs: 4 }]), gaps);
  // Its last gap, rounded, ends as it is done: the others wait on.
  assert.deepEqual(commonGaps([whole, { gaps: [{ atMs: 6500, ms: 499 }], doneMs: 7000 }]), [
    { atMs: 6500, ms: 1000 },
  ]);
  assert.deepEqual(commonGaps([whole, { gaps: [], doneMs: 5000 }]), gaps.slice(1));
  // Once all are done, nothing waits.
  assert.deepEqual(commonGaps([{ gaps: [], doneMs: 4 }]), []);
});
