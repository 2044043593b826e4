import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { packageRoot } from '../../base/kernel/package.js';
import { profileNames } from '../../base/interface/names.js';
import type { Figures } from '../../judge/limits/bounds.js';
import { plus } from '../limits/cost.js';
import { PROFILES, profileOf } from './profiles.js';

const FREE: Figures = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };
const GIVEN = { latencyMs: 5, ban: { maxRequests: 60 } };

describe('a load profile', () => {
  it('follows those that it needs', () => {
    for (const [place, { name, after }] of PROFILES.entries())
      for (const before of after) assert.ok(profileNames.indexOf(before) < place, `${before}, ${name}`);
  });

  it('costs something, for every key', () => {
    for (const { name, cost, more } of PROFILES) {
      const { requests, seconds } = plus(cost(FREE, GIVEN), more(FREE, GIVEN));
      assert.ok(requests > 0 && seconds > 0, name);
    }
  });

  it('costs 61 requests for a Free burst', () =>
    assert.equal(profileOf('burst').cost(FREE, GIVEN).requests, 61));

  it('takes about 18 minutes for a Free day, which brings back some of it', () => {
    const { requests, seconds } = profileOf('day-quota').cost(FREE, GIVEN);
    assert.equal(Math.round(seconds / 60), 18);
    assert.ok(requests > 1000 && requests < 1020, String(requests));
  });

  it('costs with the questions to a Free key at most 300 requests, and five windows', () => {
    const costs = PROFILES.filter(({ optIn }) => optIn === null).map(({ cost }) => cost(FREE, GIVEN));
    const sum = (of: (cost: (typeof costs)[number]) => number): number =>
      costs.reduce((all, cost) => all + of(cost), 0);
    assert.ok(sum(({ requests }) => requests) <= 300, String(sum(({ requests }) => requests)));
    assert.ok(sum(({ seconds }) => seconds) <= 5 * FREE.minuteSeconds, String(sum(({ seconds }) => seconds)));
  });

  it('may add a third burst from silence with a pause, a request at Reset and a watched key, where answers are in doubt', () => {
    const more = PROFILES.map((profile) => profile.more(FREE, GIVEN)).reduce(plus);
    assert.equal(more.requests, 66 + 1 + 1 + 40);
    assert.ok(more.seconds > 6 * FREE.minuteSeconds && more.seconds < 6.3 * FREE.minuteSeconds);
    const docs = readFileSync(join(packageRoot(), 'docs/limits.md'), 'utf8').replaceAll(/\s+/g, ' ');
    const requests = `at most ${more.requests} requests to a Free key`;
    assert.ok(docs.includes(`${requests}, and a little more than six windows to a run`));
  });
});
