import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ageOf, ageWords, lastDayOf, parseAge } from './validity.js';

describe('the last day of a certificate', () => {
  const cases: readonly (readonly [what: string, finished: string, asOf: string, last: string])[] = [
    ['is 90 days later', '2026-11-20T23:59:59.999Z', '2026-11-20', '2027-02-18'],
    ['is the day of the removal if that is earlier', '2030-10-01T00:00:00.000Z', '2030-10-01', '2030-12-05'],
    ['ignores a removal that the run has judged', '2030-12-06T00:00:00.000Z', '2030-12-06', '2031-03-06'],
    ['ignores the removal on its own day', '2030-12-05T12:00:00.000Z', '2030-12-05', '2031-03-05'],
    [
      'is 90 days later if the removal is on the day after',
      '2030-09-05T12:00:00.000Z',
      '2030-09-05',
      '2030-12-04',
    ],
  ];
  for (const [what, finished, asOf, last] of cases)
    test(what, () => assert.equal(lastDayOf(finished, asOf, '2030-12-05'), last));
});

describe('the age of a certificate', () => {
  const dates = { finishedAt: '2026-06-20T10:00:00.000Z', validUntil: '2026-09-18' };

  const cases: readonly (readonly [today: string, most: number | null, state: string, words: string])[] = [
    ['2026-06-20', null, 'valid', 'is less than a day old; valid until 2026-09-18'],
    ['2026-09-18', null, 'valid', 'is 2 months old; valid until 2026-09-18'],
    ['2026-09-19', null, 'ended', 'is 2 months old; its time ended on 2026-09-18'],
    ['2026-11-26', null, 'ended', 'is 5 months old; its time ended on 2026-09-18'],
    ['2026-07-20', 30, 'valid', 'is 30 days old; valid until 2026-09-18'],
    ['2026-07-21', 30, 'old', 'is 31 days old, more than 30 days; valid until 2026-09-18'],
    ['2026-06-19', null, 'future', 'is dated 2026-06-20, which is after 2026-06-19'],
  ];
  for (const [today, most, state, words] of cases)
    test(`on ${today}${most === null ? '' : `, at most ${most} days`}, ${words}`, () => {
      const age = ageOf(dates, today, most);
      assert.deepEqual([age.state, age.words], [state, words]);
    });

  test('without an end is only judged by the greatest age', () => {
    const { finishedAt } = dates;
    assert.equal(ageOf({ finishedAt }, '2029-01-01', null).state, 'valid');
    assert.equal(ageOf({ finishedAt }, '2029-01-01', 900).state, 'old');
  });

  test('is in days, months or years', () => {
    assert.deepEqual([1, 59, 60, 160, 729, 731].map(ageWords), [
      '1 day',
      '59 days',
      '1 month',
      '5 months',
      '23 months',
      '2 years',
    ]);
  });

  test('is given in days or weeks', () => {
    assert.deepEqual(['30', '30d', '4w', '30h', '', '-1', '1.5d'].map(parseAge), [
      30,
      30,
      28,
      null,
      null,
      null,
      null,
    ]);
  });
});
