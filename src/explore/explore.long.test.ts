import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryJournal } from '../log/journal.js';
import { startReference } from '../reference/index.js';
import { explorePhase } from '../run/explore-phase.js';
import { exploreAlone } from '../selftest/explore-host.js';
import { targetOf } from '../selftest/run-trial.js';
import { newRunId } from '../suite/worker-fixture.js';
import { programmeOf } from './programme.js';
import type { RunLog } from '../log/run-log.js';

/** Explores a server of its own; what it received, and what was written down. */
async function explored(
  start: Parameters<typeof startReference>[0],
  explore: Partial<Parameters<typeof exploreAlone>[1]>,
  change: (target: ReturnType<typeof targetOf>) => ReturnType<typeof targetOf> = (target) => target,
) {
  const server = await startReference(start);
  try {
    const target = change(targetOf(server, { minuteSeconds: start?.minuteSeconds ?? 60 }));
    const log = await exploreAlone(target, { requests: 400, animals: 40, seed: 7, ...explore });
    return { log, received: server.requests(), byPath: server.requestsByPath() };
  } finally {
    await server.close();
  }
}

const violated = ({ findings }: RunLog) =>
  findings.flatMap((finding) => (finding.kind === 'violated' ? [finding] : []));
const sent = ({ explored: told }: RunLog): number =>
  Object.values(told?.requests ?? {}).reduce((sum, count) => sum + count, 0);

test('a sound server is found sound, within the requests that were asked for, as the server counts them', async () => {
  for (const requests of [1, 5, 40, 400]) {
    const { log, received } = await explored({}, { requests });
    assert.deepEqual(violated(log), []);
    assert.ok(received <= requests, `${received} of ${requests}`);
    assert.equal(sent(log), received);
  }
});

test('most of the requests are used, and most classes are tried', async () => {
  const { log, received } = await explored({}, {});
  assert.ok(received > 350, String(received));
  const kinds = new Set((log.explored?.classes ?? []).map(({ kind }) => kind));
  for (const kind of ['names', 'categories', 'refusals', 'limits', 'keys', 'ids', 'pairs', 'states', 'spellings'])
    assert.ok(kinds.has(kind), kind);
});

test('no more animals are left than were allowed', async () => {
  for (const animals of [0, 3, 10]) {
    const { log } = await explored({}, { animals });
    assert.ok(log.created.length <= animals, `${log.created.length} of ${animals}`);
  }
});

test('without writes nothing is sent that would create', async () => {
  const { byPath, log } = await explored({}, {}, (target) => ({ ...target, writes: false }));
  assert.deepEqual(
    Object.keys(byPath).filter((line) => line.startsWith('POST')),
    [],
  );
  assert.deepEqual(violated(log), []);
});

test('no limit is met: where the plan’s minute is used up, the next one is waited for', async () => {
  const business = { perMinute: 60, perDay: 100_000 };
  const server = await startReference({ minuteSeconds: 1, plans: { business } });
  try {
    const target = targetOf(server, { minuteSeconds: 1 });
    const journal = memoryJournal();
    await explorePhase({
      request: {
        run: newRunId(),
        target: { ...target, plans: { ...target.plans, business } },
        writes: true,
        explore: { requests: 200, animals: 40, seed: 7 },
      },
      removal: 'before',
      journal,
      broken: new Set(),
    });
    const waits = journal.records.flatMap((record) => (record.type === 'waiting' ? [record.what] : []));
    assert.ok(server.requests() > 150, String(server.requests()));
    assert.ok(waits.length >= 1, waits.join('; '));
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

test('the same seed has the same stories, and a path leads to one of them', () => {
  const scope = { writes: true, fetches: true };
  const [one, other] = [programmeOf(7, scope), programmeOf(7, scope)];
  for (const path of ['0', '17', '98', '99', '250']) {
    assert.deepEqual(one.at(path), other.at(path));
    assert.deepEqual(one.at(`${path}:0`), one.smaller(path, 1)[0] ?? null);
  }
  assert.notDeepEqual(one.at('3'), programmeOf(8, scope).at('3'));
});
