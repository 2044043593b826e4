import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  kept,
  about,
  unestablished,
  violated,
  outOfScope,
  type Finding,
} from '../../judge/findings/finding.js';
import { loadLedger } from '../../base/interface/ledger.js';
import { withCertificateFaults } from './conclude.js';

const { requirements: rows } = loadLedger();
const WRONG = new Map([['concurrent', 'the certificate is not trusted (CERT_HAS_EXPIRED)']]);
const inWords = (findings: readonly Finding[]) =>
  findings.map(({ requirement, kind }) => `${requirement} ${kind}`);

test('findings do not change if every connection was trusted', () => {
  const findings = [
    about('rate-concurrent', kept([], 'kept')),
    about('rate-429', unestablished('transport', 'no answer')),
  ];
  assert.deepEqual(withCertificateFaults(findings, rows, new Map()), findings);
});

test('a kept finding is inconclusive if its profile had an untrusted connection', () => {
  const findings = [
    about('rate-concurrent', kept([], 'kept')),
    about('rate-retry-after-honoured', kept([], 'kept')),
  ];
  const [cause, ...rest] = withCertificateFaults(findings, rows, WRONG);
  assert.deepEqual(rest, findings);
  assert.deepEqual(
    cause,
    about(
      'rate-concurrent',
      unestablished(
        'untrusted',
        'No trusted TLS connection in the profile concurrent: the certificate is not trusted (CERT_HAS_EXPIRED).',
      ),
    ),
  );
});

test('an inconclusive finding names the untrusted connection as its first cause', () => {
  const findings = [about('rate-window', unestablished('too-little-data', 'nothing was burst'))];
  assert.deepEqual(inWords(withCertificateFaults(findings, rows, WRONG)), [
    'rate-window inconclusive',
    'rate-window inconclusive',
  ]);
  assert.match(JSON.stringify(withCertificateFaults(findings, rows, WRONG)[0]), /No trusted TLS connection/);
});

test('violated and not-applicable findings do not change', () => {
  const findings = [
    about('rate-concurrent', violated([], 'too many', { expected: '60', actual: '70' })),
    about('rate-per-key', outOfScope('no-key', 'one')),
  ];
  assert.deepEqual(withCertificateFaults(findings, rows, WRONG), findings);
});
