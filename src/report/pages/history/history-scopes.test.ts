import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  exampleLog,
  inconclusive,
  notApplicable,
  violated,
  type ExampleChanges,
} from '../../example-run.test.support.js';
import { historyLines, historySentence } from '../../history.js';
import type { Finding } from '../../../judge/findings/finding.js';
import { ACCEPTED, targetOf } from './history.test.support.js';

test('the history keeps the scope with the verdict, and compares runs of one scope', async () => {
  const { scope } = exampleLog().header;
  const suites = { header: { scope: { ...scope, selection: { only: 'suites' as const } } } };
  assert.equal(
    historySentence(await targetOf(suites, suites)),
    'staging: conformant in the selected part in both runs.',
  );
  assert.equal(
    historySentence(await targetOf({}, {}, suites)),
    'staging: conformant in both complete runs; suites conformant in the only run.',
  );
  assert.equal(
    historySentence(await targetOf({ findings: [violated('list-ok')] }, suites, {})),
    'staging: conformant since 2026-01-03; suites conformant in the only run.',
  );
});

test('the history keeps traffic apart: it is no complete run, and takes no verdict of a run away', async () => {
  const { scope } = exampleLog().header;
  const traffic = { header: { scope: { ...scope, sides: ['service'] as const } }, isTraffic: true };
  const suites = { scope: { ...scope, selection: { only: 'suites' as const } } };
  const red = { findings: [violated('list-ok')] };
  assert.equal(historySentence(await targetOf(traffic)), 'staging: no violation seen in the only run.');
  assert.equal(
    historySentence(await targetOf({ ...red, header: suites }, traffic)),
    'staging: suites not conformant in the only run; traffic: no violation seen in the only run; ' +
      '1 requirement failed when last tested.',
  );
  assert.equal(
    historySentence(await targetOf({}, traffic)),
    'staging: conformant in the only complete run; traffic: no violation seen in the only run.',
  );
  assert.equal(
    historySentence(await targetOf({}, { ...red, ...traffic })),
    'staging: conformant in the only complete run; traffic: not conformant in the only run; 1 requirement fails.',
  );
});

/** Returns the terminal's line of error-shape after these runs; empty without one. */
const lineOf = async (...runs: readonly ExampleChanges[]): Promise<string> =>
  historyLines([await targetOf(...runs)]).find((line) => line.includes('error-shape')) ?? '';

test('a pass of a run that tries less than the failed one leaves the row failing', async () => {
  const { scope } = exampleLog().header;
  const passed: Finding = { kind: 'kept', requirement: 'error-shape', exchanges: ['x1'] };
  const inPart = {
    header: { scope: { ...scope, writes: false } },
    findings: [passed, { kind: 'untried', requirement: 'error-shape', what: 'createPet 400' } as const],
  };
  const red = { findings: [violated('error-shape')] };
  assert.match(await lineOf(red, inPart), /failing in the only run; last tested on 2026-01-01$/);
  assert.equal(await lineOf(red, inPart, { findings: [passed] }), '');
  const fails = { ...red, header: inPart.header };
  assert.match(await lineOf(red, fails, inPart), /failing in both runs; last tested on 2026-01-02$/);
  // Where it usually passes so, it is fixed.
  assert.equal(await lineOf(inPart, fails, inPart), '');
});

test('an accepted run of the suites stands in a clause with their name', async () => {
  const { scope } = exampleLog().header;
  const suites = { scope: { ...scope, selection: { only: 'suites' as const } } };
  const acceptance = { certificate: false, baseline: true, accepted: [...ACCEPTED] };
  const met = { header: { ...suites, acceptance }, findings: [violated('list-ok')] };
  assert.match(
    historySentence(await targetOf({}, met)),
    /; suites: conforms with 1 accepted deviation in the only run/,
  );
});

test('the history says of an accepted requirement that could not be determined that it is accepted', async () => {
  const accepted = ACCEPTED.map((entry) => ({ ...entry, outcome: 'inconclusive' as const }));
  const acceptance = { certificate: false, baseline: true, accepted };
  const target = await targetOf({ header: { acceptance }, findings: [inconclusive('list-ok')] });
  assert.match(historyLines([target]).join('\n'), /list-ok +inconclusive in the only run; accepted$/m);
});

test('the history does not count a failure beside a newest run that left it out', async () => {
  const { scope } = exampleLog().header;
  const suites = { header: { scope: { ...scope, selection: { only: 'suites' as const } } } };
  const { scope: narrow } = suites.header;
  const target = await targetOf(
    { findings: [violated('rate-429')], header: { label: '2.4.4' } },
    { header: { label: '2.4.5', scope: narrow }, findings: [notApplicable('rate-429', 'not-selected')] },
  );
  assert.equal(
    historySentence(target),
    'staging: not conformant in the only complete run (build 2.4.4); ' +
      'suites conformant in the only run (build 2.4.5); 1 requirement failed when last tested.',
  );
  assert.match(
    historyLines([target]).join(),
    /rate-429 +failing in the only run \(build 2\.4\.4\); last tested in build 2\.4\.4/,
  );
});

test('the history speaks of every scope, the whole first', async () => {
  const { scope } = exampleLog().header;
  const suites = (label: string, ...findings: readonly Finding[]): ExampleChanges => ({
    header: { label, scope: { ...scope, selection: { only: 'suites' } } },
    findings,
  });
  const target = await targetOf(
    suites('2.4.3', violated('list-ok')),
    suites('2.4.4'),
    { header: { label: '2.4.5' } },
    suites('2.4.6'),
  );
  assert.equal(
    historySentence(target),
    'staging: conformant in the only complete run (build 2.4.5); suites conformant since build 2.4.4 (2026-01-02, 2 runs).',
  );
});

test('the first line leaves out a failure of the suites after which a whole run conforms', async () => {
  const { scope } = exampleLog().header;
  const suites = { scope: { ...scope, selection: { only: 'suites' as const } } };
  const failed = { header: suites, findings: [violated('list-ok')] };
  assert.equal(
    historySentence(await targetOf({ header: suites }, failed, {})),
    'staging: conformant in the only complete run.',
  );
  const open = { header: suites, findings: [inconclusive('list-ok')] };
  assert.equal(historySentence(await targetOf(open, {})), 'staging: conformant in the only complete run.');
  assert.match(historySentence(await targetOf({}, open)), /; suites inconclusive in the only run/);
  assert.equal(
    historySentence(await targetOf({}, failed)),
    'staging: conformant in the only complete run; suites not conformant in the only run; 1 requirement fails.',
  );
  assert.match(
    historySentence(await targetOf(failed, { findings: [violated('pet-shape')] })),
    /^staging: not conformant in the only complete run; suites not conformant in the only run/,
  );
});
