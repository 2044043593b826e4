import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import * as fc from 'fast-check';
import { anyText } from '../base/kernel/any-text.test.support.js';
import {
  exampleLog,
  exampleResults,
  HOSTILE,
  inconclusive,
  notApplicable,
  observed,
  violated,
  type ExampleChanges,
} from './example-run.test.support.js';
import { readXml } from './strict-xml.test.support.js';
import type { CapacityResults } from '../loadkit/capacity-shape.js';
import { compareResults, type Comparison } from '../outcome/acceptance/compare.js';
import { comparisonMarkdown } from './markdown.js';
import { comparisonPage } from './pages/compare-page.js';
import { comparisonDocument } from './comparison.js';
import { comparisonSentence } from './comparison-sentence.js';
import { comparisonLines } from './terminal/compare-lines.js';

const comparison = compareResults(
  exampleResults({ findings: [observed('list-order', 'by id')] }),
  exampleResults({ findings: [violated('list-ok'), observed('list-order', 'random')] }),
);
const whole = comparison.run.requirements.length;
const nothing = compareResults(exampleResults(), exampleResults());

/** Returns a comparison in which one text replaces everything that a target or user can choose. */
function hostile(text: string) {
  const { target } = exampleLog().header;
  return compareResults(
    exampleResults({ findings: [observed('list-order', 'by id', text)] }),
    exampleResults({
      header: { target: { ...target, name: text } },
      findings: [observed('list-order', text, text)],
    }),
  );
}

const texts = fc.oneof(fc.constantFrom(...HOSTILE), anyText());

const labelled = (label: string) => exampleResults({ header: { label } });

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
    ['differs from the run on', [], [observed('list-order', 'by name')]],
  ] as const;
  for (const [words, before, after] of trends)
    test(`contains “${words}” for ${[...before, ...after].map(({ kind, requirement }) => `${kind} ${requirement}`).join(', ')}`, () =>
      assert.ok(
        comparisonSentence(
          compareResults(exampleResults({ findings: before }), exampleResults({ findings: after })),
        ).includes(words),
      ));

  test('names known builds', () => {
    assert.equal(
      comparisonSentence(compareResults(labelled('2.4.0'), labelled('2.4.1'))),
      'staging (build 2.4.1) is the same as the run on 2026-11-20 10:00 UTC (build 2.4.0).',
    );
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
        `${whole - comparison.covered.same - 2} requirements not compared: neither run judged them.`,
      ],
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

/** Returns the elements of a page, in order, without attributes. */
const skeleton = (html: string): readonly string[] =>
  [...html.replaceAll(SHOWN_AS_POINT, '').matchAll(/<\/?[a-z0-9]+/g)].map(([tag]) => tag);

/** A hidden character, as the page shows it. */
const SHOWN_AS_POINT = /<span class="hidden-character">U\+[0-9A-F]+<\/span>/g;

/** Parses the page's HTML with the strict reader, after removing what XML does not know. */
function readPage(html: string) {
  const body = html
    .replace('<!doctype html>', '')
    .replace(/<style>[^<]*<\/style>/, '')
    .replaceAll(/<meta ([^>]*?)\/?>/g, '<meta $1/>')
    .replaceAll(/[\ufffe\uffff]|\]\]>/g, '');
  return readXml(body.trim());
}

