import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ConfigError } from '../../contract/config-error.js';
import { loadLedger } from '../../contract/ledger.js';
import {
  exampleLog,
  exampleNdjson,
  exampleResults,
  fault,
  inconclusive,
  notApplicable,
  violated,
} from '../example-run.test.support.js';
import type { ExampleChanges } from '../example-run.test.support.js';
import { certificateJson, makeCertificate } from './certificate.js';
import type { Certificate } from './certificate.js';
import { parseCertificate } from './certificate-file.js';
import { fileSha256, verifyCertificate } from './verify-certificate.js';

const HASH = 'a'.repeat(64);

const make = (changes: ExampleChanges = {}, baseline = false, hash = HASH) =>
  makeCertificate(exampleResults(changes), exampleLog(changes).header, hash, { baseline });

function certificateOf(hash: string): Certificate {
  const made = make({}, false, hash);
  assert.ok(made.kind === 'certificate', 'the example run earns a certificate');
  return made;
}

describe('a certificate', () => {
  test('says what was tested, what did not apply and how to repeat it', () => {
    const certificate = certificateOf(HASH);
    assert.match(
      certificate.statement,
      /^staging conforms to .* hold\. Tested at https:\/\/staging\.example\.com\/v1 on 2026-11-20, with the plans Free and Business\.$/,
    );
    assert.equal(certificate.passed.length, 48);
    assert.deepEqual(
      certificate.notApplicable.map(({ id, code }) => [id, code]),
      [
        ['get-after-removal', 'removal-date'],
        ['rate-day-quota', 'opt-in'],
        ['ban-temporary', 'not-observed'],
        ['ban-only-that-key', 'not-observed'],
        ['environments-agree', 'opt-in'],
      ],
    );
    assert.equal(certificate.log.sha256, HASH);
    assert.equal(certificate.ledger, loadLedger().hash);
    assert.deepEqual(parseCertificate(certificateJson(certificate), 'certificate.json'), certificate);
  });

  test('names warnings, which do not stand in its way', () => {
    const made = make({ findings: [violated('auth-challenge')] });
    assert.deepEqual(made.kind === 'certificate' && made.warnings, ['auth-challenge']);
  });

  const { scope, target } = exampleLog().header;
  const refused: readonly (readonly [name: string, changes: ExampleChanges, reason: RegExp])[] = [
    ['a failed must', { findings: [violated('list-ok')] }, /^list-ok failed\.$/],
    ['a must that is not established', { findings: [inconclusive('list-ok')] }, /^list-ok is not established/],
    ['a fault of the kit', { findings: [fault('list-ok')] }, /^list-ok met a fault/],
    ['a must without a key', { findings: [notApplicable('rate-per-key', 'no-key')] }, /^rate-per-key was not tested/],
    ['a must without writes', { findings: [notApplicable('create-ok', 'writes-off')] }, /^create-ok was not tested/],
    ['a run cut short', { footer: false }, /cut short/],
    ['a selection', { header: { scope: { ...scope, selection: { only: 'suites' } } } }, /Only a selection/],
    [
      'selected ids',
      { header: { scope: { ...scope, selected: loadLedger().requirements.map(({ id }) => id) } } },
      /Only a selection/,
    ],
    [
      'short windows',
      { header: { target: { ...target, windows: { minute: 2, day: 60 } } } },
      /windows were 2 s and 60 s/,
    ],
    [
      'a short day',
      { header: { target: { ...target, windows: { minute: 60, day: 60 } } } },
      /windows were 60 s and 60 s/,
    ],
    ['no key', { header: { scope: { ...scope, plans: [] } } }, /No plan was tested/],
    ['another day', { header: { scope: { ...scope, asOf: '2031-01-01' } } }, /as of 2031-01-01/],
    [
      'nothing that passed',
      { findings: exampleResults().requirements.map((row) => notApplicable(row.id, 'opt-in')) },
      /^No must passed\.$/,
    ],
  ];
  for (const [name, changes, reason] of refused) {
    test(`is refused: ${name}`, () => {
      const made = make(changes);
      assert.ok(made.kind === 'refusal');
      assert.ok(
        made.reasons.some((one) => reason.test(one)),
        made.reasons.join('\n'),
      );
    });
  }

  test('is refused: a baseline', () => {
    const made = make({}, true);
    assert.deepEqual(made.kind === 'refusal' && made.reasons, ['A baseline of accepted deviations was given.']);
  });

  test('with a member that nobody would check is not read', () => {
    const text = JSON.stringify({ ...certificateOf(HASH), alsoTested: 'everything' });
    assert.throws(() => parseCertificate(text, 'c.json'), ConfigError);
  });
});

