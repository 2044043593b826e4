import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import * as fc from 'fast-check';
import {
  exampleExchange,
  exampleLog,
  exampleResults,
  HOSTILE,
  inconclusive,
  notApplicable,
  observed,
  violated,
  type ExampleChanges,
} from './example-run.test.support.js';
import type { CapacityResults } from '../loadkit/capacity-shape.js';
import { compareResults, type Comparison } from '../outcome/acceptance/compare.js';
import { capacitySections } from './comparison-capacity.js';
import { comparisonMarkdown } from './markdown.js';
import { comparisonPage } from './pages/compare-page.js';
import { comparisonSentence } from './comparison-sentence.js';
import { comparisonLines } from './terminal/compare-lines.js';
import { comparison, hostile, texts, labelled } from './comparison.test.support.js';

const whole = comparison.run.requirements.length;

const nothing = compareResults(exampleResults(), exampleResults());

describe('a comparison in one sentence', () => {
  test('states the trend, names new failures, and counts other changes', () => {
    assert.equal(
      comparisonSentence(comparison),
      'staging is worse than the run on 2026-11-20 10:00 UTC: newly failing: list-ok; 1 observed differently.',
    );
  });
  test('states that nothing changed', () =>
    assert.equal(comparisonSentence(nothing), 'staging is the same as the run on 2026-11-20 10:00 UTC.'));

  const trends = [
    ['better', [violated('list-ok')], []],
    ['less certain', [], [inconclusive('list-ok')]],
    ['less certain', [], [notApplicable('list-ok')]],
    ['worse', [], [violated('auth-challenge')]],
    ['worse', [violated('get-ok')], [violated('list-ok')]],
    ['differs from the run on', [violated('get-ok')], [violated('auth-challenge')]],
    ['differs from the run on', [], [observed('list-order', 'by name')]],
  ] as const;
  for (const [words, before, after] of trends)
    test(`contains “${words}” for ${[...before, ...after].map(({ kind, requirement }) => `${kind} ${requirement}`).join(', ')}`, () =>
      assert.ok(
        comparisonSentence(
          compareResults(exampleResults({ findings: before }), exampleResults({ findings: after })),
        ).includes(words),
      ));

  test('gives a reason once for all requirements that it holds for', () => {
    const ids = ['list-ok', 'get-ok'] as const;
    assert.match(
      comparisonSentence(
        compareResults(
          exampleResults({ findings: ids.map((id) => violated(id)) }),
          exampleResults({ findings: ids.map((id) => inconclusive(id)) }),
        ),
      ),
      /: not confirmed as fixed: list-ok and get-ok \(the store holds too few animals\)\.$/,
    );
  });

  test('names known builds', () => {
    assert.equal(
      comparisonSentence(compareResults(labelled('2.4.0'), labelled('2.4.1'))),
      'staging (build 2.4.1) is the same as the run on 2026-11-20 10:00 UTC (build 2.4.0).',
    );
  });

  test('says that a run did not meet its baseline', () => {
    const unmet = {
      ...comparison,
      run: { ...comparison.run, baseline: { met: false, problems: [] } },
    };
    assert.match(comparisonLines(unmet, { color: false }).join('\n'), /^now .* baseline not met; /m);
  });

  test('states that a run that never started cannot be compared', () => {
    const obstacle = {
      code: 'refused',
      message: 'nothing listens at the address.',
      hint: 'Start it.',
    } as const;
    const idle = { ...exampleResults({ findings: [inconclusive('list-ok')] }), obstacle };
    const later = compareResults(exampleResults(), idle);
    assert.deepEqual(later.changes, []);
    assert.equal(
      comparisonSentence(later),
      'staging could not be tested, so there is nothing to compare: nothing listens at the address.',
    );
    assert.match(comparisonSentence(compareResults(idle, exampleResults())), /there is nothing to compare/);
    assert.match(comparisonPage(later), /Nothing to compare/);
  });
});

