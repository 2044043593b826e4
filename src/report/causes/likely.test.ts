import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequirementId } from '../../base/interface/types.js';
import type { Measured } from '../../judge/findings/finding.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { RequirementResult, Results } from '../../outcome/results/results.js';
import { likelyCauses } from './likely.js';
import { evidenceIn, recorded } from './evidence.js';

/**
 * Path and status code of a request, the requirement that 200 meets and any other code violates, and the
 * category sent and received where these violate it.
 */
type Answered = readonly [
  path: string,
  status: number,
  row?: RequirementId,
  category?: readonly [string, string],
];

const isBroken = ([, status, , category]: Answered): boolean => status !== 200 || category !== undefined;

const animal = (category: string): string => `{"id":1,"name":"Rex","categoryId":${category}}`;

function run(...answers: readonly Answered[]): Pick<Results, 'requirements' | 'exchanges'> {
  const exchanges = answers.map(([path, status, , category], at): Exchange => ({
    id: `x${at}`,
    probe: path,
    operation: 'listPets',
    intent: { kind: 'declared', statuses: [200] },
    credential: { kind: 'valid', plan: 'free' },
    request: { method: 'GET', path, headers: [], body: category ? animal(category[0]) : null },
    sentAt: at,
    latencyMs: 1,
    attempts: 1,
    answer: { kind: 'response', status, headers: [], text: category ? animal(category[1]) : '[]' },
  }));
  const requirements = [...new Set(answers.flatMap(([, , row]) => row ?? []))].map(
    (id): RequirementResult => {
      const findings = answers.flatMap((each, at) => {
        const [path, , row] = each;
        return row === id && isBroken(each)
          ? [{ message: `words about ${path}`, exchanges: [`x${at}`] }]
          : [];
      });
      const outcome = findings.length > 0 ? 'failed' : 'passed';
      return { id, level: 'must', part: 4, statement: '', outcome, evidence: 1, findings };
    },
  );
  return { requirements, exchanges };
}

const flaw = (name: string, ...recordings: readonly ReturnType<typeof run>[]) => ({
  name,
  title: `The title of ${name}.`,
  turns: (recordings[0]?.requirements ?? []).flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : [])),
  shows: recorded(recordings.map((each) => evidenceIn(each).shown)),
});

const named = (shown: ReturnType<typeof run>, known: readonly ReturnType<typeof flaw>[]) =>
  likelyCauses(shown, shown.exchanges, known).map(({ flaws, rows }) => [
    flaws.map(({ name }) => name).join(),
    ...rows,
  ]);

const ONE = run(['/pets?limit=1', 500, 'list-limit-bounds'], ['/pets', 200, 'list-ok']);
const ALL = run(['/pets?limit=1', 500, 'list-limit-bounds'], ['/pets', 500, 'list-ok']);

test('a run with the evidence of a known flaw names that flaw', () => {
  const known = [flaw('one', ONE), flaw('all', ALL)];
  assert.deepEqual(named(ONE, known), [['one', 'list-limit-bounds']]);
  assert.deepEqual(named(ALL, known), [['all', 'list-limit-bounds', 'list-ok']]);
});

test('a received value that a flaw never produces excludes the flaw', () => {
  const other = run(['/pets?limit=1', 503, 'list-limit-bounds'], ['/pets', 200]);
  assert.deepEqual(named(other, [flaw('one', ONE)]), []);
  const double = ['9007199254740993', '9007199254740992'] as const;
  const cut = ['9007199254740993', '1'] as const;
  const showing = (category: readonly [string, string]) => run(['/pets', 200, 'pet-int64', category]);
  const known = [flaw('int32', showing(cut))];
  assert.deepEqual(named(showing(cut), known), [['int32', 'pet-int64']]);
  assert.deepEqual(named(showing(double), known), []);
});

/** A run whose load violates a requirement without an exchange. */
function load(measured?: Measured): ReturnType<typeof run> {
  const [row] = run(['/pets', 500, 'rate-429']).requirements;
  assert.ok(row);
  const finding = { message: 'words', exchanges: [], ...(measured && { measured }) };
  return { requirements: [{ ...row, findings: [finding] }], exchanges: [] };
}

