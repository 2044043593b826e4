import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judging } from '../checks/exchange.test.support.js';
import { kept, unestablished, violated } from '../checks/finding.js';
import { loadLedger } from '../contract/ledger.js';
import type { OperationName } from '../contract/types.js';
import { redactor } from '../exchange/redact.js';
import { memoryJournal } from '../log/journal.js';
import type { Probes } from '../probes/probes.js';
import { Unsettled } from '../probes/unsettled.js';
import type { Bench } from './bench.js';
import { judgeRequirement } from './judge-requirement.js';
import type { RequirementBody } from './judge-requirement.js';

const KEY = 'pk-judge-requirement-0123456789';
const row = loadLedger().byId('list-ok');

/** Judges the plain listing's row by a body that needs no probe. */
async function judgeBy(body: RequirementBody, unstable: readonly OperationName[] = []) {
  const journal = memoryJournal();
  const markers = Object.fromEntries(unstable.map((operation) => [operation, 'beta' as const]));
  const bench: Bench = {
    probes: {} as Probes,
    facts: { baseUrl: '', removal: 'before', removalDate: '', asOf: '', keyHasLetters: true },
    judging: { ...judging, contract: { ...judging.contract, markers } },
    journal,
    redact: redactor([KEY]),
  };
  const findings = await judgeRequirement(row, body, bench);
  assert.deepEqual(journal.records, [
    ...findings.map((finding) => ({ type: 'finding', finding })),
    { type: 'settled', requirement: row.id },
  ]);
  return findings;
}

test('what a body judges is recorded under its row, and the row is settled', async () => {
  const findings = await judgeBy(({ judge }) => judge(kept([{ id: 'x1' }]), violated([{ id: 'x2' }], 'm')));
  assert.deepEqual(
    findings.map(({ kind, requirement }) => [kind, requirement]),
    [
      ['kept', 'list-ok'],
      ['violated', 'list-ok'],
    ],
  );
});

test('a body that judges nothing has established nothing', async () => {
  const [finding] = await judgeBy(() => undefined);
  assert.ok(finding?.kind === 'inconclusive' && finding.reason.code === 'nothing-judged');
});

test('what could not be judged keeps what was judged before it', async () => {
  const findings = await judgeBy(({ judge }) => {
    judge(violated([], 'm'));
    throw new Unsettled(unestablished('rate-limited', 't'));
  });
  assert.deepEqual(
    findings.map(({ kind }) => kind),
    ['violated', 'inconclusive'],
  );
});

test('anything else that is thrown is a fault of the kit', async () => {
  for (const thrown of [new TypeError('a bug'), 'a string']) {
    const [finding] = await judgeBy(() => {
      throw thrown;
    });
    assert.ok(finding?.kind === 'fault' && finding.message.includes(thrown instanceof Error ? 'a bug' : 'a string'));
  }
});

test('no finding holds a key, whoever said it', async () => {
  const findings = await judgeBy(({ judge }) => {
    judge(violated([], 'm', { actual: `"${KEY}"` }));
    throw new Error(`no such key: ${KEY}`);
  });
  assert.equal(findings.length, 2);
  assert.ok(!JSON.stringify(findings).includes(KEY.slice(0, 20)));
});

const violates: RequirementBody = ({ judge }) => judge(violated([], 'm'), kept([]));

test('what is violated on an operation that is marked as unstable only warns', async () => {
  const [stable] = await judgeBy(violates, ['getPet']);
  const [unstable] = await judgeBy(violates, ['listPets']);
  assert.deepEqual(
    [stable, unstable].map((finding) => finding?.kind === 'violated' && finding.warns === true),
    [false, true],
  );
});