describe('a comparison as a page', () => {
  test('shows the changes', () => {
    const html = comparisonPage(comparison);
    assert.match(html, /Newly failing \(1\)/);
    assert.match(html, /passed, on 1 response/);
    assert.match(html, /<dt>Expected<\/dt><dd>.*the target answers 500/);
    assert.doesNotMatch(html, /its card/);
    readPage(html);
  });

  test('links to both reports if they are known', () => {
    const html = comparisonPage(comparison, { before: '../a/index.html', after: './b%20c/index.html' });
    for (const link of ['../a/index.html', '../a/index.html#list-ok', './b%20c/index.html#list-ok'])
      assert.ok(html.includes(`href="${link}"`), link);
    readPage(html);
  });

  test('separates inconclusive from untested requirements', () => {
    const html = comparisonPage(
      compareResults(
        exampleResults(),
        exampleResults({ findings: [inconclusive('list-ok'), notApplicable('create-ok')] }),
      ),
    );
    assert.match(html, /Newly inconclusive \(1\).*list-ok.*the store holds too few animals/s);
    assert.match(html, /No longer tested \(1\).*create-ok.*set aside/s);
  });

  test('shows requirements that fail in both runs', () => {
    const both = exampleResults({ findings: [violated('get-ok')] });
    assert.match(comparisonPage(compareResults(both, both)), /Failing in both \(1\).*get-ok/s);
  });

  test('needs no script and no network', () => {
    const html = comparisonPage(comparison);
    assert.doesNotMatch(html, /<script|(?:href|src)="https?:|@import|url\(/);
  });

  test('has the same elements for any text from the target', () => {
    const shape = skeleton(comparisonPage(hostile('x')));
    fc.assert(
      fc.property(texts, (text) => {
        const html = comparisonPage(hostile(`${text}x`));
        assert.deepEqual(skeleton(html), shape);
        readPage(html);
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
      isComparable: true,
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
    capacity: { figures: [], thresholds: [], differences: [], isComparable: true, speeds },
  };
  assert.match(
    comparisonSentence(load),
    /has the same outcomes as .*; cannot tell whether it got slower: the generator was the bottleneck\.$/,
  );
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
      isComparable: true,
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

test('each earlier run of a baseline is named with its time, its build and its report', () => {
  const compared = compareResults(labelled('1.4'), labelled('1.5'), {
    baseline: [labelled('1.2'), labelled('1.3')],
  });
  const places = { before: 'a.html', after: 'd.html', baseline: ['b.html', null] };
  const { runs } = comparisonDocument(compared, places);
  assert.deepEqual(
    runs.rows.map(({ cells: [run, , build, started] }) => [run?.text, build?.text, started?.link]),
    [
      ['Before', 'build 1.4', 'a.html'],
      ['Baseline', 'build 1.2', 'b.html'],
      ['Baseline', 'build 1.3', undefined],
      ['Now', 'build 1.5', 'd.html'],
    ],
  );
  assert.match(comparisonPage(compared, places), /build 1\.2.*href="b\.html".*build 1\.3/s);
  assert.match(
    comparisonLines(compared, { color: false }).join('\n'),
    /^baseline .*build 1\.2.*\nbaseline .*build 1\.3/m,
  );
  assert.match(comparisonMarkdown(compared), /Baseline.*build 1\.2/);
});

const at = (day: number) => ({ startedAt: `2026-11-0${day}T03:00:00.000Z` });

test('a row shows the run of its earlier result, and what was not tested of it', () => {
  const green = exampleResults({ header: { ...at(1), label: '1.4' } });
  const dead = exampleResults({ header: at(2), findings: [inconclusive('list-ok'), violated('get-ok')] });
  const now = exampleResults({
    header: at(3),
    findings: [
      violated('list-ok'),
      { kind: 'kept', requirement: 'get-ok', exchanges: ['x1'] },
      { kind: 'untried', requirement: 'get-ok', what: 'a second animal' },
    ],
  });
  const compared = compareResults(dead, now, { earlier: () => [green] });
  const places = { before: '../dead/index.html', after: '../now/index.html' };
  const lines = comparisonLines(compared, { color: false }).join('\n');
  assert.match(lines, /before {2}passed, on 1 response, in the run on 2026-11-01 03:00 UTC, build 1\.4$/m);
  assert.match(lines, /now {5}passed, on 1 response: not tested: a second animal$/m);
  const page = comparisonPage(compared, places);
  assert.match(page, /in the run on 2026-11-01 03:00 UTC, build 1\.4/);
  assert.match(page, /not tested: .*a second animal/);
  assert.doesNotMatch(
    page,
    /dead\/index\.html#list-ok/,
    'its card there is that of a row that was not judged',
  );
  assert.match(comparisonMarkdown(compared), /in the run on 2026-11-01 03:00 UTC, build 1\.4/);
});