test('under load the measured values decide, and a log without them names no cause', () => {
  const known = [flaw('one', load({ most: 60, got: 61 })), flaw('double', load({ most: 60, got: 120 }))];
  assert.deepEqual(named(load({ most: 300, got: 301 }), known), [['one', 'rate-429']]);
  assert.deepEqual(named(load({ most: 300, got: 600 }), known), [['double', 'rate-429']]);
  assert.deepEqual(named(load({ most: 300, got: 330 }), known), []);
  assert.deepEqual(named(load(), known), []);
});

test('a correct response excludes a flaw, a request that was not sent does not', () => {
  const part = run(['/pets', 500, 'list-ok'], ['/pets?limit=1', 200, 'list-limit-bounds']);
  assert.deepEqual(named(part, [flaw('all', ALL)]), []);
  assert.deepEqual(named(run(['/pets', 500, 'list-ok']), [flaw('all', ALL)]), [['all', 'list-ok']]);
});

test('a pass does not exclude a flaw that violates the requirement only sometimes', () => {
  const often = { ...flaw('often', ALL), turns: ['list-ok' as const] };
  const passed = run(['/pets', 500, 'list-ok'], ['/pets?limit=2', 200, 'list-limit-bounds']);
  assert.deepEqual(named(passed, [often]), [['often', 'list-ok']]);
  assert.deepEqual(named(passed, [flaw('always', ALL)]), []);
});

test('a flaw needs a clear lead; at most two equal flaws are named together', () => {
  const narrow = run(['/pets?limit=1', 500, 'list-limit-bounds']);
  assert.deepEqual(named(narrow, [flaw('one', ONE), flaw('all', ALL)]), []);
  assert.deepEqual(named(ONE, [flaw('one', ONE), flaw('same', ONE)]), [['one,same', 'list-limit-bounds']]);
  assert.deepEqual(named(ONE, [flaw('one', ONE), flaw('same', ONE), flaw('too', ONE)]), []);
});

test('two flaws are both named; a flaw that explains only part is not named', () => {
  const both = run(
    ['/pets?limit=1', 500, 'list-limit-bounds'],
    ['/pets?status=lost', 500, 'declared-status'],
  );
  const lost = run(['/pets?status=lost', 500, 'declared-status']);
  assert.deepEqual(named(both, [flaw('one', ONE), flaw('lost', lost)]), [
    ['one', 'list-limit-bounds'],
    ['lost', 'declared-status'],
  ]);
  const more = run(
    ['/pets?limit=1', 500, 'list-limit-bounds'],
    ['/pets?limit=100', 500, 'list-limit-bounds'],
  );
  assert.deepEqual(named(more, [flaw('one', ONE)]), []);
});

test('evidence that a flaw shows on only one store is ignored', () => {
  const small = run(['/pets?limit=3', 500, 'list-limit-bounds'], ['/pets?limit=1', 500, 'list-limit-bounds']);
  assert.deepEqual(named(ONE, [flaw('one', ONE, small)]), [['one', 'list-limit-bounds']]);
  assert.deepEqual(named(small, [flaw('one', ONE, small)]), [['one', 'list-limit-bounds']]);
});

test('no cause is named without a failure or without recorded evidence', () => {
  assert.deepEqual(named(run(['/pets', 200]), [flaw('one', ONE)]), []);
  const [{ name, title, turns }] = [flaw('one', ONE)];
  assert.deepEqual(likelyCauses(ONE, ONE.exchanges, [{ name, title, turns }]), []);
});

test('evidence can be extracted from any response', () => {
  const hostile = ['9'.repeat(400), '-1e400', '"', '[['.repeat(5_000), '{"status":null}', ''];
  for (const text of hostile)
    for (const id of [
      'pet-int64',
      'pet-shape',
      'list-limit-default',
      'rate-headers-present',
      'rate-429',
    ] as const) {
      const { requirements, exchanges } = run(['/pets?limit=x', 200, id, [hostile[0] ?? '', text]]);
      const sent = exchanges.map((each) => ({
        ...each,
        answer: { ...each.answer, text } as Exchange['answer'],
      }));
      assert.deepEqual(Object.keys(evidenceIn({ requirements, exchanges: sent }).shown), [id]);
      assert.deepEqual(Object.keys(evidenceIn({ requirements, exchanges: [] }).shown), [id]);
    }
});
