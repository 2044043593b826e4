import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgementsOf, type Judged } from '../../findings/finding.js';
import { START } from '../../../testing/limiters/free-key.js';
import { sampleWith } from '../../../testing/limiters/sample-with.js';
import type { Figures } from '../bounds.js';
import type { Sample } from '../sample.js';
import { headersPresent } from '../rate-headers-present.js';
import { headersWellformed } from '../rate-headers-wellformed.js';
import { rateTally } from './rate-tally.js';
import { RATE_HEADERS } from '../../../base/interface/rate-headers.js';

const FREE: Figures = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

const said = (judged: Judged): readonly string[] =>
  judgementsOf(judged).map((judgement) =>
    judgement.kind === 'violated' ? `${judgement.expected}: ${judgement.actual}` : judgement.kind,
  );

const wellformed = (samples: readonly Sample[], figures = FREE): readonly string[] =>
  said(headersWellformed('free', rateTally(samples, figures, { lowMs: 0, highMs: 1000 })));

/** The nth response, whose Reset is some seconds ahead. */
const after = (nth: number, status: number, aheadSeconds: number, more: Partial<Sample> = {}): Sample => {
  const at = START + nth * 1000;
  return sampleWith({
    sentAt: at,
    answeredAt: at + 5,
    date: at,
    status,
    reset: at / 1000 + aheadSeconds,
    ...more,
  });
};

it('counts the malformed headers of many responses', () => {
  const many = Array.from({ length: 1_200 }, (_, nth) => after(nth, 200, 30, { remaining: -1 }));
  assert.match(wellformed(many)[0] ?? '', /\(on 1,200 responses of 1,200\)$/);
});

describe('the Reset of refusals', () => {
  const within = after(0, 429, 30);
  const ban = after(1, 429, 91);

  for (const undated of [{}, { date: null }]) {
    const how = 'date' in undated ? 'without Date' : 'with Date';
    const dated = (sample: Sample): Sample => ({ ...sample, ...undated });
    it(`may name a ban's end from the second refusal on, ${how}`, () => {
      assert.deepEqual(wellformed([after(-1, 200, 60), within, ban].map(dated)), ['kept']);
      assert.match(wellformed([after(-1, 200, 60), ban].map(dated))[0] ?? '', /a Reset 1 min 3\d s ahead/);
    });
    it(`names a ban no longer than the target file says, ${how}`, () => {
      const after = (banSeconds: number) => wellformed([within, ban].map(dated), { ...FREE, banSeconds });
      assert.deepEqual(after(90), ['kept']);
      assert.match(after(70)[0] ?? '', /at most 1 min 10 s ahead/);
      assert.match(
        wellformed([within, { ...ban, reset: START / 1000 + 100_000 }].map(dated))[0] ?? '',
        /at most 24 h/,
      );
    });
    it(`names no ban on a response that allows, ${how}`, () => {
      assert.match(
        wellformed([within, within, after(2, 200, 91)].map(dated))[0] ?? '',
        /a Reset 1 min 3\d s ahead/,
      );
    });
  }
});

describe('one fault over many responses', () => {
  it('is counted by responses, and names a header that stands twice', () => {
    const twice = {
      limit: '60, 60',
      remaining: '59, 59',
      reset: `${START / 1000 + 60}, ${START / 1000 + 60}`,
    };
    const samples = [0, 1, 2, 3].map((nth) => after(nth, 200, 60, nth < 3 ? twice : {}));
    assert.deepEqual(wellformed(samples), [
      `${RATE_HEADERS.limit} once: ${RATE_HEADERS.limit} twice: 60, 60 (on 3 responses of 4)`,
    ]);
  });

  it('is not held against the size limit of an HTTP layer', () => {
    const bare = { limit: null, remaining: null, reset: null };
    const present = (statuses: readonly number[]) =>
      said(
        headersPresent(
          'free',
          rateTally(
            [after(0, 200, 60), ...statuses.map((status, nth) => after(nth + 1, status, 60, bare))],
            FREE,
            null,
          ),
        ),
      );
    assert.deepEqual(present([413, 414, 431]), ['kept']);
    assert.match(present([404, 413, 404])[0] ?? '', /2 responses of 3 \(status 404\) with none of them/);
  });
});
