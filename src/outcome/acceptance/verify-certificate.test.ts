import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { loadContract } from '../../base/interface/contract.js';
import { loadLedger } from '../../base/interface/ledger.js';
import type { LogRecord } from '../../log/record.js';
import { gather } from '../../log/gathered.test.support.js';
import { violated, type ExampleChanges } from '../../report/example-run.test.support.js';
import type { Attestation } from './attestation.js';
import type { Certificate } from './certificate-shape.js';
import {
  attestationIn,
  certificateIn,
  certifiedLog,
  certifiedRecords,
  ndjson,
} from './certified-run.test.support.js';
import { claimsOf, parseCertificateFile, certificateFileOf } from './certificate-file.js';
import { fileSha256, foreignTo, verifyCertificate } from './verify-certificate.js';
import { RunFileError } from '../../base/kernel/errors.js';

const verifier = { ledger: loadLedger(), contract: loadContract() };
const OTHER = 'b'.repeat(64);

let folder = '';
before(async () => void (folder = await mkdtemp(join(tmpdir(), 'certificate-'))));
after(() => rm(folder, { recursive: true }));

let files = 0;
/** Writes a log and returns its file. */
async function fileOf(text: string): Promise<string> {
  const file = join(folder, `log-${(files += 1)}.ndjson`);
  await writeFile(file, text);
  return file;
}

/** Returns the mismatches of a certificate forged to fit a log's hash. */
async function whatsOf(
  records: readonly LogRecord[],
  changes: Partial<Certificate> = {},
  from: readonly LogRecord[] = records,
): Promise<readonly string[]> {
  const file = await fileOf(ndjson(records));
  const certificate = { ...certificateIn(gather(from), await fileSha256(file)), ...changes };
  const mismatches = await verifyCertificate([certificateFileOf(certificate)], file, verifier);
  return mismatches.map(({ what }) => what);
}

describe('a certificate', () => {
  test('matches its own log', async () => {
    assert.deepEqual(await whatsOf(certifiedRecords()), []);
  });

  const forged: readonly (readonly [string, Partial<Certificate>, string])[] = [
    [
      'another target',
      {
        target: {
          name: 'production',
          baseUrl: 'https://staging.example.com/v1',
          windows: { minute: 60, day: 86_400 },
        },
      },
      'target.name',
    ],
    ['more passed requirements', { passed: ['events'] }, 'passed'],
    ['fewer requirements that did not apply', { notApplicable: [] }, 'notApplicable'],
    ['another statement', { statement: 'all is well' }, 'statement'],
    ['another coverage', { covers: ['all plans'] }, 'covers'],
    ['an empty list of gaps', { notCovered: [] }, 'notCovered'],
    ['another plan', { plans: ['free', 'pro', 'business', 'enterprise'] }, 'plans'],
    ['another kit', { kit: { name: 'petstore-conformance', version: '9.9.9' } }, 'kit.version'],
    ['another contract', { contract: OTHER }, 'contract'],
    ['another command', { reproduce: 'true' }, 'reproduce'],
    ['another hash', { log: { file: 'log.ndjson', sha256: OTHER } }, 'log.sha256'],
  ];
  for (const [name, changes, what] of forged)
    test(`with ${name} does not match`, async () => {
      assert.deepEqual(await whatsOf(certifiedRecords(), changes), [what]);
    });

  test('from another contract or ledger is neither confirmed nor refuted', () => {
    const certificate = certificateIn(certifiedLog(), OTHER);
    const log = certifiedLog();
    for (const [changes, what] of [
      [{}, null],
      [{ contract: OTHER }, 'petstore-conformance 1.0.0, with another contract'],
      [{ ledger: OTHER }, 'petstore-conformance 1.0.0, with another ledger'],
    ] as const) {
      assert.equal(foreignTo(verifier, certificateFileOf({ ...certificate, ...changes })), what);
    }
    const attestation = attestationIn(log, OTHER);
    assert.equal(foreignTo(verifier, certificateFileOf(attestation)), null);
    const without = { ...attestation, predicate: { ...attestation.predicate, configuration: [] } };
    assert.match(foreignTo(verifier, certificateFileOf(without)) ?? '', /contract and another ledger/);
  });
});

/** Returns the mismatches of a forged Statement. */
const verifyTampered = async (change: (attestation: Attestation) => unknown) => {
  const file = await fileOf(ndjson(certifiedRecords()));
  const attestation = change(attestationIn(certifiedLog(), await fileSha256(file))) as Attestation;
  const mismatches = await verifyCertificate([certificateFileOf(attestation)], file, verifier);
  return mismatches.map(({ what }) => what);
};

