import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { onceEach } from '../../base/kernel/once-each.js';
import { knownRedacted } from '../../wire/exchange/redaction.js';
import { describe, it } from 'node:test';
import { loadLedger } from '../../base/interface/ledger.js';
import { stripVTControlCharacters } from 'node:util';
import type { Finding } from '../../judge/findings/finding.js';
import type { LogRecord } from '../../log/record.js';
import { paint, widthOf } from './lines.js';
import { liveLines } from './live-lines.js';
import { lookOf } from './look.js';
import { runDocument } from '../run-document.js';
import { createTerminalReporter, renderFinal, type TerminalOptions } from './reporter.js';
import { START } from '../example-header.test.support.js';
import {
  doubtful,
  exchangeOf,
  ROWS,
  recordsOf,
  runOf as makeRun,
  violated,
  type Made,
} from './synthetic.test.support.js';
import { viewing } from './view.js';

/** Makes the run of a state once, for all looks in which it is shown. */
const runOf = onceEach(makeRun);

const PLACES = { report: 'reports/2026-11-20T10-00-00Z-staging/index.html' };
const MUSTS = ROWS.filter(({ level }) => level === 'must');
const OF_THE_SUITES = ROWS.filter(({ judgedBy }) => judgedBy.kind === 'suite').length;
const LOADED = ROWS.filter(({ judgedBy }) => judgedBy.kind === 'load').map(({ id }) => id);
const HOSTILE = '\x1b]0;x\x07\n::error::y ##[group]z \u202e日本 ' + 'w'.repeat(600);

const ONE_FAILURE: Made = {
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
const STATES: Readonly<Record<string, Made>> = {
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

function collector(shape: { isTTY?: boolean; columns?: number; rows?: number } = {}) {
  let written = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.toString();
      done();
    },
  });
  return { stream: Object.assign(stream, shape), text: () => written };
}

const optionsFor = (change: Partial<TerminalOptions> = {}): TerminalOptions => ({
  stream: collector().stream,
  reporter: 'list',
  verbose: false,
  env: { LANG: 'C.UTF-8' },
  rows: ROWS,
  now: () => START,
  ...change,
});

const final = (made: Made, change: Partial<TerminalOptions> = {}): string => {
  const { document, log } = runOf(made);
  return renderFinal(document, log, PLACES, optionsFor(change));
};

const sentence = (made: Made): string => final(made, { reporter: 'quiet' });

