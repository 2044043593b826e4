import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadLedger } from '../../base/interface/ledger.js';
import { secret } from '../../wire/targets/secret.js';
import { loadRows, targetAt } from '../../testing/load-at.js';
import { REMEMBERED_WINDOWS } from '../../judge/limits/bounds.js';
import { IDLE_SHARE, WATCH_ROUNDS } from '../limits/question-numbers.js';
import { planLoad, type LoadPlan, type LoadRequest } from './plan-load.js';

const ALL = { free: 'f', pro: 'p', business: 'b', enterprise: 'e' };

const planned = (more: Partial<LoadRequest> = {}): LoadPlan =>
  planLoad({
    target: targetAt('http://127.0.0.1:1/v1', ALL, { windows: { minute: 60, day: 86_400 } }),
    rows: loadLedger().requirements,
    selected: null,
    plans: null,
    profiles: null,
    includes: [],
    allowLoadOnProduction: false,
    ...more,
  });

const profilesOf = (plan: LoadPlan, key: string): readonly string[] =>
  plan.profiles.filter((each) => each.key === key).map(({ profile }) => profile);

const reasons = (plan: LoadPlan, id: string): readonly string[] =>
  plan.findings.flatMap((finding) =>
    finding.requirement === id && 'reason' in finding ? [`${finding.kind}: ${finding.reason.code}`] : [],
  );

