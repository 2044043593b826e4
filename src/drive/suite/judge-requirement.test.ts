import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answers, notRefusedForItsKey } from '../../judge/checks/status.js';
import { exchangeOf, judging } from '../../judge/checks/exchange.test.support.js';
import { kept, unestablished, violated, type Finding } from '../../judge/findings/finding.js';
import { loadLedger } from '../../base/interface/ledger.js';
import type { OperationName, RequirementId } from '../../base/interface/types.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { redactor } from '../../wire/exchange/redact.js';
import { memoryJournal } from '../../log/journal.js';
import type { Probes } from '../probes/probes.js';
import { nobody } from '../probes/credentials.js';
import { Unjudgeable } from '../probes/unjudgeable.js';
import type { Fixture } from './fixture.js';
import { judgeRequirement, type RequirementBody } from './judge-requirement.js';

const KEY = 'pk-judge-requirement-0123456789';
const row = loadLedger().byId('list-ok');

/** Judges a row, by default the plain listing's, with a body that needs no probe. `sent` lists its requests. */
async function judgeBy(
  body: RequirementBody,
  unstable: readonly OperationName[] = [],
  { sent = [], id = row.id }: { readonly sent?: readonly Exchange[]; readonly id?: RequirementId } = {},
) {
  const journal = memoryJournal();
  const markers = Object.fromEntries(unstable.map((operation) => [operation, 'beta' as const]));
  const fixture: Fixture = {
    probes: { exchanges: () => sent } as Partial<Probes> as Probes,
    facts: {
      baseUrl: '',
      removal: 'before',
      removalDate: '',
      asOf: '',
      keyHasLetters: true,
      isKeyLong: false,
      neverIssued: nobody,
    },
    judging: { ...judging, contract: { ...judging.contract, markers } },
    journal,
    redact: redactor([KEY]),
  };
  const findings = await judgeRequirement(loadLedger().byId(id), body, fixture);
  const recorded = journal.records.flatMap((record) => (record.type === 'finding' ? [record.finding] : []));
  assert.deepEqual(recorded.slice(0, findings.length), findings);
  assert.deepEqual(journal.records.at(-1), { type: 'settled', requirement: id });
  return Object.assign(findings, { beside: recorded.slice(findings.length) });
}

const kindsOf = (findings: readonly Finding[]) =>
  findings.map(({ kind, requirement }) => [kind, requirement]);

/** Returns a body's request, which adds one exchange. */
function asking(status: number) {
  const sent: Exchange[] = [exchangeOf({ status: 403, id: 'x1' })];
  const exchange = exchangeOf({ status, id: 'x2' });
  return { sent, ask: () => (sent.push(exchange), exchange) };
}

test('a valid key rejected in a suite violates auth-valid-key, only in the log', async () => {
  for (const status of [401, 403]) {
    const { sent, ask } = asking(status);
    const findings = await judgeBy(({ judge }) => judge(answers('list-ok', ask())), [], { sent });
    assert.deepEqual(kindsOf(findings), [['inconclusive', 'list-ok']]);
    assert.deepEqual(kindsOf(findings.beside), [['violated', 'auth-valid-key']]);
  }
});

test('earlier rejections and other status codes do not violate it', async () => {
  const { sent, ask } = asking(500);
  const { beside } = await judgeBy(({ judge }) => judge(answers('list-ok', ask())), [], { sent });
  assert.deepEqual(beside, []);
});

test('the test of auth-valid-key reports a rejection only once', async () => {
  const { sent, ask } = asking(403);
  const findings = await judgeBy(({ judge }) => judge(notRefusedForItsKey(ask())), [], {
    sent,
    id: 'auth-valid-key',
  });
  assert.deepEqual(kindsOf(findings), [['violated', 'auth-valid-key']]);
  assert.deepEqual(findings.beside, []);
});

test('a valid key rejected by an unstable operation is only a warning', async () => {
  const { sent, ask } = asking(403);
  const { beside } = await judgeBy(({ judge }) => judge(answers('list-ok', ask())), ['listPets'], { sent });
  const [finding] = beside;
  assert.ok(finding?.kind === 'violated' && finding.warns);
});

test('findings are recorded under their requirement, which is then settled', async () => {
  const findings = await judgeBy(({ judge }) => judge(kept([{ id: 'x1' }]), violated([{ id: 'x2' }], 'm')));
  assert.deepEqual(
    findings.map(({ kind, requirement }) => [kind, requirement]),
    [
      ['kept', 'list-ok'],
      ['violated', 'list-ok'],
    ],
  );
});

test('a test without findings is inconclusive', async () => {
  const [finding] = await judgeBy(() => undefined);
  assert.ok(finding?.kind === 'inconclusive' && finding.reason.code === 'nothing-judged');
});

test('findings before an unjudgeable part are kept', async () => {
  const findings = await judgeBy(({ judge }) => {
    judge(violated([], 'm'));
    throw new Unjudgeable(unestablished('rate-limited', 't'));
  });
  assert.deepEqual(
    findings.map(({ kind }) => kind),
    ['violated', 'inconclusive'],
  );
});

test('any other exception is an error of the kit', async () => {
  for (const thrown of [new TypeError('a bug'), 'a string']) {
    const [finding] = await judgeBy(() => {
      throw thrown;
    });
    assert.ok(
      finding?.kind === 'fault' && finding.message.includes(thrown instanceof Error ? 'a bug' : 'a string'),
    );
  }
});

test('no finding contains a key', async () => {
  const findings = await judgeBy(({ judge }) => {
    judge(violated([], 'm', { actual: `"${KEY}"` }));
    throw new Error(`no such key: ${KEY}`);
  });
  assert.equal(findings.length, 2);
  assert.ok(!JSON.stringify(findings).includes(KEY.slice(0, 20)));
});

const violates: RequirementBody = ({ judge }) => judge(violated([], 'm'), kept([]));

test('a violation on an unstable operation is only a warning', async () => {
  const [stable] = await judgeBy(violates, ['getPet']);
  const [unstable] = await judgeBy(violates, ['listPets']);
  assert.deepEqual(
    [stable, unstable].map((finding) => finding?.kind === 'violated' && finding.warns === true),
    [false, true],
  );
});