describe('the in-toto Statement of a certificate', () => {
  test('matches the log', async () => {
    assert.deepEqual(await verifyTampered((attestation) => attestation), []);
  });

  const tampered: readonly (readonly [string, (attestation: Attestation) => unknown, readonly string[]])[] = [
    [
      'another subject',
      ({ subject: [first], ...rest }) => ({ ...rest, subject: [{ ...first, digest: { sha256: OTHER } }] }),
      ['log.sha256'],
    ],
    [
      'one more subject',
      ({ subject, ...rest }) => ({
        ...rest,
        subject: [...subject, { name: 'x', digest: { sha256: OTHER } }],
      }),
      ['subject.x'],
    ],
    [
      'another result',
      ({ predicate, ...rest }) => ({ ...rest, predicate: { ...predicate, result: 'WARNED' } }),
      ['predicate.result'],
    ],
    [
      'more passed tests',
      ({ predicate, ...rest }) => ({ ...rest, predicate: { ...predicate, passedTests: ['all'] } }),
      ['predicate.passedTests'],
    ],
    [
      'a forged result behind a member whose name is its path',
      ({ predicate, ...rest }) => ({
        ...rest,
        predicate: { ...predicate, result: 'WARNED' },
        'predicate.result': 'PASSED',
      }),
      ['predicate.result', 'predicate.result'],
    ],
    ['an empty member', (made) => ({ ...made, empty: {} }), ['empty']],
    [
      'an added URL',
      ({ predicate, ...rest }) => ({ ...rest, predicate: { ...predicate, url: 'https://example.com/run' } }),
      ['predicate.url'],
    ],
  ];
  for (const [name, change, whats] of tampered)
    test(`with ${name} does not match`, async () => {
      assert.deepEqual(await verifyTampered(change), whats);
    });
});

describe('a log', () => {
  const sound = certifiedRecords();
  const forgedLog = (changes: ExampleChanges) => whatsOf(certifiedRecords(changes), {}, sound);

  test('with a changed byte is detected, even if the results are the same', async () => {
    const file = await fileOf(`${ndjson(sound)}\n`);
    const certificate = certificateIn(gather(sound), await fileSha256(await fileOf(ndjson(sound))));
    const mismatches = await verifyCertificate([certificateFileOf(certificate)], file, verifier);
    assert.deepEqual(
      mismatches.map(({ what }) => what),
      ['log.sha256'],
    );
  });

  test('with a failed "must" requirement is detected, even with a matching hash', async () => {
    assert.ok((await forgedLog({ findings: [violated('list-ok')] })).includes('verdict'));
  });

  test('without a footer is detected, even with a matching hash', async () => {
    assert.ok((await forgedLog({ footer: false })).includes('verdict'));
  });

  test('of a run with a baseline is detected', async () => {
    const header = { acceptance: { certificate: true, baseline: true } };
    assert.ok((await forgedLog({ header })).includes('verdict'));
  });

  test('that is damaged is a mismatch, even if only one record lacks a member', async () => {
    const certificate = certificateIn(gather(sound), OTHER);
    for (const text of [`{"type":"header"\n${ndjson(sound)}`, '{"type":"header","schemaVersion":1}\n']) {
      const file = await fileOf(text);
      const mismatches = await verifyCertificate([certificateFileOf(certificate)], file, verifier);
      assert.deepEqual(
        mismatches.map(({ what }) => what),
        ['log.sha256', 'log'],
      );
    }
  });

  test('that is missing or has another version proves nothing about the certificate', async () => {
    const certificate = certificateIn(gather(sound), OTHER);
    const old = await fileOf('{"type":"header","schemaVersion":99}\n');
    for (const [file, code] of [
      [join(folder, 'nowhere.ndjson'), 'log-unreadable'],
      [old, 'log-version'],
    ] as const)
      await assert.rejects(
        verifyCertificate([certificateFileOf(certificate)], file, verifier),
        (error) => error instanceof RunFileError && error.code === code,
      );
  });
});

test('a Statement without lists of tests can be read: its specification lets them be absent', () => {
  const { predicate, ...statement } = attestationIn(certifiedLog(), OTHER);
  const { result, configuration } = predicate;
  const file = JSON.stringify({ ...statement, predicate: { result, configuration } });
  const { kit, required } = claimsOf(parseCertificateFile(file, 'certificate.intoto.json'));
  assert.match(kit, /^petstore-conformance /);
  assert.ok(!required.includes('list-ok'));
});
