import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { loadLedger } from '../../base/interface/ledger.js';
import type { PlanName, RequirementId } from '../../base/interface/types.js';
import { limitAsked, statusAsked } from '../../proof/changes/animals.js';
import { refusing } from '../../proof/changes/creations.js';
import { after, anew, chain, changed, counted, early } from '../../proof/changes/requests.js';
import { startAltered, type AlteredOptions } from '../../proof/index.js';
import type { Change } from '../../reference/behaviour.js';
import { errorAnswer, invalid, type Answer } from '../../reference/messages.js';
import { targetAt } from '../../testing/load-at.js';
import { resultsOf } from '../../outcome/results/results.js';
import { runWithoutPlaywright } from './plain-host.js';

type More = Partial<Pick<AlteredOptions, 'variants' | 'animals' | 'change'>>;

/** Judges a server with some flaws by the suites, by default with a Free key, in windows of one second. */
async function judge(
  t: TestContext,
  flaws: readonly string[],
  {
    suiteKey = 'free',
    selected = null,
    ...more
  }: More & { readonly suiteKey?: PlanName; readonly selected?: readonly RequirementId[] | null } = {},
) {
  const reference = await startAltered({ flaws, ...more, minuteSeconds: 1 });
  t.after(() => reference.close());
  const windows = { minute: 1, day: 86_400 };
  const log = await runWithoutPlaywright(
    targetAt(reference.baseUrl, { [suiteKey]: reference.keys[suiteKey] }, { windows, suiteKey }),
    { asOf: '2026-11-20', selected },
  );
  const { requirements } = resultsOf(log, loadLedger().requirements);
  const outcomes = new Map(requirements.map(({ id, outcome }) => [id, outcome]));
  return { log, outcomeOf: (id: RequirementId) => outcomes.get(id) };
}

/** Rows about created animals that a wrong status does not concern. */
const OF_CREATIONS: readonly RequirementId[] = [
  'pet-id-unique',
  'created-pet-echo',
  'list-shows-created',
  'list-matches-created',
];

test('a status of null leaves no row about created animals open', async (t) => {
  const { outcomeOf } = await judge(t, ['status-null']);
  assert.equal(outcomeOf('pet-shape'), 'failed');
  assert.deepEqual(
    OF_CREATIONS.filter((id) => outcomeOf(id) !== 'passed'),
    [],
  );
});

test('a second fault does not hide behind a status of null', async (t) => {
  const { outcomeOf } = await judge(t, ['status-null', 'created-ids-begin-again']);
  assert.equal(outcomeOf('pet-shape'), 'failed');
  assert.equal(outcomeOf('pet-id-unique'), 'failed');
});

test('an id that a fetch rounds is charged to pet-int64 and leaves other rows of fetches open', async (t) => {
  const { outcomeOf } = await judge(t, ['fetched-ids-as-doubles']);
  const rows = ['pet-int64', 'get-ok', 'get-matches-created', 'get-replacement'] as const;
  assert.deepEqual(rows.map(outcomeOf), ['failed', 'inconclusive', 'inconclusive', 'inconclusive']);
});

test('listings without any status do not show what a filter compares', async (t) => {
  const { outcomeOf } = await judge(t, ['listed-status-never-shown']);
  const rows = [
    'list-matches-created',
    'list-matches-get',
    'list-status-filter',
    'list-filter-with-limit',
  ] as const;
  assert.deepEqual(rows.map(outcomeOf), ['failed', 'failed', 'inconclusive', 'inconclusive']);
});

test('animals that another client adds all the time are charged to no refused creation', async (t) => {
  const rows = ['auth-before-work', 'create-rejected-leaves-nothing'] as const;
  const { outcomeOf } = await judge(t, [], { variants: ['others-add-steadily'] });
  assert.deepEqual(rows.map(outcomeOf), ['passed', 'passed']);
  const saving = await judge(t, ['animal-saved-before-key'], { variants: ['others-add-steadily'] });
  assert.equal(saving.outcomeOf('auth-before-work'), 'failed');
});

test('a page that is too short every second time is not taken for the doing of other clients', async (t) => {
  const change = counted(
    'listPets',
    (count, context, sound) =>
      count % 2 === 1
        ? sound(
            changed(
              context,
              after('select', (animals) => animals.slice(1)),
            ),
          )
        : sound(context),
    (context) => statusAsked(context) !== null && limitAsked(context) === null,
  );
  const { outcomeOf } = await judge(t, [], { change, animals: 12 });
  assert.equal(outcomeOf('list-limit-default'), 'failed');
});