describe('the plan of the load', () => {
  it('uses all profiles for every plan: always within five windows, where answers are in doubt six more and a pause', () => {
    const plan = planned();
    const usual = ['burst', 'recovery', 'window', 'concurrent', 'steady', 'watch'];
    for (const key of Object.keys(ALL)) assert.deepEqual(profilesOf(plan, key), usual);
    assert.ok(plan.seconds <= 5 * 60 && plan.seconds > 4 * 60, `${plan.seconds} s`);
    assert.ok(plan.requests > 4 * (60 + 300 + 1000 + 2400));
    assert.ok(plan.more.requests > 60 + 300 + 1000 + 2400, 'a third time');
    // Silence before the third burst and before the watched key; each time that it is watched takes less than
    // a window, and leaves time for the burst. The pause comes after the burst.
    const mostMore = (1 + REMEMBERED_WINDOWS + WATCH_ROUNDS.length + IDLE_SHARE) * 60;
    assert.ok(plan.more.seconds > 5 * 60 && plan.more.seconds <= mostMore, `${plan.more.seconds} s more`);
  });

  it('leaves out opt-in requirements and states it', () => {
    const plan = planned();
    for (const id of ['ban-observed', 'ban-temporary', 'ban-only-that-key', 'rate-day-quota'])
      assert.deepEqual(reasons(plan, id), ['not-applicable: opt-in'], id);
  });

  it('bans only the sacrificial key', () => {
    const included = { profiles: null, includes: ['ban'] as const };
    assert.deepEqual(reasons(planned(included), 'ban-observed'), ['not-applicable: no-key']);
    const target = targetAt('http://127.0.0.1:1/v1', ALL, {
      sacrificial: { key: secret('s'), plan: 'free' },
    });
    const plan = planned({ ...included, target });
    assert.deepEqual(profilesOf(plan, 'sacrificial'), ['ban']);
    assert.deepEqual(reasons(plan, 'ban-observed'), []);
    assert.ok(plan.profiles.every(({ key, profile }) => (key === 'sacrificial') === (profile === 'ban')));
  });

  it('leaves out a day that is too long for a run, although there is a key', () => {
    const enterprise = { perMinute: 2400, perDay: 500_000 };
    const base = targetAt('http://127.0.0.1:1/v1', { enterprise: 'e' });
    const target = { ...base, plans: { ...base.plans, enterprise }, windows: { minute: 60, day: 86_400 } };
    const plan = planned({ target, includes: ['day-quota'] });
    assert.deepEqual(reasons(plan, 'rate-day-quota'), ['not-applicable: thrift']);
  });

  it('uses up the daily quota of only one key', () => {
    const plan = planned({ includes: ['day-quota'] });
    assert.deepEqual(
      plan.profiles.filter(({ profile }) => profile === 'day-quota').map(({ key }) => key),
      ['free'],
    );
  });

  it('does not start a daily quota that cannot be used up', () => {
    const base = targetAt('http://127.0.0.1:1/v1', ALL, { windows: { minute: 2, day: 30 } });
    const plan = planned({ target: base, includes: ['day-quota'] });
    assert.ok(!plan.profiles.some(({ profile }) => profile === 'day-quota'));
    assert.deepEqual(reasons(plan, 'rate-day-quota'), ['inconclusive: prerequisite']);
    const pro = { perMinute: 300, perDay: 3000 };
    const suited = planned({ target: { ...base, plans: { ...base.plans, pro } }, includes: ['day-quota'] });
    assert.deepEqual(
      suited.profiles.filter(({ profile }) => profile === 'day-quota').map(({ key }) => key),
      ['pro'],
    );
  });

  it('refuses a day of more than 200,000 requests with a sentence, and takes the smallest plan that fits', () => {
    const enterprise = { perMinute: 2400, perDay: 500_000 };
    const planOf = (keys: Readonly<Record<string, string>>) => {
      const base = targetAt('http://127.0.0.1:1/v1', keys);
      return planned({ target: { ...base, plans: { ...base.plans, enterprise } }, includes: ['day-quota'] });
    };
    const plan = planOf({ enterprise: 'e' });
    assert.ok(!plan.profiles.some(({ profile }) => profile === 'day-quota'));
    const [finding] = plan.findings.filter(({ requirement }) => requirement === 'rate-day-quota');
    assert.match(
      JSON.stringify(finding),
      /enterprise plan takes [\d,]+ requests; a run sends at most 200,000/,
    );
    const { profiles } = planOf({ business: 'b', enterprise: 'e' });
    assert.deepEqual(
      profiles.filter(({ profile }) => profile === 'day-quota').map(({ key }) => key),
      ['business'],
    );
  });

  it('sends nothing to production without permission and judges no requirement', () => {
    const target = targetAt('http://127.0.0.1:1/v1', ALL, { production: true });
    const plan = planned({ target });
    assert.equal(plan.profiles.length, 0);
    for (const id of loadRows()) assert.deepEqual(reasons(plan, id), ['not-applicable: production'], id);
    assert.ok(planned({ target, allowLoadOnProduction: true }).profiles.length > 0);
  });

  it('rejects a key with a too small daily quota, with a reason for every requirement', () => {
    const enterprise = { perMinute: 100, perDay: 150 };
    const base = targetAt('http://127.0.0.1:1/v1', { enterprise: 'e' });
    const plan = planned({ target: { ...base, plans: { ...base.plans, enterprise } } });
    assert.equal(plan.profiles.length, 0);
    assert.deepEqual(reasons(plan, 'rate-429'), ['inconclusive: thrift']);
    for (const id of loadRows()) assert.ok(reasons(plan, id).length > 0, id);
  });

  it('counts requests already sent by the run', () => {
    assert.deepEqual(profilesOf(planned({ spent: { free: 900 } }), 'free'), []);
    assert.ok(profilesOf(planned({ spent: { free: 100 } }), 'free').length > 0);
  });

  it('names the plans without a key', () => {
    const plan = planned({ target: targetAt('http://127.0.0.1:1/v1', { pro: 'p' }) });
    assert.deepEqual(reasons(plan, 'rate-429'), ['not-applicable: no-key']);
    const [finding] = plan.findings.filter(({ requirement }) => requirement === 'rate-429');
    assert.match(JSON.stringify(finding), /Free, Business and Enterprise/);
  });

  it('has only the profiles that a selected requirement needs, and the watched key, which any may need', () => {
    assert.deepEqual(profilesOf(planned({ selected: ['rate-429'] }), 'free'), ['burst', 'window', 'watch']);
    assert.deepEqual(profilesOf(planned({ selected: ['rate-concurrent'] }), 'free'), [
      'burst',
      'recovery',
      'window',
      'concurrent',
      'watch',
    ]);
    assert.deepEqual(profilesOf(planned({ selected: ['rate-retry-after-honoured'] }), 'free'), [
      'burst',
      'recovery',
      'watch',
    ]);
    assert.deepEqual(profilesOf(planned({ profiles: ['steady'] }), 'free'), [
      'burst',
      'recovery',
      'steady',
      'watch',
    ]);
    assert.deepEqual(profilesOf(planned({ plans: ['pro'] }), 'free'), []);
  });
});
