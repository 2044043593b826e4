import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryJournal } from '../../log/journal.js';
import { startReference } from '../../reference/index.js';
import { exploreTarget } from '../../run/exploring.js';
import { targetOf } from '../../proof/selftest/run-trial.js';
import { startAltered } from '../../proof/index.js';
import { createSender } from '../../wire/exchange/sender.js';
import { petBody } from '../probes/creation-bodies.js';
import { bearer } from '../probes/credentials.js';
import { creating, expects } from '../probes/specs.js';
import { newRunId } from '../suite/fixture.js';
import { actsOf, type Act } from './story.js';
import { programmeOf } from './programme.js';
import { nameShowing } from './values/spellings.js';
import type { RunLog } from '../../log/run-log.js';
import { coversEveryClass, explored, fetchesEveryResident, violated } from './explore.test.support.js';

const sent = ({ explored: told }: RunLog): number =>
  Object.values(told?.requests ?? {}).reduce((sum, count) => sum + count, 0);

test('a correct server has no violations, and exploring keeps within its request budget', async () => {
  for (const requests of [1, 5, 40]) {
    const { log, received } = await explored({}, { requests });
    assert.deepEqual(violated(log), []);
    assert.ok(received <= requests, `${received} of ${requests}`);
    assert.equal(sent(log), received);
  }
});

test('an animal that a fetch does not find counts only while listings show it', async () => {
  const removed = await explored({ variants: ['many-removed-between-listings'] }, { requests: 150, seed: 2 });
  assert.deepEqual(violated(removed.log), []);
  const missed = await explored({ flaws: ['every-5th-fetch-is-unknown'] }, { requests: 150, seed: 2 });
  assert.ok(violated(missed.log).some(({ requirement }) => requirement === 'get-ok'));
});

test('every animal from before the run is fetched; one that returns 500 is replayed', () =>
  fetchesEveryResident(1));

test('of more animals than its requests allow, exploring fetches some, and counts them', async () => {
  const { log, byPath } = await explored({ animals: 300 }, { requests: 120 });
  const { shown = 0, fetched = 0 } = log.explored?.residents ?? {};
  assert.ok(shown >= 100 && fetched >= 15 && fetched < shown, `${fetched} of ${shown}`);
  const asked = Object.keys(byPath).filter((path) => /^GET \/v1\/pets\/\d+$/.test(path));
  assert.ok(asked.length >= fetched, `${asked.length}`);
  assert.deepEqual(violated(log), []);
});

const SEEDS = Array.from({ length: 20 }, (_, at) => at + 1);

test('400 requests cover every class', () => coversEveryClass(1));

/** Returns the odd part of a request; null if nothing is odd. */
function oddityOf(act: Act): string | null {
  switch (act.do) {
    case 'create': {
      const { name, category, spelling } = act.animal;
      // The name that shows a spelling belongs to it.
      const oddName = name.value === nameShowing(spelling).value ? 'plain' : name.class;
      const odd = [oddName, category.class, spelling].filter((each) => each !== 'plain');
      assert.ok(odd.length < 2, odd.join(' and '));
      return odd[0] ?? null;
    }
    case 'wrong':
      return act.wrong.class;
    case 'list':
      return act.query.kind === 'open' || act.query.written === 'plain' ? act.class : act.query.written;
    case 'get':
      return act.whom.of === 'class' ? act.whom.class : null;
    case 'get about':
      return act.id;
    case 'stranger':
      return act.stranger;
    case 'scheme':
      return `the scheme as ${act.scheme}`;
  }
}

test('each class is sent once by itself before combinations; the seed sets the order', () => {
  const scope = { writes: true, fetches: true };
  const orders = SEEDS.map((seed) => {
    const programme = programmeOf(seed, scope);
    const all = Array.from({ length: programme.covers }, (_, nth) => programme.at(String(nth)) ?? []);
    const until = all.findIndex((story) => story.some(({ do: what }) => what === 'again'));
    // A story is about its first step. The steps after it read what that one created.
    return all
      .slice(0, until)
      .filter((story) => story.every(({ do: what }) => what !== 'at once'))
      .flatMap(([step]) => (step ? actsOf(step).map((act) => `${act.do}: ${oddityOf(act)}`) : []));
  });
  for (const order of orders) {
    assert.equal(new Set(order).size, order.length);
    assert.deepEqual([...order].sort(), [...(orders[0] ?? [])].sort());
  }
  assert.notDeepEqual(orders[0], orders[1]);
});