test('a server that refuses every request of a stranger in its own way does no work before it checks the key', async (t) => {
  for (const [flaw, row] of [
    ['missing-key-400-on-creation', 'auth-missing-key'],
    ['missing-key-404-on-fetch', 'auth-missing-key'],
    ['invalid-key-fails-on-fetch', 'auth-invalid-key'],
  ] as const) {
    const { outcomeOf } = await judge(t, [flaw]);
    assert.deepEqual(
      [row, 'auth-before-work'].map((id) => outcomeOf(id as RequirementId)),
      ['failed', 'inconclusive'],
      flaw,
    );
  }
});

test('a wrong status code of plainer requests is charged to any row that is selected without theirs', async (t) => {
  for (const [flaw, rows] of [
    ['refusals-403', ['auth-invalid-key', 'auth-bearer-only', 'auth-header-only', 'auth-before-work']],
    ['fetching-open', ['auth-invalid-key', 'auth-bearer-only', 'auth-header-only']],
    ['listings-partial', ['list-limit-bounds']],
    ['refused-creations-422', ['create-invalid-value', 'create-body-required']],
  ] as const)
    for (const row of rows) {
      const { outcomeOf } = await judge(t, [flaw], { selected: [row], suiteKey: 'business' });
      assert.equal(outcomeOf(row), 'failed', `${flaw}: ${row}`);
    }
});

test('a second mistake does not hide behind a wrong status code of the same rows', async (t) => {
  const { log } = await judge(t, ['refused-creations-422', 'category-string-taken'], {
    suiteKey: 'business',
  });
  assert.deepEqual(redIn(log), ['create-missing-field', 'create-invalid-value']);
});

/** Refuses a creation with the name of another animal. */
const refusingNamesakes = (status: number): Change =>
  refusing(({ name }, _body, { store }) => store.all().some((animal) => animal.name === name), {
    ...invalid('There is such an animal.'),
    status,
  });

const refusingLargeBodies = refusing((_animal, _body, { request }) => request.body.length > 10_000, {
  ...invalid('The body is too large.'),
  status: 413,
});

test('an animal that is refused because it is like an earlier one is charged to create-ok', async (t) => {
  for (const more of [[], [refusingLargeBodies]]) {
    const unchanged = await judge(t, [], { change: chain(...more) });
    assert.deepEqual(redIn(unchanged.log), []);
    const asConflict = await judge(t, [], { change: chain(refusingNamesakes(409), ...more) });
    assert.deepEqual(redIn(asConflict.log), ['create-ok']);
    // Which values are invalid is not shown.
    const asInvalid = await judge(t, [], { change: chain(refusingNamesakes(400), ...more) });
    assert.deepEqual(redIn(asInvalid.log), []);
  }
});

test('an earlier animal is returned for a like one where further members are refused', async (t) => {
  const { outcomeOf } = await judge(t, ['creation-again-returns-the-first'], {
    variants: ['unknown-members-refused'],
  });
  assert.equal(outcomeOf('pet-id-unique'), 'failed');
});

/** Refuses everything after some requests, as where a key expires. */
const refusingLater = (body: Answer): Change =>
  anew(() => {
    let requests = 0;
    return early(() => ((requests += 1) > 40 ? body : null));
  });

test('a key that is refused from some request on is not taken for blocked by a gateway', async (t) => {
  const wordsFor = async (body: Answer): Promise<string> => {
    const { log } = await judge(t, [], { change: refusingLater(body) });
    const about = log.findings.filter((finding) => finding.requirement === 'auth-valid-key');
    return about.map((finding) => ('message' in finding ? finding.message : '')).join();
  };
  const expired = errorAnswer({ status: 401, code: 'expired', message: 'The key has expired.' });
  assert.match(await wordsFor(expired), /the target rejected the key after \d+ requests/);
  assert.match(
    await wordsFor({ ...expired, body: { kind: 'none' } }),
    /in front of the service blocked the run/,
  );
});

test('created animals that listings never show are not charged to get-replacement as well', async (t) => {
  const { outcomeOf } = await judge(t, ['created-missing-from-listings'], { animals: 0 });
  assert.equal(outcomeOf('list-shows-created'), 'failed');
  assert.equal(outcomeOf('get-replacement'), 'inconclusive');
});

test('listings that never show a new animal are not taken for full pages of two lengths', async (t) => {
  for (const animals of [30, 60, 90]) {
    const { outcomeOf } = await judge(t, ['created-missing-from-listings'], {
      variants: ['statuses-evenly-spread'],
      animals,
    });
    assert.equal(outcomeOf('list-shows-created'), 'failed', `${animals} animals`);
  }
});

/** Ids of the animals of the start that the suites fetch with their key. */
const fetchedIn = (log: Awaited<ReturnType<typeof judge>>['log'], animals: bigint): ReadonlySet<bigint> =>
  new Set(
    log.exchanges
      .flatMap(({ request, credential }) =>
        credential.kind === 'valid' ? [BigInt(/\/pets\/(\d+)$/.exec(request.path)?.[1] ?? 0)] : [],
      )
      .filter((id) => id > 0n && id <= animals),
  );

