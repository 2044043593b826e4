import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { judgeTrial } from '../../proof/selftest/run-trial.js';
import type { Results } from '../../outcome/results/results.js';
import { counted, exitCodeOf, findLines, NOTHING, summary } from './account.js';
import { heldAgainst } from './expectation.js';
import { held, type Find, type Happening, type Hunt } from './hunt.js';
import { keys } from './keys.js';
import { readOptions } from './options.js';
import { judgeCase, UnknownCaseError } from './replay.js';
import { judgeOne, search } from './search.js';
import { settingFor } from './servers.js';
import { stores } from './hunts.js';

/** Runs a search to its end: it has few cases and enough time for all. */
async function searched<Case>(hunt: Hunt<Case>, seed: number): Promise<readonly Happening[]> {
  const happenings: Happening[] = [];
  const bounds = { seed, until: Date.now() + 60_000, nth: 0, of: 1 };
  await search(hunt, bounds, (happening) => happenings.push(happening));
  return happenings;
}

const findsIn = (happenings: readonly Happening[]): readonly Find[] =>
  happenings.flatMap((happening) => (happening.type === 'found' ? [happening.find] : []));

/** Returns results as if a check were disabled. */
const withoutCheck = (results: Results, row: string): Results => ({
  ...results,
  requirements: results.requirements.map((result) =>
    result.id === row ? { ...result, outcome: 'passed', findings: [] } : result,
  ),
});

test('a disabled check is found, shrunk to the smallest store, and printed for replay', async () => {
  const subject = { flaws: ['limit-one-too-many'], variants: [], animals: 101 };
  const blind: typeof stores = {
    ...stores,
    deck: [subject],
    judge: async (server) =>
      heldAgainst(
        server,
        withoutCheck(await judgeTrial(settingFor('suites', server)), 'list-limit-max-items'),
      ),
  };
  const [find] = findsIn(await searched(blind, 1));
  assert.ok(find);
  assert.deepEqual(JSON.parse(find.drawn), subject);
  assert.deepEqual(JSON.parse(find.subject), { ...subject, animals: 0 });
  assert.deepEqual(find.what, ['limit-one-too-many missed: list-limit-max-items passed']);
  const lines = findLines(find).join('\n');
  const literal = '{"flaws":["limit-one-too-many"],"variants":[],"animals":0}';
  assert.ok(lines.includes(`npm run hunt -- --only stores --replay '${literal}'`), lines);
  assert.ok(lines.includes(`['stores', ${literal}],`), lines);
});

const row = {
  id: 'list-limit-default',
  level: 'must',
  part: 4,
  statement: '',
  findings: [],
  evidence: 1,
} as const;
const rowsOf = (...rows: readonly object[]) => ({
  requirements: rows.map((more) => ({ ...row, outcome: 'passed' as const, ...more })),
});
const kindOf = async (server: { flaws: string[]; variants: string[] }, ...rows: readonly object[]) => {
  const judged = await heldAgainst(server, rowsOf(...rows));
  return judged.kind === 'held' ? judged.as : judged.kind;
};

test('a wrong declaration of a flaw is found, in both directions', async () => {
  const results = await judgeTrial(settingFor('suites', { flaws: ['default-limit-ten'], variants: [] }));
  assert.deepEqual(
    await heldAgainst({ flaws: ['default-limit-ten'], variants: [] }, results),
    held('caught'),
  );
  const undeclared = await heldAgainst({ flaws: [], variants: [] }, results);
  assert.deepEqual(undeclared, { kind: 'found', what: ['wrongly red: list-limit-default failed'] });
  const other = await heldAgainst({ flaws: ['invalid-key-403'], variants: [] }, results);
  assert.deepEqual(other, {
    kind: 'found',
    what: ['wrongly red: list-limit-default failed', 'invalid-key-403 missed: auth-invalid-key passed'],
  });
});

test('a single flaw must fail its requirement or leave a part not tested', async () => {
  const server = { flaws: ['default-limit-ten'], variants: [] };
  const cases: readonly (readonly [object, string])[] = [
    [{}, 'found'],
    [{ partly: [] }, 'found'],
    [{ outcome: 'failed' }, 'caught'],
    [{ partly: ['the default with a filter'] }, 'left open'],
    [{ outcome: 'inconclusive' }, 'left open'],
    [{ outcome: 'not-applicable' }, 'left open'],
    [{ outcome: 'error' }, 'found'],
  ];
  for (const [more, as] of cases) assert.equal(await kindOf(server, more), as, JSON.stringify(more));
});

test('a flaw with a variant must fail any requirement or leave a part not tested', async () => {
  const server = { flaws: ['default-limit-ten'], variants: ['newest-first'] };
  assert.equal(await kindOf(server, {}), 'found');
  assert.equal(await kindOf(server, { outcome: 'inconclusive' }), 'left open');
  assert.equal(await kindOf(server, {}, { id: 'list-ok', outcome: 'failed' }), 'caught with more');
});

test('two flaws need one failed requirement; an inconclusive one is not enough', async () => {
  const server = { flaws: ['default-limit-ten', 'invalid-key-403'], variants: [] };
  assert.equal(await kindOf(server, {}, { id: 'auth-invalid-key', outcome: 'failed' }), 'left open');
  assert.equal(await kindOf(server, {}, { id: 'list-ok', outcome: 'failed' }), 'caught with more');
  assert.equal(await kindOf(server, { outcome: 'inconclusive' }, { id: 'list-ok' }), 'found');
});

test('two flaws that cancel each other are "hidden"', async () => {
  const server = { flaws: ['filter-with-limit-one-too-many', 'filter-with-limit-one-too-few'], variants: [] };
  assert.equal(await kindOf(server, {}), 'hidden');
});