test('exploring creates no more animals than allowed', async () => {
  for (const animals of [0, 3]) {
    const { log } = await explored({}, { animals });
    assert.ok(log.created.length <= animals, `${log.created.length} of ${animals}`);
  }
});

test('exploring with writes off creates nothing', async () => {
  const { byPath, log } = await explored({}, {}, (target) => ({ ...target, writes: false }));
  assert.deepEqual(
    Object.keys(byPath).filter((line) => line.startsWith('POST')),
    [],
  );
  assert.deepEqual(violated(log), []);
});

test('exploring waits for the next window before it exceeds the plan’s minute limit', async () => {
  const business = { perMinute: 60, perDay: 100_000 };
  const server = await startReference({ minuteSeconds: 1, plans: { business } });
  try {
    const target = targetOf(server, { minuteSeconds: 1 });
    const journal = memoryJournal();
    const startedAt = performance.now();
    await exploreTarget({
      request: {
        run: newRunId(),
        target: { ...target, plans: { ...target.plans, business } },
        writes: true,
      },
      asked: { requests: 200, animals: 40, seed: 7 },
      removal: 'before',
      journal,
      broken: new Set(),
    });
    const waits = journal.records.flatMap((record) => (record.type === 'waiting' ? [record.what] : []));
    assert.ok(server.requests() > 150, String(server.requests()));
    // A machine that sends fewer than the limit in each window has nothing to wait for.
    const windowsTaken = (performance.now() - startedAt) / target.windows.minute / 1000;
    assert.ok(
      waits.length >= 1 || windowsTaken > server.requests() / business.perMinute,
      `${windowsTaken} windows`,
    );
    assert.deepEqual(
      waits.filter((what) => what.includes('used up')),
      [],
    );
    assert.deepEqual(
      journal.records.filter(({ type }) => type === 'finding'),
      [],
    );
  } finally {
    await server.close();
  }
});

test('exploring waits until fetches must find what the suites created', async () => {
  const server = await startAltered({ animals: 0, variants: ['fetches-late'] });
  const target = targetOf(server, { minuteSeconds: 60 });
  const sender = createSender({ baseUrl: target.baseUrl, run: newRunId(), limits: target.http });
  try {
    const body = petBody({ name: 'Ida', categoryId: '1', status: 'available' });
    const create = creating('a valid animal', body, bearer(target.suiteKey), expects('create-ok', 201));
    const key = target.keys[target.suiteKey]?.reveal() ?? '';
    const creations = [await sender.send(create, key), await sender.send(create, key)];
    const journal = memoryJournal();
    await exploreTarget({
      request: { run: newRunId(), target, writes: true },
      asked: { requests: 60, animals: 0, seed: 7 },
      removal: 'before',
      journal,
      broken: new Set(),
      added: creations.at(-1),
    });
    assert.deepEqual(
      journal.records.filter((record) => record.type === 'finding' && record.finding.kind === 'violated'),
      [],
    );
  } finally {
    await sender.close();
    await server.close();
  }
});

test('the same seed gives the same stories, and a path selects one', () => {
  const scope = { writes: true, fetches: true };
  const [one, other] = [programmeOf(7, scope), programmeOf(7, scope)];
  for (const path of ['0', '17', '98', '243', '245', '250', '300']) {
    assert.deepEqual(one.at(path), other.at(path));
    assert.deepEqual(one.at(`${path}:0`), one.smaller(path, 1)[0] ?? null);
  }
  assert.notDeepEqual(one.at('3'), programmeOf(8, scope).at('3'));
});
