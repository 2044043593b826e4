import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadLedger } from '../../base/interface/ledger.js';
import type { Finding } from '../../judge/findings/finding.js';
import { widthOf } from './lines.js';
import { runDocument } from '../run-document.js';
import { renderFinal } from './reporter.js';
import { doubtful, exchangeOf, ROWS, violated, type Made } from './synthetic.test.support.js';
import {
  runOf,
  PLACES,
  ONE_FAILURE,
  STATES,
  collector,
  optionsFor,
  final,
  sentence,
  told,
} from './reporter.test.support.js';

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

  it('says with the plan of a run how long it waits for its key', () => {
    const text = final({ preflight: { shortage: { left: 1, seconds: 51 } } }).replaceAll(/\s+/g, ' ');
    assert.match(text, /about 54 requests, 4 s (?:· )?waits for the key, up to 51 s \(1 request left\)/);
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