describe('verifying a certificate', () => {
  let folder = '';
  let log = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'certificate-'));
    log = join(folder, 'log.ndjson');
    await writeFile(log, exampleNdjson());
  });
  after(() => rm(folder, { recursive: true }));

  const verify = (certificate: Certificate, file = log) => verifyCertificate(certificate, file, loadLedger());
  const whats = async (certificate: Certificate, file = log) =>
    (await verify(certificate, file)).mismatches.map(({ what }) => what);

  test('it holds against its own log', async () => {
    assert.deepEqual(await verify(certificateOf(await fileSha256(log))), { holds: true, mismatches: [] });
  });

  const forged: readonly (readonly [string, Partial<Certificate>, string])[] = [
    [
      'another target',
      {
        target: { name: 'production', baseUrl: 'https://staging.example.com/v1', windows: { minute: 60, day: 86_400 } },
      },
      'target.name',
    ],
    ['more that passed', { passed: ['everything'] }, 'passed'],
    ['fewer that did not apply', { notApplicable: [] }, 'notApplicable'],
    ['another sentence', { statement: 'all is well' }, 'statement'],
    ['another plan', { plans: ['free', 'pro', 'business', 'enterprise'] }, 'plans'],
    ['another contract', { contract: 'b'.repeat(64) }, 'contract'],
    ['another command', { reproduce: 'true' }, 'reproduce'],
    ['another hash', { log: { file: 'log.ndjson', sha256: 'b'.repeat(64) } }, 'log.sha256'],
  ];
  for (const [name, changes, what] of forged) {
    test(`${name} is noticed`, async () => {
      assert.deepEqual(await whats({ ...certificateOf(await fileSha256(log)), ...changes }), [what]);
    });
  }

  test('a log that was changed is noticed, even where the results stay the same', async () => {
    const certificate = certificateOf(await fileSha256(log));
    const changed = join(folder, 'changed.ndjson');
    await writeFile(changed, await readFile(log));
    await appendFile(changed, '\n');
    assert.deepEqual(await whats(certificate, changed), ['log.sha256']);
  });

  test('a log in which a must failed is noticed, though its hash was forged too', async () => {
    const bad = join(folder, 'bad.ndjson');
    await writeFile(bad, exampleNdjson({ findings: [violated('list-ok')] }));
    const { holds, mismatches } = await verify(certificateOf(await fileSha256(bad)), bad);
    assert.equal(holds, false);
    assert.ok(mismatches.some(({ found }) => found === 'list-ok failed.'));
  });

  test('another ledger is noticed', async () => {
    const { mismatches } = await verifyCertificate(certificateOf(await fileSha256(log)), log, {
      ...loadLedger(),
      hash: 'b'.repeat(64),
    });
    assert.deepEqual(
      mismatches.map(({ what }) => what),
      ['ledger of this kit'],
    );
  });

  test('a log that is missing or damaged is a mismatch', async () => {
    const certificate = certificateOf(await fileSha256(log));
    const damaged = join(folder, 'damaged.ndjson');
    await writeFile(damaged, `{"type":"header"\n${exampleNdjson()}`);
    assert.deepEqual(await whats(certificate, join(folder, 'nowhere.ndjson')), ['log']);
    assert.deepEqual(await whats(certificate, damaged), ['log']);
  });
});
