import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadLedger } from '../../base/interface/ledger.js';
import { violated } from '../../report/example-run.test.support.js';
import { attestationIn, certificateIn, certifiedLog } from './certified-run.test.support.js';
import { publishedCheck } from '../../testing/published-check.js';

const HASH = 'a'.repeat(64);
const isAttestation = publishedCheck('attestation');
const isCertificate = publishedCheck('certificate');

describe('the in-toto Statement of a certificate', () => {
  const attestation = attestationIn(certifiedLog(), HASH);

  test('is an in-toto Statement v1 about the log with the test-result predicate', () => {
    assert.ok(isAttestation(attestation), JSON.stringify(isAttestation.errors));
    assert.deepEqual(
      { ...attestation, predicate: {} },
      {
        _type: 'https://in-toto.io/Statement/v1',
        subject: [{ name: 'log.ndjson', digest: { sha256: HASH } }],
        predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
        predicate: {},
      },
    );
    assert.deepEqual(Object.keys(attestation.predicate), [
      'result',
      'configuration',
      'passedTests',
      'warnedTests',
      'failedTests',
    ]);
  });

  test('has the same content as the certificate', () => {
    const { kit, contract, ledger, target, ...rest } = certificateIn(certifiedLog(), HASH);
    const { result, configuration, passedTests = [], warnedTests, failedTests } = attestation.predicate;
    assert.equal(result, 'PASSED');
    for (const id of rest.passed) assert.ok(passedTests.includes(id), id);
    assert.deepEqual([warnedTests, failedTests], [[], []]);
    assert.deepEqual(configuration.slice(0, 3), [
      { name: 'kit', uri: `pkg:npm/${kit.name}@${kit.version}` },
      { name: 'contract', digest: { sha256: contract } },
      { name: 'ledger', digest: { sha256: ledger } },
    ]);
    const [, , , about] = configuration;
    assert.equal(about?.uri, target.baseUrl);
    for (const name of [
      'statement',
      'covers',
      'notCovered',
      'plans',
      'asOf',
      'notApplicable',
      'reproduce',
    ] as const)
      assert.deepEqual(about.annotations?.[name], rest[name], name);
  });

  test('names what the operator says was tested after the log, and the build', () => {
    const subject = [{ name: 'oci://registry.example/petstore', digest: { sha256: 'd'.repeat(64) } }];
    const made = attestationIn(certifiedLog({ header: { label: '2.4.0', subject } }), HASH);
    assert.ok(isAttestation(made), JSON.stringify(isAttestation.errors));
    assert.deepEqual(made.subject, [
      { name: 'log.ndjson', digest: { sha256: HASH } },
      { ...subject[0], annotations: { claimedBy: 'operator' } },
    ]);
    const { label, validUntil } = made.predicate.configuration.at(-1)?.annotations ?? {};
    assert.deepEqual([label, validUntil], ['2.4.0', '2027-02-18']);
  });

  test('lists each requirement at most once', () => {
    const { passedTests = [], warnedTests = [], failedTests = [] } = attestation.predicate;
    const named = [...passedTests, ...warnedTests, ...failedTests];
    assert.equal(new Set(named).size, named.length);
    const known = new Set<string>(loadLedger().requirements.map(({ id }) => id));
    assert.ok(named.every((id) => known.has(id)));
  });

  test('has the result WARNED if a "should" requirement is violated', () => {
    const { predicate } = attestationIn(certifiedLog({ findings: [violated('auth-challenge')] }), HASH);
    assert.equal(predicate.result, 'WARNED');
    assert.deepEqual(predicate.warnedTests, ['auth-challenge']);
    assert.ok(!predicate.passedTests?.includes('auth-challenge'));
  });
});

describe('the published schemas', () => {
  test('the certificate schema accepts a real certificate and rejects unknown or missing members', () => {
    const certificate = certificateIn(certifiedLog(), HASH);
    assert.ok(isCertificate(certificate), JSON.stringify(isCertificate.errors));
    assert.ok(!isCertificate({ ...certificate, also: true }));
    assert.ok(!isCertificate({ ...certificate, notCovered: undefined }));
  });

  const { predicate, subject, ...rest } = attestationIn(certifiedLog(), HASH);
  const wrong: readonly (readonly [string, unknown])[] = [
    ['a subject without a digest', { ...rest, predicate, subject: [{ name: 'log.ndjson' }] }],
    ['no subject', { ...rest, predicate, subject: [] }],
    [
      'a digest that is not a SHA-256',
      { ...rest, predicate, subject: [{ digest: { sha256: 'A'.repeat(64) } }] },
    ],
    ['an invalid result', { ...rest, subject, predicate: { ...predicate, result: 'passed' } }],
    ['no configuration', { ...rest, subject, predicate: { ...predicate, configuration: undefined } }],
    [
      'a configuration entry without digest or URI',
      { ...rest, subject, predicate: { ...predicate, configuration: [{ name: 'ledger' }] } },
    ],
    [
      'an unknown predicate type',
      { ...rest, subject, predicate, predicateType: 'https://slsa.dev/provenance/v1' },
    ],
    [
      'an unknown Statement version',
      { ...rest, subject, predicate, _type: 'https://in-toto.io/Statement/v0.1' },
    ],
  ];
  for (const [name, statement] of wrong)
    test(`the Statement schema rejects ${name}`, () => {
      assert.ok(!isAttestation(JSON.parse(JSON.stringify(statement))));
    });

  test('the Statement schema accepts unknown members and missing test lists', () => {
    const { result, configuration } = predicate;
    assert.ok(
      isAttestation({ ...rest, subject, note: 'x', predicate: { result, configuration, note: 'x' } }),
    );
  });
});