test('a wrongly judged server under load is shrunk to its essential settings', async () => {
  const blind: typeof keys = {
    ...keys,
    judge: ({ used }) =>
      Promise.resolve(used > 10 ? { kind: 'found', what: ['conformant'] } : held('let pass')),
  };
  const [drawn] = fc.sample(
    keys.cases.filter(({ used, latency, before }) => used > 50 && latency > 0 && before > 0),
    { seed: 3, numRuns: 1 },
  );
  const came = await judgeOne(blind, { seed: 3, drawn });
  assert.equal(came.type, 'found');
  if (came.type !== 'found') return;
  const { used, before, latency } = JSON.parse(came.find.subject) as Record<string, unknown>;
  assert.deepEqual({ used, before, latency }, { used: drawn?.used, before: 0, latency: 0 });
});

test('an exception of the kit is found as well', async () => {
  const throwing: typeof keys = { ...keys, judge: () => Promise.reject(new Error('a slip')) };
  const came = await judgeOne(throwing, { seed: 1, drawn: undefined });
  assert.ok(came.type === 'found' && came.find.what[0]?.includes('a slip'));
});

/** Returns the first cases of a search with this seed, from a deck or drawn. */
const casesOf = async (seed: number, deck?: readonly number[]): Promise<readonly number[]> => {
  const cases: number[] = [];
  const until = Date.now() + 60_000;
  let left = 20;
  const hunt: Hunt<number> = {
    name: 'pairs',
    cases: fc.integer(),
    ...(deck && { deck }),
    judge: (subject) => Promise.resolve(cases.push(subject) > 0 ? held('caught') : held('caught')),
    inParallel: 3,
    get caseMs() {
      // Stops after enough cases to compare.
      return left-- > 0 ? 0 : 120_000;
    },
  };
  await search(hunt, { seed, until, nth: 0, of: 1 }, () => undefined);
  return cases;
};

test('the same seed has the same cases, and a deck has each case once', async () => {
  assert.deepEqual(await casesOf(7), await casesOf(7));
  assert.notDeepEqual(await casesOf(7), await casesOf(8));
  const deck = [1, 2, 3, 4, 5];
  assert.deepEqual(new Set(await casesOf(7, deck)), new Set(deck));
  assert.notDeepEqual(await casesOf(7, deck), await casesOf(8, deck));
});

test('a case unknown to its hunt is an error', async () => {
  for (const subject of [
    { flaws: ['limit-one-ower'], variants: [], animals: 20 },
    { animals: 20 },
    'x',
    null,
  ])
    await assert.rejects(judgeCase('stores', subject), UnknownCaseError);
});

const happened = (...happenings: readonly Happening[]) => happenings.reduce(counted, NOTHING);

test('the exit code distinguishes finds, no finds and no search', () => {
  const judged: Happening = { type: 'judged', hunt: 'stores', as: 'caught' };
  const find: Find = { hunt: 'stores', subject: '{}', what: ['x'], drawn: '{}' };
  assert.equal(exitCodeOf(happened(judged), ['stores'], false), 0);
  assert.equal(exitCodeOf(happened(judged), ['stores', 'keys'], false), 1);
  assert.equal(exitCodeOf(happened(judged), ['stores'], true), 130);
  const twice = happened(judged, { type: 'found', find }, { type: 'found', find });
  assert.equal(exitCodeOf(twice, ['stores'], false), 1);
  assert.equal(twice.finds.length, 1);
  assert.match(summary(twice, 'stores'), /^stores +3 cases: 1 caught, 2 got wrong$/);
});

const MAIN = join(import.meta.dirname, 'main.js');
const ran = (...words: readonly string[]) =>
  spawnSync(process.execPath, [MAIN, ...words], { encoding: 'utf8' });

test('the command prints its seed and reports that too little time judged nothing', () => {
  const { status, stdout } = ran('--seed', '42', '--minutes', '0.0001', '--only', 'stores');
  assert.equal(status, 1, stdout);
  assert.match(stdout, /^seed 42$/m);
  assert.match(stdout, /^✗ stores: nothing was judged/m);
});

test('the command replays its printed cases and rejects unknown options', () => {
  const again = ran(
    '--only',
    'stores',
    '--replay',
    '{"flaws":["default-limit-ten"],"variants":[],"animals":25}',
  );
  assert.equal(again.status, 0, again.stdout + again.stderr);
  assert.match(again.stdout, /^✓ stores: caught$/m);
  assert.equal(ran('--fast').status, 2);
});

test('invalid options are errors', async () => {
  for (const words of [
    ['--minutes', '0'],
    ['--seed', 'x'],
    ['--only', 'nothing'],
    ['--replay', '{}'],
    ['--fast'],
  ])
    await assert.rejects(readOptions(words), Error, words.join(' '));
  const { seed, ...rest } = await readOptions(['--minutes', '30', '--only', 'keys']);
  assert.deepEqual(rest, { minutes: 30, only: ['keys'], replay: undefined });
  assert.ok(Number.isSafeInteger(seed));
});

test('an interrupted hunt prints its counts', async () => {
  const child = spawn(process.execPath, [MAIN, '--seed', '1', '--minutes', '5', '--only', 'keys']);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  while (!stdout.includes('seed 1')) await once(child.stdout, 'data');
  child.kill('SIGINT');
  // Not `exit`, after which output may still arrive.
  const [code] = (await once(child, 'close')) as [number];
  assert.ok(code === 130 || code === 1, `${code}`);
  assert.match(stdout, /^keys +\d+ cases/m);
  assert.match(stdout, /found interrupted after \d+:\d\d, seed 1$/m);
});
