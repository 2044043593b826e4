import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMPLE_HEADER } from '../report/example-header.test.support.js';
import {
  exampleLog,
  exampleResults,
  fault,
  inconclusive,
  violated,
  type ExampleChanges,
} from '../report/example-run.test.support.js';
import { nextCommand } from './finish.js';

const RUN = 'petstore-conformance run --target staging.yaml';
const { scope, target } = EXAMPLE_HEADER;
const only = { ...scope, selection: { only: 'suites' } } as const;
const selected = { ...scope, selection: { requirements: ['list-*'] } };
const windows = { minute: 2, day: 20 };
const part = { header: { scope: { ...scope, selection: { part: '2/3' } }, command: `${RUN} --shard 2/3` } };

const NEXT: readonly (readonly [what: string, changes: ExampleChanges, directory: string, next: string])[] = [
  ['all is well', {}, 'reports/a', `${RUN} --certify`],
  [
    'all is well in short windows',
    { header: { target: { ...target, windows } } },
    'reports/a',
    'petstore-conformance run --help',
  ],
  ['something is open', { findings: [inconclusive('get-ok')] }, 'reports/a', `${RUN} --last-failed`],
  [
    'something is broken, in a folder of its own',
    { findings: [inconclusive('get-ok'), violated('list-ok')] },
    'elsewhere/a',
    'petstore-conformance requirements list-ok',
  ],
  ['cut short', { footer: false }, 'reports/a', RUN],
  ['a fault of the kit at no row', { fault: 'TypeError: x' }, 'reports/a', `${RUN} --verbose`],
  ['a fault of the kit', { findings: [fault('list-ok')] }, 'reports/a', `${RUN} --verbose`],
  ['one half', { header: { scope: only, command: `${RUN} --only suites` } }, 'reports/a', RUN],
  [
    'some requirements',
    { header: { scope: selected, command: `${RUN} --requirement 'list-*' --read-only` } },
    'reports/a',
    `${RUN} --read-only`,
  ],
  ['a part met nothing', part, 'reports/a', 'petstore-conformance merge reports/a OTHER-PARTS'],
  [
    'a part met something',
    { ...part, findings: [violated('list-ok')] },
    'reports/a',
    'petstore-conformance requirements list-ok',
  ],
];

for (const [what, changes, directory, next] of NEXT)
  test(`after a run in which ${what}`, () => {
    const made = { ...changes, header: { command: RUN, ...changes.header } };
    assert.equal(nextCommand(exampleResults(made), exampleLog(made).header, directory), next);
  });
