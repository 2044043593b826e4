import { Writable } from 'node:stream';
import { onceEach } from '../../base/kernel/once-each.js';
import { knownRedacted } from '../../wire/exchange/redaction.js';
import type { Finding } from '../../judge/findings/finding.js';
import type { LogRecord } from '../../log/record.js';
import { createTerminalReporter, renderFinal, type TerminalOptions } from './reporter.js';
import { START } from '../example-header.test.support.js';
import { doubtful, ROWS, runOf as makeRun, violated, type Made } from './synthetic.test.support.js';

/** Makes the run of a state once, for all looks in which it is shown. */
export const runOf = onceEach(makeRun);

export const PLACES = { report: 'reports/2026-11-20T10-00-00Z-staging/index.html' };
const MUSTS = ROWS.filter(({ level }) => level === 'must');
export const OF_THE_SUITES = ROWS.filter(({ judgedBy }) => judgedBy.kind === 'suite').length;
const LOADED = ROWS.filter(({ judgedBy }) => judgedBy.kind === 'load').map(({ id }) => id);
const HOSTILE = '\x1b]0;x\x07\n::error::y ##[group]z \u202e日本 ' + 'w'.repeat(600);

export const ONE_FAILURE: Made = {
  findings: [
    violated('list-limit-default', 'without limit, the listing returned more animals than with limit=20', {
      expected: 'at most 20 animals, as many as limit=20 returned: 20',
      actual: '25 animals',
    }),
    doubtful('list-status-filter', 'store-too-small', 'the store holds no sold animal, and writes are off'),
    violated('auth-challenge', 'the 401 carried no WWW-Authenticate'),
  ],
};

const REDUCED: Made = {
  findings: [
    ...(['list-limit-default', 'list-page-full'] as const).flatMap((requirement): Finding[] => [
      { kind: 'kept', requirement, exchanges: ['x1'] },
      { kind: 'untried', requirement, what: 'the filter sold (21 animals are needed, 12 are there)' },
    ]),
    { kind: 'kept', requirement: 'get-unknown', exchanges: ['x1'] },
    { kind: 'untried', requirement: 'get-unknown', what: HOSTILE },
  ],
};

/** All states at the end of a run. */
export const STATES: Readonly<Record<string, Made>> = {
  'all green': {},
  'one failure': ONE_FAILURE,
  'forty failures': {
    findings: MUSTS.slice(0, 40).map(({ id }) =>
      violated(id, 'the answer was 422', { expected: '400', actual: '422' }),
    ),
  },
  inconclusive: { findings: [doubtful('list-ok', 'transport', 'the connection was reset')] },
  interrupted: { cutAfter: 12, reason: 'interrupted by SIGINT', scope: { writes: false, plans: ['free'] } },
  'interrupted after a failure': { cutAfter: 46, reason: 'interrupted by SIGINT', ...ONE_FAILURE },
  'without a footer': { cutAfter: 30 },
  'load only': { scope: { selection: { only: 'load' }, selected: LOADED } },
  'a selection': { scope: { selection: { requirements: ['list-ok'] }, selected: ['list-ok', 'get-ok'] } },
  'short windows': { target: { windows: { minute: 2, day: 60 } } },
  'an error of the kit': {
    findings: [{ kind: 'fault', requirement: 'list-ok', message: 'TypeError: x is undefined' }],
  },
  'an error outside any requirement': {
    cutAfter: 12,
    reason: 'a kit fault: TypeError: x is undefined',
    fault: 'TypeError: x is undefined\n    at judge (judge.js:12:3)',
  },
  'passed with reduced coverage': REDUCED,
  'no preflight': { preflight: null },
  hostile: {
    target: { name: HOSTILE.slice(0, 60) },
    preflight: { remarks: [HOSTILE] },
    findings: [
      violated('list-ok', HOSTILE, { expected: HOSTILE, actual: HOSTILE }),
      doubtful('get-ok', 'transport', HOSTILE),
      { kind: 'observed', requirement: 'list-order', subject: HOSTILE, value: HOSTILE, exchanges: [] },
    ],
  },
};

export function collector(shape: { isTTY?: boolean; columns?: number; rows?: number } = {}) {
  let written = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.toString();
      done();
    },
  });
  return { stream: Object.assign(stream, shape), text: () => written };
}

export const optionsFor = (change: Partial<TerminalOptions> = {}): TerminalOptions => ({
  stream: collector().stream,
  reporter: 'list',
  verbose: false,
  env: { LANG: 'C.UTF-8' },
  rows: ROWS,
  now: () => START,
  ...change,
});

export const final = (made: Made, change: Partial<TerminalOptions> = {}): string => {
  const { document, log } = runOf(made);
  return renderFinal(document, log, PLACES, optionsFor(change));
};

export const sentence = (made: Made): string => final(made, { reporter: 'quiet' });

/** Returns the output of a reporter that receives the records one by one. */
export function told(
  made: Made,
  change: Partial<TerminalOptions> = {},
  until: (record: LogRecord) => boolean = () => false,
  shape: Parameters<typeof collector>[0] = {},
): string {
  const out = collector(shape);
  const reporter = createTerminalReporter(optionsFor({ ...change, stream: out.stream }));
  const { records, document, log } = runOf(made);
  for (const record of records) {
    if (until(record)) return out.text();
    // A log does not contain waits, so they have their own tests.
    if (record.type !== 'waiting') reporter.record(knownRedacted(record));
  }
  reporter.finish(document, log, PLACES);
  return out.text();
}
