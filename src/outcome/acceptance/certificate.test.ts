import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequirementId } from '../../base/interface/types.js';
import type { Finding } from '../../judge/findings/finding.js';
import { loadLedger } from '../../base/interface/ledger.js';
import { resultsOf } from '../results/results.js';
import {
  exampleLog,
  exampleProfile,
  exampleResults,
  fault,
  inconclusive,
  notApplicable,
  violated,
  type ExampleChanges,
} from '../../report/example-run.test.support.js';
import { certificateIn, certifiedLog } from './certified-run.test.support.js';
import { certificateJson, certificationOf, makeCertificate } from './certificate.js';
import { ConfigError } from '../../base/kernel/errors.js';
import { parseCertificateFile } from './certificate-file.js';

const HASH = 'a'.repeat(64);

const make = (changes: ExampleChanges = {}) => {
  const log = certifiedLog(changes);
  return makeCertificate(resultsOf(log, loadLedger().requirements), log, HASH);
};

const kept = (requirement: RequirementId): Finding => ({ kind: 'kept', requirement, exchanges: ['x1'] });

const toldOf = (changes: ExampleChanges) => {
  const log = certifiedLog(changes);
  return certificationOf(resultsOf(log, loadLedger().requirements), log.header);
};

const certificateOf = (hash: string, changes: ExampleChanges = {}) =>
  certificateIn(certifiedLog(changes), hash);

