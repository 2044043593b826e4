import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kept, about, unestablished, violated, outOfScope, type Finding } from '../findings/finding.js';
import { loadLedger } from '../contract/ledger.js';
import { withoutTrust } from './certificate-faults.js';

const { requirements: rows } = loadLedger();
const WRONG = new Map([['concurrent', 'the certificate is not trusted (CERT_HAS_EXPIRED)']]);
const inWords = (findings: readonly Finding[]) => findings.map(({ requirement, kind }) => `${requirement} ${kind}`);

test('nothing changes where every connection was trusted', () => {
  const findings = [
    about('rate-concurrent', kept([], 'kept')),
    about('rate-429', unestablished('transport', 'no answer')),
  ];
  assert.deepEqual(withoutTrust(findings, rows, new Map()), findings);
});

test('what was kept by a profile with an untrusted connection is open; by another profile it stays kept', () => {
  const findings = [about('rate-concurrent', kept([], 'kept')), about('rate-retry-after-honoured', kept([], 'kept'))];
  const [cause, ...rest] = withoutTrust(findings, rows, WRONG);
  assert.deepEqual(rest, findings);
  assert.deepEqual(
    cause,
    about(
      'rate-concurrent',
      unestablished(
        'transport',
        'No trusted TLS connection in the profile concurrent: the certificate is not trusted (CERT_HAS_EXPIRED).',
      ),
    ),
  );
});

test('what is open names it as its first cause, whichever profile it waited for', () => {
  const findings = [about('rate-window', unestablished('too-little-data', 'nothing was burst'))];
  assert.deepEqual(inWords(withoutTrust(findings, rows, WRONG)), [
    'rate-window inconclusive',
    'rate-window inconclusive',
  ]);
  assert.match(JSON.stringify(withoutTrust(findings, rows, WRONG)[0]), /No trusted TLS connection/);
});

test('what is broken, or does not apply, stays so', () => {
  const findings = [
    about('rate-concurrent', violated([], 'too many', { expected: '60', actual: '70' })),
    about('rate-per-key', outOfScope('no-key', 'one')),
  ];
  assert.deepEqual(withoutTrust(findings, rows, WRONG), findings);
});
