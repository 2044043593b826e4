import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, assert as assertProperty, constantFrom, nat, property } from 'fast-check';
import { fellBehind, isOwnLimit, saturationOf, type PhaseSecond } from './health.js';

/** Returns seconds of a phase at 100/s: `.` kept up, `f` the loop was full, `l` some arrivals were late. */
const seconds = (pattern: string, ms = 1000, cpu = 0.9): readonly PhaseSecond[] =>
  pattern.split('').map((kind, at) => ({
    endMs: (at + 1) * ms,
    ms,
    sent: ms / 10,
    busy: kind === 'f' ? 1 : 0.4,
    cpu,
    behind: kind !== '.',
  }));

test('a second is overloaded with a full loop or over 1 % late requests', () => {
  assert.equal(fellBehind({ busy: 0.94, intended: 100 }, 0), false);
  assert.equal(fellBehind({ busy: 0.96, intended: 0 }, 0), true);
  assert.equal(fellBehind({ busy: 0.1, intended: 100 }, 1), false);
  assert.equal(fellBehind({ busy: 0.1, intended: 100 }, 2), true);
});

const KEPT_UP: readonly [what: string, pattern: string, late: number, intended: number][] = [
  ['one late request of 25 in a phase of one second', 'l', 1, 25],
  ['one stall in a phase of two seconds', 'l.', 4, 80],
  ['one stall across two seconds', '.ll.', 9, 160],
  ['one full second of ten', 'f.........', 0, 1000],
  ['three stalls in a minute', `l..........l.......l${'.'.repeat(40)}`, 90, 6000],
  ['one long stall that drops only a small share of the phase', `${'.'.repeat(9)}l`, 70, 1000],
];
for (const [what, pattern, late, intended] of KEPT_UP)
  test(`a generator is not saturated by ${what}`, () =>
    assert.equal(saturationOf(seconds(pattern), late, intended), null));

const SATURATED: readonly [what: string, pattern: string, late: number, intended: number, fromMs: number][] =
  [
    ['a closed loop without idle time in one second', 'f', 0, 5000, 0],
    ['a closed loop without idle time in four seconds', 'ffff', 0, 5000, 0],
    ['a one-second spike with half of its requests not sent', 'l', 50, 100, 0],
    ['overload in a fifth of the seconds', '..l.l...l.....', 40, 1400, 2000],
    ['overload from second 14 to the end', `${'.'.repeat(14)}lllllll`, 500, 2000, 14_000],
    [
      'overload in five consecutive seconds of an hour',
      `${'.'.repeat(3000)}fffff${'.'.repeat(595)}`,
      0,
      360_000,
      3_000_000,
    ],
  ];
for (const [what, pattern, late, intended, fromMs] of SATURATED)
  test(`a generator is saturated by ${what}`, () => {
    const found = saturationOf(seconds(pattern), late, intended);
    assert.equal(found?.fromMs, fromMs);
    assert.ok((found?.perSecond ?? 0) > 0);
  });

test('a generator without CPU time is saturated, but not by its own limit', () => {
  for (const [pattern, late] of [
    ['ffff', 0],
    ['..lllll', 400],
  ] as const) {
    const [own, others] = [
      saturationOf(seconds(pattern), late, 700),
      saturationOf(seconds(pattern, 1000, 0.3), late, 700),
    ];
    assert.ok(own && others);
    assert.deepEqual([isOwnLimit(own), isOwnLimit(others), others.cpu], [true, false, 0.3]);
  }
});

test('a phase below half a second is judged by its available data', () => {
  assert.ok(saturationOf(seconds('f', 300), 0, 100));
  assert.equal(saturationOf(seconds('.', 300), 0, 100), null);
  assert.ok(saturationOf([], 20, 100));
  assert.equal(saturationOf([], 0, 100), null);
});

test('an incomplete last second does not hide saturation', () => {
  const rest: PhaseSecond = { endMs: 2100, ms: 100, sent: 10, busy: 0.2, cpu: 0.2, behind: false };
  assert.ok(saturationOf([...seconds('ff'), rest], 0, 100));
});

test('an additional overloaded second never ends the saturation', () =>
  assertProperty(
    property(
      array(constantFrom('.', 'l', 'f'), { minLength: 1, maxLength: 30 }),
      nat({ max: 300 }),
      (pattern, late) => {
        const before = saturationOf(seconds(pattern.join('')), late, 1000);
        const worse = saturationOf(seconds(pattern.join('').replace('.', 'f')), late, 1000);
        assert.ok(before === null || worse !== null);
      },
    ),
  ));