/** Returns the output of a reporter that receives the records one by one. */
function told(
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

describe('a finished run', () => {
  for (const [name, made] of Object.entries(STATES))
    it(`${name}: the live output in a file equals the report of the log`, () => {
      for (const verbose of [false, true]) assert.equal(told(made, { verbose }), final(made, { verbose }));
    });

  for (const [name, made] of Object.entries(STATES))
    it(`${name}: lines fit the screen, except lines for copying, and contain no commands`, () => {
      for (const columns of [40, 80, 120])
        for (const env of [{ LANG: 'C.UTF-8' }, { LANG: 'C' }])
          for (const verbose of [false, true]) {
            const lines = final(made, { stream: collector({ columns }).stream, env, verbose }).split('\n');
            for (const line of lines) {
              assert.doesNotMatch(line, /[\p{Cc}\p{Cf}]|^\s*::|##\w*\[/u);
              if (env.LANG === 'C') assert.match(line, /^[\x20-\x7e]*$/);
              // A path wider than the screen is printed in full, on its own line.
              if (!line.startsWith('       see ') && line !== PLACES.report)
                assert.ok(widthOf(line) <= columns, `${columns}: ${line}`);
            }
          }
    });

  it('fits on a screen of 80 by 24 if nothing failed', () => {
    for (const profiles of [['burst'], ['burst', 'recovery', 'window', 'concurrent', 'steady']] as const)
      for (const made of [{ profiles }, { profiles, ...STATES['short windows'] }]) {
        const screen = collector({ isTTY: true, columns: 80, rows: 24 }).stream;
        const lines = final(made, {
          stream: screen,
          reporter: 'auto',
          env: { LANG: 'C.UTF-8', NO_COLOR: '1' },
        }).split('\n');
        assert.ok(lines.length <= 24, `${lines.length} lines\n${lines.join('\n')}`);
      }
  });

  it('has this text if nothing failed', () => {
    assert.equal(
      final({ profiles: ['burst'] }),
      `petstore-conformance 1.0.0 · staging · https://staging.example.com/v1
interface 1.0.0 · as of 2026-11-20 · run 1a2b3c4d
preflight  reachable in 12 ms · key accepted (business) · clock 300 ms ahead
           48 animals · about 54 requests, 4 s

  load burst         free: 60 of 60 served, the next one refused

✓ 1  Service         2 of 2
✓ 2  Resources       7 of 7 · 1 observed · 1 not tested
– 3  States          1 not tested: no request can show it
✓ 4  Endpoints       23 of 23 · 6 observed · 1 not tested: not at this date
✓ 5  Authentication  9 of 9 · 1 not tested
– 6  Events          1 not tested: no request can show it
· 7  Errors          3 observed
✓ 8  Limits          14 of 14 · 3 observed · 6 not tested, of them 5 opt-in
✓ 9  Versioning      1 of 1 · 2 observed · 2 not tested

CONFORMANT        49 of 49 required behaviours passed · 7 of 7 recommended
                  15 observed · 13 not tested

staging conforms to Pet Store Service Interface 1.0.0: all 49 required
behaviours in scope hold; not tested: bans and the day's quota (opt-in); 3,818
requests in 1 min 3 s; report: reports/2026-11-20T10-00-00Z-staging/index.html
`,
    );
  });

  it('breaks a heading between facts without cutting one', () => {
    const text = final({
      findings: [
        ...(['list-ok', 'list-limit-default', 'create-malformed-json'] as const).map((id) =>
          violated(id, 'it is not so'),
        ),
        doubtful('list-status-filter', 'store-too-small', 'the store holds no sold animal'),
      ],
    });
    assert.match(
      text,
      /^✗ 4 {2}Endpoints {7}19 of 23 passed · 2 failed · 1 warned · 1 inconclusive\n {21}6 observed · 1 not tested: not at this date$/m,
    );
  });

  it('shows the request that a finding names first, whichever was sent first', () => {
    const control = exchangeOf(1, { path: '/v1/pets?limit=20' });
    const faulty = exchangeOf(2);
    const found = { ...violated('list-limit-default', 'another number'), exchanges: ['x2', 'x1'] } as Finding;
    const text = final({ exchanges: [control, faulty], findings: [found] });
    assert.match(text, /see .*'https:\/\/staging.example.com\/v1\/pets'\n/);
  });

  it('has this text if something failed', () => {
    const text = final(ONE_FAILURE);
    const from = text.indexOf('✗ 4');
    assert.equal(
      text.slice(from, text.indexOf('– 6')),
      `✗ 4  Endpoints       21 of 23 passed · 1 failed · 1 inconclusive · 6 observed
   ✗ list-limit-default      A listing without limit behaves as one with
                             limit=20.
       found      without limit, the listing returned more animals than with
                  limit=20
       expected   at most 20 animals, as many as limit=20 returned: 20
       received   25 animals
       see        curl -sSi -H "Authorization: Bearer $PETSTORE_KEY" 'https://staging.example.com/v1/pets'
   ? list-status-filter      could not be determined: the store holds no sold
                             animal, and writes are off
       to test    add animals to the store, or allow writes where they are off
   – 1 not tested: before 2030-12-05 (1,476 days left)

! 5  Authentication  8 of 9 passed · 1 warned · 1 not tested
   ! auth-challenge          A 401 has a WWW-Authenticate header.
       found      the 401 carried no WWW-Authenticate
       see        curl -sSi -H "Authorization: Bearer $PETSTORE_KEY" 'https://staging.example.com/v1/pets'

`,
    );
    assert.equal(
      text.slice(text.indexOf('NOT CONFORMANT')),
      `NOT CONFORMANT    1 of 49 required behaviours failed · 1 inconclusive
                  1 of 7 recommended not followed · 15 observed · 13 not tested
inconclusive      list-status-filter
warned            auth-challenge

staging does not conform to Pet Store Service Interface 1.0.0: 1 of 49 required
behaviours fails, 1 could not be determined; not tested: bans and the day's
quota (opt-in); 7,582 requests in 1 min 3 s; report:
reports/2026-11-20T10-00-00Z-staging/index.html

✗ list-limit-default      without limit, the listing returned more animals than
                          with limit=20: expected at most 20 animals, as many as
                          limit=20 returned: 20, received 25 animals
`,
    );
  });

  it('ends with one line per failure: the finding and its likely cause', () => {
    const { results, log } = runOf({
      findings: [
        violated('rate-per-key', 'The pro plan is refused with the free one', {
          expected: 'no 429',
          actual: '429',
          measured: { what: ['fell'] },
        }),
        violated('rate-not-early', 'The pro plan gets too few', { expected: '300', actual: '60' }),
      ],
    });
    assert.equal(
      renderFinal(runDocument(results, { log }), log, PLACES, optionsFor()).split('\n').slice(-8).join('\n'),
      `✗ rate-not-early          The pro plan gets too few: expected 300, received 60
                          same cause as rate-per-key
✗ rate-per-key            The pro plan is refused with the free one: expected no
                          429, received 429
                          looks like: All keys share one counter, as a limit per
                          address does. The pro plan is refused with the free
                          one (429) (keys-share-one-counter)
`,
    );
  });

  it('lists every requirement and every request with --verbose', () => {
    const text = final(
      {
        findings: [
          { kind: 'observed', requirement: 'list-order', subject: 'plain', value: 'by id', exchanges: [] },
        ],
      },
      { verbose: true },
    );
    for (const { id } of ROWS) assert.match(text, new RegExp(`^ {3}\\S ${id} `, 'm'));
    assert.match(text, /observed {3}plain: by id/);
    assert.match(
      text,
      /54 exchanges of the suites\n {3}x1 {4}GET \/v1\/pets {2}200 {2}8.4 ms · business · listing/,
    );
  });

  it('omits a curl line that is too long', () => {
    const exchanges = [exchangeOf(1), exchangeOf(2, { method: 'POST', body: 'x'.repeat(5_000) })];
    assert.match(final({ ...ONE_FAILURE, exchanges }), /see {8}exchange x2 in the report/);
  });
});

/** Returns the line of a run that left only so many requirements. */
const cutShortLine = (left: number): string => {
  const { results, log } = runOf(STATES['interrupted'] ?? {});
  let kept = 0;
  const requirements = results.requirements.map((row) => {
    if (row.reason?.code !== 'interrupted' || (kept += 1) <= left) return row;
    const { reason: _, ...judged } = row;
    return { ...judged, outcome: 'passed' as const };
  });
  const text = renderFinal(runDocument({ ...results, requirements }, { log }), log, PLACES, optionsFor());
  return /^CUT SHORT +(.*)$/m.exec(text)?.[1] ?? '';
};

describe('the line of a run that was cut short', () => {
  for (const [left, words] of [
    [0, 'interrupted by SIGINT'],
    [1, 'interrupted by SIGINT; 1 requirement was not judged'],
    [12, 'interrupted by SIGINT; 12 requirements were not judged'],
  ] as const)
    it(`counts ${left} that were not judged`, () => assert.equal(cutShortLine(left), words));
});

describe('the closing sentence', () => {
  const cases: readonly (readonly [string, Made, RegExp])[] = [
    ['ends with the report', {}, /; report: reports\/2026-11-20T10-00-00Z-staging\/index.html\n$/],
    [
      'names plans without a key',
      { scope: { plans: ['free', 'business'] } },
      /not tested: the plans Pro and Enterprise \(no key\)/,
    ],
    [
      'states that writes were off',
      { scope: { writes: false } },
      /not tested: creations \(writes were off\)/,
    ],
    [
      'names opt-ins that were not tested',
      { scope: { includes: ['ban'] } },
      /not tested: the day's quota \(opt-in\)/,
    ],
    [
      'has no such clause if everything was tested',
      { scope: { includes: ['ban', 'day-quota'] } },
      /hold; 7,582 requests/,
    ],
    [
      'states short windows',
      { target: { windows: { minute: 2, day: 60 } } },
      /; tested with a 2-second rate window, not the real 60 s;/,
    ],
    [
      'states a selection',
      STATES['a selection'] ?? {},
      new RegExp(
        `^staging conforms to the selected part of .*: all 2 required behaviours that were selected hold; only 2 of ${loadLedger().requirements.length} requirements were selected; 54 requests`,
      ),
    ],
    [
      'first states that a run was interrupted',
      STATES['interrupted'] ?? {},
      /^The run was cut short, so staging has not been shown to conform to .*; reason: interrupted by SIGINT/,
    ],
    [
      'first states the interruption of a failed run',
      STATES['interrupted after a failure'] ?? {},
      /^The run was cut short, but it shows that staging does not conform/,
    ],
    [
      'first states the interruption of a log without footer',
      STATES['without a footer'] ?? {},
      /^The run was cut short, .*; reason: the log has no end/,
    ],
    [
      'names an error of the kit and its requirement',
      STATES['an error of the kit'] ?? {},
      /has no verdict: the kit itself failed at list-ok, not the target/,
    ],
    [
      'states an error of the kit outside any requirement',
      STATES['an error outside any requirement'] ?? {},
      /the kit itself failed, not the target; reason: a kit fault: TypeError: x is undefined/,
    ],
    [
      'states the number of inconclusive requirements',
      STATES['inconclusive'] ?? {},
      /^staging has not been shown to conform to .*: 1 of 49 required behaviours could not be determined, and none of the others fails/,
    ],
  ];
  for (const [name, made, expected] of cases) it(name, () => assert.match(sentence(made), expected));

  it('follows the stack of an error of the kit with --verbose', () => {
    const made = STATES['an error outside any requirement'] ?? {};
    assert.match(
      final(made, { verbose: true }),
      /^kit fault +TypeError: x is undefined\n +at judge \(judge\.js:12:3\)$/m,
    );
    assert.doesNotMatch(final(made), /judge\.js/);
  });

  it('is the whole output of the quiet reporter', () => {
    assert.equal(told({}, { reporter: 'quiet' }), sentence({}));
    assert.equal(sentence({}).split('\n').length, 2);
  });
});

const SCREEN = { isTTY: true, columns: 80, rows: 24 };
const ON_SCREEN = { reporter: 'auto', env: { LANG: 'C.UTF-8', TERM: 'xterm', NO_COLOR: '1' } } as const;

/** Is true for the first record of a load's results. */
const isOfLoad = ({ type }: LogRecord): boolean => type === 'profile' || type === 'footer';

describe('a run in progress', () => {
  it('prints a part only when settled, and immediately on a screen', () => {
    const text = told(
      {},
      ON_SCREEN,
      ({ type, ...of }) => type === 'phase' && 'phase' in of && of.phase === 'load',
      SCREEN,
    );
    assert.match(text, /preflight/);
    assert.doesNotMatch(text, /Service|Endpoints/, 'passive rows are open while the suites run');
    const later = told({}, ON_SCREEN, (record) => record.type === 'profile', SCREEN);
    assert.deepEqual(later.match(/^\S \d/gm), ['✓ 1', '✓ 2', '– 3', '✓ 4', '✓ 5', '– 6', '· 7']);
  });

  it('prints experiments first and parts at the end without a screen', () => {
    const experiments: Made = { profiles: ['burst'] };
    const text = told(experiments, {}, (record) => record.type === 'footer');
    assert.match(text, /load burst/);
    assert.doesNotMatch(text, /Service/);
  });

  it('prints a requirement again if its outcome changed under load', () => {
    const late = [violated('pet-shape', 'an animal had no name')];
    const text = told({ late }, ON_SCREEN, undefined, SCREEN);
    assert.match(text, /✓ 2 {2}Resources/);
    assert.match(text, /✗ 2 {2}Resources {7}changed since it was printed above\n {3}✗ pet-shape/);
    assert.match(text, /NOT CONFORMANT/);
    assert.doesNotMatch(final({ late }), /otherwise/);
  });

  it('announces only a long wait, with its reason and end', () => {
    const out = collector();
    const reporter = createTerminalReporter(optionsFor({ stream: out.stream }));
    for (const record of recordsOf().slice(0, 4)) reporter.record(knownRedacted(record));
    const before = out.text().length;
    reporter.record(
      knownRedacted({ type: 'waiting', what: 'the free window to begin anew', until: START + 2_000 }),
    );
    assert.equal(out.text().length, before);
    reporter.record(
      knownRedacted({ type: 'waiting', what: 'the free window to begin anew', until: START + 38_000 }),
    );
    assert.match(
      out.text().slice(before),
      /^ {2}… waiting for the free window to begin anew, until \d\d:\d\d:38 \(38 s\)\n$/,
    );
  });

  it('prints one row for each experiment, with as many clauses as fit', () => {
    const long =
      '1,000 of 1,000 requests allowed (20 earlier); the next one, POST /pets/of/a/long/path, got 429.';
    const out = collector();
    const reporter = createTerminalReporter(optionsFor({ stream: out.stream }));
    for (const record of recordsOf({ profiles: ['burst'] }))
      reporter.record(
        knownRedacted(
          record.type === 'profile' ? { ...record, summary: { ...record.summary, sentence: long } } : record,
        ),
      );
    const rows = out
      .text()
      .split('\n')
      .filter((row) => /^ {2}load burst/.test(row));
    assert.ok(rows.length > 0);
    for (const row of rows) assert.match(row, /: 1,000 of 1,000 requests allowed \(20 earlier\)$/);
    assert.doesNotMatch(out.text(), /got 429/);
  });

  it('announces a question that takes long once, with the key that begins it', () => {
    const out = collector();
    const reporter = createTerminalReporter(optionsFor({ stream: out.stream }));
    for (const record of recordsOf().slice(0, 4)) reporter.record(knownRedacted(record));
    const before = out.text().length;
    const text = 'the steady run: 95 % of the plan';
    const asked = { type: 'progress', profile: 'steady', text } as const;
    for (const [plan, ms] of [
      ['free', 9_000],
      ['pro', 120_000],
      ['business', 121_000],
    ] as const)
      reporter.record(knownRedacted({ ...asked, plan, until: START + ms }));
    reporter.record(knownRedacted({ ...asked, plan: 'free' }));
    assert.match(
      out.text().slice(before),
      /^ {2}… limits: the steady run, first with pro, until \d\d:\d\d:\d\d \(2 min\)\n$/,
    );
  });

  it('prints the verdict of the suites while a long load goes on', () => {
    const long = { preflight: { plannedSeconds: 312 } };
    for (const [change, shape] of [
      [{}, {}],
      [ON_SCREEN, SCREEN],
    ] as const) {
      const passed = told(long, change, isOfLoad, shape);
      assert.match(passed, /^suites {5}✓ 38 of 38 required behaviours passed · now the rate limit$/m);
      const failed = told({ ...long, ...ONE_FAILURE }, change, isOfLoad, shape);
      assert.match(failed, /^suites {5}✗ 1 failed: list-limit-default · 1 inconclusive · 36 of 38 passed$/m);
    }
    assert.doesNotMatch(told({}, {}, isOfLoad), /^suites/m, 'a short run is over soon');
    const without = told(
      long,
      {},
      ({ type, ...of }) => type === 'phase' && 'phase' in of && of.phase === 'load',
    );
    assert.doesNotMatch(without, /^suites/m, 'the suites still run');
  });

  it('announces one of several waits in parallel', () => {
    const out = collector();
    const reporter = createTerminalReporter(optionsFor({ stream: out.stream }));
    for (const record of recordsOf().slice(0, 4)) reporter.record(knownRedacted(record));
    const before = out.text().length;
    for (const what of ['one', 'another', 'a third'])
      reporter.record(knownRedacted({ type: 'waiting', what, until: START + 38_000 + what.length }));
    reporter.record(knownRedacted({ type: 'waiting', what: 'a longer one', until: START + 60_000 }));
    assert.deepEqual(
      out
        .text()
        .slice(before)
        .match(/waiting for .*?,/g),
      ['waiting for one,', 'waiting for a longer one,'],
    );
  });

  it('prints annotations on GitHub', () => {
    for (const change of [
      { reporter: 'github' },
      { reporter: 'auto', env: { LANG: 'C.UTF-8', GITHUB_ACTIONS: 'true' } },
    ] as const) {
      const lines = told(ONE_FAILURE, change).split('\n');
      assert.ok(lines.some((line) => line.startsWith('::error title=list-limit-default::')));
      assert.ok(lines.some((line) => line.startsWith('::warning title=auth-challenge::')));
    }
    const commands = told(STATES['hostile'] ?? {}, { reporter: 'github' })
      .split('\n')
      .filter((line) => /^\s*::/.test(line));
    assert.ok(
      commands.every((line) => /^::(?:error|warning) title=(?:list-ok|get-ok)::/.test(line)),
      commands.join('\n'),
    );
    assert.doesNotMatch(told(ONE_FAILURE, { reporter: 'list' }), /^::/m);
  });
});

describe('the live line in a terminal', () => {
  const env = { LANG: 'C.UTF-8', TERM: 'xterm', NO_COLOR: '1' };

  it('disappears at the end and restores the cursor', () => {
    for (const made of [{}, ONE_FAILURE]) {
      const out = collector({ isTTY: true, columns: 80, rows: 24 });
      const { records, document, log } = runOf(made);
      const options = optionsFor({ stream: out.stream, reporter: 'auto', env });
      const reporter = createTerminalReporter(options);
      for (const record of records) reporter.record(knownRedacted(record));
      reporter.finish(document, log, PLACES);
      assert.equal(stripVTControlCharacters(out.text()), renderFinal(document, log, PLACES, options));
    }
  });

  it('has a line for each key that is asked a question, with its time left', () => {
    const see = viewing();
    for (const record of recordsOf().slice(0, 4)) see(knownRedacted(record));
    see(knownRedacted({ type: 'phase', phase: 'load', at: START + 3_000 }));
    const asked = (plan: string, profile: string, text: string, until?: number) =>
      see(knownRedacted({ type: 'progress', plan, profile, text, ...(until !== undefined && { until }) }));
    asked('pro', 'burst', 'a whole burst: one request, then the rest', START + 5_000);
    asked('free', 'steady', 'the steady run: 95 % of the plan', START + 75_000);
    const view = asked('pro', 'recovery', 'back at Retry-After: at Retry-After one request', START + 2_000);
    const look = lookOf(collector({ isTTY: true, columns: 80 }).stream, env, false);
    const [, ...lines] = paint(liveLines(view, ROWS, START + 3_000, look), look).map(
      stripVTControlCharacters,
    );
    assert.deepEqual(lines, [
      '  Free       the steady run · 1 min 12 s left · 95 % of the plan',
      '  Pro        back at Retry-After · at Retry-After one request',
    ]);
  });

  it('names no time left before preflight has planned one', () => {
    const see = viewing();
    const [header] = recordsOf();
    assert.ok(header?.type === 'header');
    const view = see(knownRedacted(header));
    const look = lookOf(collector({ isTTY: true, columns: 80 }).stream, env, false);
    const lines = paint(liveLines(view, ROWS, Date.now(), look), look);
    assert.equal(lines.length, 1);
    assert.match(lines.join(''), /^\S preflight {2}first request$/);
  });

  it('shortens the bar before its words on a narrow terminal', () => {
    const see = viewing();
    const view = recordsOf()
      .slice(0, 10)
      .map((record) => see(knownRedacted(record)))
      .at(-1);
    assert.ok(view);
    const look = lookOf(collector({ isTTY: true, columns: 60 }).stream, env, false);
    const lines = paint(liveLines(view, ROWS, Date.now(), look), look);
    assert.match(lines.join(''), new RegExp(`─{8} {2}0 of ${OF_THE_SUITES} judged`));
  });

  it('is redrawn below the output and erased when the run stops', async () => {
    const out = collector({ isTTY: true, columns: 80 });
    const reporter = createTerminalReporter(optionsFor({ stream: out.stream, reporter: 'auto', env }));
    const drawn = new Promise<void>((done) => {
      const write = out.stream.write.bind(out.stream);
      out.stream.write = ((chunk: string) => {
        if (chunk.includes('suites')) done();
        return write(chunk);
      }) as typeof out.stream.write;
    });
    // The reporter's timer does not keep a process alive.
    const alive = setInterval(() => undefined, 1_000);
    for (const record of recordsOf().slice(0, 10)) reporter.record(knownRedacted(record));
    await drawn;
    clearInterval(alive);
    assert.ok(out.text().includes('\x1b[?25l'), 'the cursor is hidden');
    assert.match(
      stripVTControlCharacters(out.text()),
      new RegExp(`\\S suites {3}─{20} {2}0 of ${OF_THE_SUITES} judged · 6 requests · 4 s left\\n$`),
    );
    reporter[Symbol.dispose]();
    assert.ok(
      out.text().endsWith('\x1b[1A\r\x1b[J\x1b[?25h'),
      'the line is erased and the cursor given back',
    );
  });
});