test('an animal that only listings show is charged to get-ok, whichever it is', async (t) => {
  const fetched = fetchedIn((await judge(t, [], { suiteKey: 'business' })).log, 48n);
  assert.ok(fetched.size > 1);
  for (const missing of fetched) {
    const change = after('find', (animal, _context, wanted) => (wanted === missing ? undefined : animal));
    const { outcomeOf } = await judge(t, [], { suiteKey: 'business', change });
    assert.equal(outcomeOf('get-ok'), 'failed', `${missing}`);
    assert.notEqual(outcomeOf('get-until-removal'), 'failed', `${missing}`);
  }
});

/** Another client removes the first animal after its first fetch. */
const removingFirst = anew(() => {
  let isFetched = false;
  return chain(
    after('find', (animal, _context, wanted) => {
      const isRemoved = isFetched && wanted === 1n;
      isFetched ||= wanted === 1n;
      return isRemoved ? undefined : animal;
    }),
    after('visible', (animals) => animals.filter(({ id }) => id !== 1n || !isFetched)),
  );
});

/** Rows that are red in a log. */
const redIn = (log: Awaited<ReturnType<typeof judge>>['log']): readonly RequirementId[] =>
  resultsOf(log, loadLedger().requirements).requirements.flatMap(({ id, outcome }) =>
    outcome === 'failed' ? [id] : [],
  );

test('an animal that another client removes during the run turns no row red', async (t) => {
  for (const animals of [1, 10, 48]) {
    const { log } = await judge(t, [], { animals, change: removingFirst });
    assert.deepEqual(redIn(log), [], `${animals} animals`);
  }
});

/** Another client removes the animals that a run has added until one of its requests. */
const removingOwn = (at: number): Change =>
  anew(() => {
    let requests = 0;
    let removed: ReadonlySet<bigint> = new Set();
    return chain(
      early(({ store }) => {
        requests += 1;
        if (requests === at)
          removed = new Set(
            store.all().flatMap(({ id, name }) => (name.startsWith('conformance-') ? id : [])),
          );
        return null;
      }),
      after('find', (animal) => (animal && removed.has(animal.id) ? undefined : animal)),
      after('visible', (animals) => animals.filter(({ id }) => !removed.has(id))),
    );
  });

test('animals of the run that another client removes once listings showed them turn no row red', async (t) => {
  const { log, outcomeOf } = await judge(t, [], {
    suiteKey: 'business',
    animals: 30,
    change: removingOwn(95),
  });
  assert.deepEqual(redIn(log), []);
  assert.equal(outcomeOf('list-shows-created'), 'inconclusive');
});

const isSold = ({ status }: { readonly status: unknown }): boolean => status === 'sold';

test('animals that only the plain listing shows were not removed', async (t) => {
  const { outcomeOf } = await judge(t, [], {
    animals: 30,
    change: chain(
      after('find', (animal) => (animal && isSold(animal) ? undefined : animal)),
      after('visible', (animals, context) =>
        animals.filter((animal) => statusAsked(context) === null || !isSold(animal)),
      ),
    ),
  });
  assert.equal(outcomeOf('list-shows-created'), 'failed');
  assert.equal(outcomeOf('get-matches-created'), 'failed');
});

/** Another client sells the animals that a run has added until one of its requests. */
const sellingOwn = (at: number): Change =>
  anew(() => {
    let requests = 0;
    return early(({ store }) => {
      requests += 1;
      for (const animal of requests === at ? store.all() : [])
        if (animal.name.startsWith('conformance-')) Object.assign(animal, { status: 'sold' });
      return null;
    });
  });

test('animals of the run whose status changes are charged only to the rows that compare it', async (t) => {
  for (const at of [90, 100, 102]) {
    const { log } = await judge(t, [], { suiteKey: 'business', animals: 30, change: sellingOwn(at) });
    const rows: readonly RequirementId[] = ['list-matches-created', 'get-matches-created'];
    assert.deepEqual(
      redIn(log).filter((row) => !rows.includes(row)),
      [],
      `at request ${at}`,
    );
  }
});

test('a removed animal turns no row red where no request is left to fetch it again', async (t) => {
  // Each refused name takes a request more.
  const { log } = await judge(t, [], {
    variants: ['oldest-removed-for-new', 'names-of-fifty-at-most'],
    animals: 60,
  });
  assert.deepEqual(redIn(log), []);
});

test('a run sends fewer than 50 requests without a valid key, and no more than 60 with it', async (t) => {
  const { log } = await judge(t, []);
  const withKey = log.exchanges.filter(({ credential }) => credential.kind === 'valid').length;
  assert.ok(log.exchanges.length - withKey < 50, `${log.exchanges.length - withKey} without a valid key`);
  assert.ok(withKey <= 60, `${withKey} with the key`);
});