describe('a comparison for the terminal', () => {
  test('names the request that a finding does not name', () => {
    const exchanges = [{ ...exampleExchange(), probe: 'GET /pets/1' }];
    const failing = exampleResults({ findings: [violated('get-ok', 'an answer is empty')], exchanges });
    assert.match(
      comparisonLines(compareResults(exampleResults(), failing), { color: false }).join('\n'),
      /found +“GET \/pets\/1”: an answer is empty/,
    );
  });

  test('calls no behaviour passed that only traffic shows', () => {
    const { scope } = exampleLog().header;
    const traffic = exampleResults({ header: { scope: { ...scope, sides: ['service'] } }, isTraffic: true });
    const text = comparisonLines(compareResults(exampleResults(), traffic), {
      color: false,
      places: { before: null, after: null },
    }).join('\n');
    assert.match(text, /now +staging .*  no violation seen, 50 of 55 required behaviours shown  /);
  });

  test('shows changes without colour', () => {
    assert.deepEqual(
      comparisonLines(comparison, { color: false, places: { before: 'a/index.html', after: null } }),
      [
        'staging is worse than the run on 2026-11-20 10:00 UTC: newly failing: list-ok; 1 observed differently.',
        '',
        'before  staging  2026-11-20 10:00:00 UTC  conformant, 50 of 50 required behaviours passed  1 request in 3.1 s',
        '        a/index.html',
        'now     staging  2026-11-20 10:00:00 UTC  not conformant, 49 of 50 required behaviours passed  1 request in 3.1 s',
        '',
        'Newly failing (1)',
        '  ✗ list-ok  The plain listing returns 200.',
        '      before  passed, on 1 response',
        '      now     failed',
        '        found      the target answers 500',
        '        expected   the target answers 500',
        '        received   the target answers 500',
        '',
        'Observed differently (1)',
        '  · list-order',
        '      before  by id',
        '      now     random',
        '',
        `${comparison.covered.same} requirements with the same outcome in both.`,
        `${whole - comparison.covered.same - 2} requirements not compared: one run or both did not judge them.`,
      ],
    );
  });

  test('wraps long lines on a terminal', () => {
    const failing = exampleResults({ findings: [violated('list-ok', 'a long text '.repeat(20))] });
    const wide = comparisonLines(compareResults(exampleResults(), failing), { color: false, columns: 80 });
    for (const line of wide) assert.ok(line.length <= 80, line);
  });

  test('says once why rows were not judged, whatever the earlier run showed of them', () => {
    const ids = ['list-ok', 'get-ok', 'get-unknown'] as const;
    const before = exampleResults({
      findings: [
        { kind: 'kept', requirement: 'list-ok', exchanges: ['x1', 'x2'] },
        { kind: 'kept', requirement: 'get-ok', exchanges: ['x1'] },
        { kind: 'untried', requirement: 'get-ok', what: 'a second animal' },
      ],
    });
    const dead = exampleResults({ findings: ids.map((id) => inconclusive(id)) });
    assert.match(
      comparisonLines(compareResults(before, dead), { color: false }).join('\n'),
      /^ {2}\? 3 requirements\n {6}before {2}passed\n {6}now +inconclusive: .*\n {6}list-ok, get-ok, get-unknown/m,
    );
  });

  test('has the same text with and without colour', () => {
    const plain = comparisonLines(comparison, { color: false });
    const coloured = comparisonLines(comparison, { color: true });
    assert.notDeepEqual(coloured, plain);
    assert.deepEqual(
      coloured.map((line) => stripVTControlCharacters(line)),
      plain,
    );
  });

  test('has no line breaks or control characters from the target', () => {
    const shape = comparisonLines(hostile('x'), { color: false }).length;
    fc.assert(
      fc.property(texts, (text) => {
        const lines = comparisonLines(hostile(`${text}x`), { color: false });
        assert.equal(lines.length, shape);
        for (const line of lines) assert.doesNotMatch(line, /\p{Cc}|\p{Cs}|\p{Bidi_Control}/u);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a comparison as Markdown', () => {
  test('has one table per kind of change', () => {
    const markdown = comparisonMarkdown(comparison);
    assert.match(
      markdown,
      /### Newly failing \(1\)\n\n\| Requirement \| Before \| Now \|\n\|---\|---\|---\|\n\| list-ok \| passed, on 1 response \| failed: the target answers 500; expected <code>.*<\/code>; received <code>.*<\/code> \|\n/,
    );
    assert.match(markdown, /### Observed differently \(1\)/);
    assert.doesNotMatch(comparisonMarkdown(nothing), /###/);
  });

  test('links no address and mentions nobody in a heading', () => {
    const { target } = exampleResults();
    const at = (baseUrl: string, changes: ExampleChanges) => ({
      ...exampleResults(changes),
      target: { ...target, baseUrl },
    });
    const markdown = comparisonMarkdown(
      compareResults(
        at('https://a.example/v1', {}),
        at('https://b.example/v1', { findings: [violated('list-ok')] }),
      ),
    );
    assert.match(markdown, /^### Failing on /m);
    assert.doesNotMatch(markdown, /https?:\/\//);
  });

  test('contains no markup or HTML from the target', () => {
    const shape = comparisonMarkdown(hostile('x')).split('\n').length;
    fc.assert(
      fc.property(texts, (text) => {
        const lines = comparisonMarkdown(hostile(`${text}x`)).split('\n');
        assert.equal(lines.length, shape);
        for (const line of lines) {
          assert.doesNotMatch(line.replaceAll(/<\/?code>/g, ''), /[<>]/);
          assert.doesNotMatch(line, /\]\(|https?:\/\/|@/);
        }
      }),
      { numRuns: 60 },
    );
  });
});

test('a comparison of load runs is not the same where a figure surely changed', () => {
  const slower = {
    phase: 'hold',
    operation: null,
    figure: 'p50',
    answer: 'slower',
    low: 0.12,
    high: 0.27,
    shown: 0.1,
  } as const;
  const load: Comparison = {
    ...comparison,
    changes: [],
    capacity: {
      figures: [],
      thresholds: [],
      differences: [],
      whyNot: null,
      speeds: [{ ...slower, words: '12 to 27 % slower' }],
    },
  };
  assert.match(
    comparisonLines(load, { color: false }).join(' ').replaceAll(/\s+/g, ' '),
    /differs from .*p50 of hold 12 to 27 % slower/,
  );
});

test('load runs of which no speed is known are not called the same', () => {
  const nothing = { figure: null, low: null, high: null, shown: null } as const;
  const words = 'cannot tell: the generator was the bottleneck';
  const speeds = [{ phase: 'hold', operation: null, answer: 'unknown', ...nothing, words }] as const;
  const load: Comparison = {
    ...comparison,
    changes: [],
    capacity: { figures: [], thresholds: [], differences: [], whyNot: null, speeds },
  };
  assert.match(
    comparisonSentence(load),
    /has the same outcomes as .*; cannot tell whether it got slower: the generator was the bottleneck\.$/,
  );
});

test('a table of speeds has each reason once', () => {
  const words = 'cannot tell: too few responses';
  const row = { answer: 'unknown', low: null, high: null, shown: null, words } as const;
  const phases = ['one', 'two'].flatMap((phase) =>
    ([null, 'getPet'] as const).flatMap((operation) =>
      (['p50', 'p99'] as const).map((figure) => ({ ...row, phase, operation, figure })),
    ),
  );
  const speeds = [...phases, { ...row, phase: 'three', operation: null, figure: 'p50' as const }];
  const sections = capacitySections({ figures: [], thresholds: [], differences: [], whyNot: null, speeds }, [
    'Before',
    'Now',
  ]);
  const [table] = sections.find(({ id }) => id === 'speed')?.blocks ?? [];
  assert.deepEqual(table?.kind === 'table' && table.rows.map(({ cells }) => cells.map(({ text }) => text)), [
    ['one and two', 'all and getPet', 'p50 and p99', words],
    ['three', 'all', 'p50', words],
  ]);
});

test('a comparison of load runs states “not kept” and not conformance', () => {
  const capacity = { scenario: 'example' } as unknown as CapacityResults;
  const load: Comparison = {
    ...comparison,
    against: { ...comparison.against, capacity },
    run: { ...comparison.run, capacity },
    changes: [],
    capacity: {
      figures: [],
      thresholds: [],
      speeds: [],
      differences: ['The thresholds differ: only now p99 < 1ms.'],
      whyNot: null,
    },
  };
  for (const text of [
    comparisonLines(load, { color: false }).join('\n'),
    comparisonMarkdown(load),
    comparisonPage(load).replace(/^.*<body>/s, ''),
  ]) {
    assert.match(text, /differs from/);
    assert.match(text, /the thresholds differ/);
    assert.match(text, /not kept/);
    assert.doesNotMatch(text, /conformant |required behaviour/);
  }
});

/** Returns the text of a page, without its style sheet. */
const textOf = (page: string): string => page.replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ');

describe('a comparison of two environments', () => {
  const { target } = exampleLog().header;
  const ROWS = ['get-ok', 'get-unknown', 'get-until-removal', 'get-matches-created'] as const;
  const production = (name: string) =>
    exampleResults({
      header: { target: { ...target, name, baseUrl: 'https://production.example.com/v1' } },
      findings: [
        violated('list-ok'),
        ...ROWS.map((id) => notApplicable(id, 'production', 'the target is production')),
      ],
    });
  const differing = compareResults(exampleResults(), production('production'));

  test('speaks of differences, and neither of worse nor of before and now', () => {
    const lines = comparisonLines(differing, { color: false }).join('\n');
    for (const text of [lines, comparisonMarkdown(differing), textOf(comparisonPage(differing))])
      assert.doesNotMatch(text, /\b(?:worse|newly|no longer|before|now)\b/i);
    assert.match(
      lines,
      /^production differs from staging: failing on production, not on staging: list-ok; 4 tested on staging only/,
    );
    assert.match(lines, /^Failing on production, not on staging \(1\)$/m);
  });

  test('shows requirements with one reason in one line', () => {
    const lines = comparisonLines(differing, { color: false }).join('\n');
    assert.match(
      lines,
      /^ {2}\S? ?4 requirements\n +staging +passed.*\n +production +not tested: .*\n +get-ok, get-matches-created, get-unknown/m,
    );
    assert.equal(lines.match(/production {2}not tested/g)?.length, 1);
    assert.match(comparisonMarkdown(differing), /\| 4 requirements: .*get.*unknown/);
    assert.match(comparisonPage(differing), /4 requirements<\/bdi>/);
  });

  test('escapes their names wherever these are labels', () => {
    for (const text of HOSTILE) {
      const page = comparisonPage(compareResults(exampleResults(), production(text)));
      assert.doesNotMatch(page, /<script>alert|<img src=x/);
    }
  });
});
