import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AcceptedDeviation } from '../log/header-record.js';
import { EXAMPLE_HEADER } from '../report/example-header.test.support.js';
import {
  exampleDocument,
  exampleLog,
  fault,
  inconclusive,
  violated,
  type ExampleChanges,
} from '../report/example-run.test.support.js';
import { nextStep, stepWords } from './next-step.js';

const RUN = 'petstore-conformance run --target staging.yaml';
const { scope, target } = EXAMPLE_HEADER;
const only = { ...scope, selection: { only: 'suites' } } as const;
const selected = { ...scope, selection: { requirements: ['list-*'] } };
const windows = { minute: 2, day: 20 };

const STALE: AcceptedDeviation = {
  requirement: 'get-ok',
  outcome: 'failed',
  reason: 'agreed',
  link: 'https://tracker.example.com/1',
  expires: '2099-01-31',
};

const NEXT: readonly (readonly [what: string, changes: ExampleChanges, directory: string, next: string])[] = [
  ['without failures', {}, 'reports/a', `${RUN} --certify`],
  [
    'without failures in short windows',
    { header: { target: { ...target, windows } } },
    'reports/a',
    'petstore-conformance history reports',
  ],
  [
    'of the embedded server',
    { header: { command: 'petstore-conformance run', target: { ...target, windows } } },
    'reports/a',
    'petstore-conformance init',
  ],
  [
    'with --certify and a failure',
    { header: { command: `${RUN} --certify` }, findings: [violated('list-ok')] },
    'reports/a',
    `${RUN} --last-failed`,
  ],
  [
    'of what failed before, with a failure',
    { header: { command: `${RUN} --last-failed` }, findings: [violated('list-ok')] },
    'reports/a',
    `${RUN} --last-failed`,
  ],
  [
    'with an inconclusive requirement',
    { findings: [inconclusive('get-ok')] },
    'reports/a',
    `${RUN} --last-failed`,
  ],
  [
    'that another store would settle, and a row that depends on it',
    {
      findings: (
        [
          ['list-ok', 'store-too-small'],
          ['get-ok', 'prerequisite'],
        ] as const
      ).map(([id, code]) => ({ ...inconclusive(id), reason: { code, text: 'open' } })),
    },
    'reports/a',
    `add animals to the store, or allow writes where they are off, then: ${RUN} --last-failed`,
  ],
  [
    'with a failure, in its own folder',
    { findings: [inconclusive('get-ok'), violated('list-ok')] },
    'elsewhere/a',
    'petstore-conformance requirements list-ok',
  ],
  ['that was interrupted', { footer: false }, 'reports/a', RUN],
  [
    'that was interrupted after a failure',
    { footer: false, findings: [violated('list-ok')] },
    'reports/a',
    RUN,
  ],
  [
    'with a stale entry of its baseline',
    {
      header: {
        command: `${RUN} --baseline base.yaml`,
        acceptance: { certificate: false, baseline: true, accepted: [STALE] },
      },
    },
    'reports/a',
    'remove the entry of get-ok from base.yaml',
  ],
  [
    'of traffic whose bodies are in a file that is missing',
    {
      header: {
        command: 'petstore-conformance judge t.har',
        scope: { ...scope, sides: ['service'] },
      },
      findings: [
        {
          kind: 'inconclusive',
          requirement: 'pets-array',
          reason: { code: 'file-missing', text: 'a body is not known: a.json is missing' },
          exchanges: [],
        },
      ],
    },
    'reports/a',
    'put the file next to the HAR file, then: petstore-conformance judge t.har',
  ],
  [
    'with a cause outside the server, in a folder that commands do not find',
    {
      findings: [
        {
          kind: 'inconclusive',
          requirement: 'rate-429',
          reason: { code: 'rate-limited', text: 'Something else used the Business key.' },
          exchanges: [],
        },
      ],
    },
    'elsewhere/a',
    `run again with a key that nobody else uses, then: ${RUN}`,
  ],
  [
    'with two stale entries of its baseline',
    {
      header: {
        command: `${RUN} --baseline base.yaml`,
        acceptance: {
          certificate: false,
          baseline: true,
          accepted: [STALE, { ...STALE, requirement: 'list-ok' }],
        },
      },
    },
    'reports/a',
    'remove the entries of get-ok and list-ok from base.yaml',
  ],
  [
    'that needs more animals before another run',
    {
      findings: [
        {
          kind: 'inconclusive',
          requirement: 'list-status-filter',
          reason: { code: 'store-too-small', text: 'the store holds no sold animal' },
          exchanges: [],
        },
      ],
    },
    'reports/a',
    `add animals to the store, or allow writes where they are off, then: ${RUN} --last-failed`,
  ],
  [
    'with an error of the kit outside any requirement',
    { fault: 'TypeError: x' },
    'reports/a',
    `${RUN} --verbose`,
  ],
  ['with an error of the kit', { findings: [fault('list-ok')] }, 'reports/a', `${RUN} --verbose`],
  ['of suites only', { header: { scope: only, command: `${RUN} --only suites` } }, 'reports/a', RUN],
  [
    'with rows of one fault, whose lead is not the first',
    { findings: [violated('rate-not-early'), violated('rate-retry-after-honoured')] },
    'elsewhere/a',
    'petstore-conformance requirements rate-retry-after-honoured',
  ],
  [
    'of selected requirements',
    { header: { scope: selected, command: `${RUN} --requirement 'list-*' --read-only` } },
    'reports/a',
    `${RUN} --read-only`,
  ],
];

for (const [what, changes, directory, next] of NEXT)
  test(`the next command fits a run ${what}`, () => {
    const made = { ...changes, header: { command: RUN, ...changes.header } };
    assert.equal(stepWords(nextStep(exampleDocument(made), exampleLog(made).header, directory)), next);
  });