describe('a certificate', () => {
  test('states what was tested, what did not apply, and how to repeat the run', () => {
    const certificate = certificateOf(HASH);
    assert.match(
      certificate.statement,
      /^staging is certified for 50 of 55 required behaviours of Pet Store Service Interface 1\.0\.0; not for the plans Pro and Enterprise, bans, the day's quota, the removal in 2030, the agreement of two environments\. Tested at https:\/\/staging\.example\.com\/v1 on 2026-11-20, with the plans Free and Business\.$/,
    );
    const musts = loadLedger().requirements.filter(({ level }) => level === 'must');
    assert.equal(certificate.passed.length, musts.length - certificate.notApplicable.length);
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
    assert.deepEqual(
      parseCertificateFile(certificateJson(certificate), 'certificate.json').value,
      certificate,
    );
  });

  test('names the build and what the operator says was tested, and says who says so', () => {
    const subject = [
      { name: 'oci://registry.example/petstore', digest: { sha256: 'd'.repeat(64) } },
      { name: 'gitCommit', digest: { gitCommit: 'e'.repeat(40) } },
    ];
    const certificate = certificateOf(HASH, { header: { label: '2.4.0', subject } });
    assert.equal(certificate.label, '2.4.0');
    assert.deepEqual(certificate.subject, subject);
    assert.match(certificate.statement, /^staging \(build 2\.4\.0\) is certified for/);
    assert.match(
      certificate.statement,
      /\. The operator says that this was oci:\/\/registry\.example\/petstore@sha256:d{64} and gitCommit:e{40}; the kit measured only the address\.$/,
    );
    assert.deepEqual(
      parseCertificateFile(certificateJson(certificate), 'certificate.json').value,
      certificate,
    );
    const without = certificateOf(HASH);
    assert.ok(!('label' in without) && !('subject' in without) && !/operator/.test(without.statement));
  });

  test('has its last day, and stays short enough to quote when much was tested only in part', () => {
    const untried = exampleResults()
      .requirements.filter(({ outcome }) => outcome === 'passed')
      .slice(0, 9)
      .map(
        ({ id }, at) =>
          [kept(id), { kind: 'untried', requirement: id, what: `case ${at} with ${at} animals` }] as const,
      );
    const { statement, validUntil, notCovered } = certificateOf(HASH, { findings: untried.flat() });
    assert.equal(validUntil, '2027-02-18');
    assert.ok(notCovered.join('; ').length > 400);
    assert.match(statement, /; 9 in part \(a store of 0 animals\)\. Tested at/);
    assert.ok(statement.length < 400, statement);
  });

  test('begins with covered and not covered, and together they contain every "must" requirement', () => {
    const certificate = certificateOf(HASH);
    assert.deepEqual(Object.keys(certificate).slice(0, 5), [
      'schemaVersion',
      'kind',
      'statement',
      'covers',
      'notCovered',
    ]);
    assert.deepEqual(certificate.plans, ['free', 'business']);
    assert.deepEqual(certificate.covers, [
      `${certificate.passed.length} of ${certificate.passed.length + certificate.notApplicable.length} required behaviours`,
      'the requests per minute of the plans Free and Business',
    ]);
    assert.deepEqual(certificate.notCovered, [
      'the plans Pro and Enterprise (no key)',
      "bans and the day's quota (opt-in)",
      'get-after-removal (not at this date)',
      'ban-temporary (did not occur)',
      'ban-only-that-key (did not occur)',
      'environments-agree (opt-in)',
    ]);
  });

  test('does not cover plans without load, days not requested, or parts not tested', () => {
    const { covers, notCovered, plans, partly } = certificateOf(HASH, {
      header: { scope: { ...exampleLog().header.scope, plans: ['free', 'pro', 'business'] } },
      findings: [
        kept('rate-day-quota'),
        kept('list-page-full'),
        { kind: 'untried', requirement: 'list-page-full', what: 'with status=sold' },
        inconclusive('auth-key-case'),
      ],
      profiles: ['free', 'business'].flatMap((plan) =>
        (plan === 'free' ? (['burst', 'day-quota'] as const) : (['burst'] as const)).map((profile) => ({
          ...exampleProfile(1, 2),
          plan: plan as 'free',
          profile,
        })),
      ),
    });
    assert.deepEqual(plans, ['free', 'business']);
    assert.deepEqual(partly, [{ id: 'list-page-full', notTried: ['with status=sold'] }]);
    assert.equal(covers.at(-1), 'the requests per day of the plan Free');
    for (const clause of [
      'the limits of the plan Pro (no load was sent)',
      "the day's quota of the plan Business (tested with one key only)",
      'list-page-full only in part (with status=sold)',
      'auth-key-case (inconclusive)',
    ])
      assert.ok(notCovered.includes(clause), `${clause}: ${notCovered.join('; ')}`);
  });

  test('has three states: not requested, refused, certified', () => {
    assert.equal(toldOf({ header: { acceptance: { certificate: false, baseline: false } } }), null);
    assert.equal(toldOf({})?.kind, 'certified');
    assert.deepEqual(toldOf({ findings: [violated('list-ok')] }), {
      kind: 'refusal',
      reasons: ['The verdict is non-conformant.', 'list-ok failed.'],
    });
  });

  test('lists warnings and is still issued', () => {
    const made = make({ findings: [violated('auth-challenge')] });
    assert.deepEqual(made.kind === 'certificate' && made.warnings, ['auth-challenge']);
  });

  const { scope, target } = exampleLog().header;
  const refused: readonly (readonly [name: string, changes: ExampleChanges, reason: RegExp])[] = [
    ['a failed "must" requirement', { findings: [violated('list-ok')] }, /^list-ok failed\.$/],
    [
      'an inconclusive "must" requirement',
      { findings: [inconclusive('list-ok')] },
      /^list-ok could not be determined/,
    ],
    ['an error of the kit', { findings: [fault('list-ok')] }, /^list-ok was not judged/],
    [
      'a "must" requirement not tested for lack of a key',
      { findings: [notApplicable('rate-per-key', 'no-key')] },
      /^rate-per-key was not tested/,
    ],
    [
      'a "must" requirement not tested because writes are off',
      { findings: [notApplicable('create-ok', 'writes-off')] },
      /^create-ok was not tested/,
    ],
    ['an interrupted run', { footer: false }, /cut short/],
    [
      'a selection of suites',
      { header: { scope: { ...scope, selection: { only: 'suites' } } } },
      /Only a selection/,
    ],
    [
      'a selection by ids',
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
    ['a run without keys', { header: { scope: { ...scope, plans: [] } } }, /No plan was tested/],
    ['a run as of another date', { header: { scope: { ...scope, asOf: '2031-01-01' } } }, /as of 2031-01-01/],
    [
      'a run in which nothing passed',
      { findings: exampleResults().requirements.map((row) => notApplicable(row.id, 'opt-in')) },
      /^None of the required behaviours passed\.$/,
    ],
  ];
  for (const [name, changes, reason] of refused) {
    test(`is refused for ${name}`, () => {
      const made = make(changes);
      assert.ok(made.kind === 'refusal');
      assert.ok(
        made.reasons.some((one) => reason.test(one)),
        made.reasons.join('\n'),
      );
    });
  }

  test('is refused for a run with a baseline', () => {
    const made = make({ header: { acceptance: { certificate: true, baseline: true } } });
    assert.deepEqual(made.kind === 'refusal' && made.reasons, [
      'A baseline of accepted deviations was given.',
    ]);
  });

  test('is refused if no plan had a load profile', () => {
    const made = make({ profiles: [] });
    assert.deepEqual(made.kind === 'refusal' && made.reasons, [
      'No plan was tested, because no load was sent.',
    ]);
  });

  const unread: readonly (readonly [name: string, text: () => string, code: string])[] = [
    [
      'an unknown member',
      () => JSON.stringify({ ...certificateOf(HASH), alsoTested: 'everything' }),
      'unknown-name',
    ],
    ['no last day', () => JSON.stringify({ ...certificateOf(HASH), validUntil: undefined }), 'missing-field'],
    [
      'a missing member',
      () => JSON.stringify({ ...certificateOf(HASH), covers: undefined }),
      'missing-field',
    ],
    [
      'another version',
      () => JSON.stringify({ ...certificateOf(HASH), schemaVersion: 1 }),
      'certificate-version',
    ],
    ['a signature envelope', () => JSON.stringify({ dsseEnvelope: { payload: '' } }), 'signed-attestation'],
    ['a list as root', () => '[]', 'wrong-type'],
    ['a truncated end', () => certificateJson(certificateOf(HASH)).slice(0, 200), 'yaml-syntax'],
  ];
  for (const [name, text, code] of unread)
    test(`with ${name} cannot be read`, () => {
      assert.throws(
        () => parseCertificateFile(text(), 'c.json'),
        (error) => error instanceof ConfigError && error.code === code && error.hint !== '',
      );
    });
});
