import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { certifiedLog } from '../../outcome/acceptance/certified-run.test.support.js';
import { requiredCountOf } from '../../outcome/words/required-count.js';
import { resultsOf } from '../../outcome/results/results.js';
import { loadLedger } from '../../base/interface/ledger.js';
import { runDocument } from '../run-document.js';
import { renderPage } from './render-page.js';
import { inconclusive, notApplicable, violated } from '../example-run.test.support.js';
import { inputOf } from './synthetic/run.test.support.js';
import { FILES, PLAYWRIGHT_PAGE } from '../../log/files.js';
import { wholeLoad } from './synthetic/load.test.support.js';
import { STATES, type StateName } from './synthetic/states.test.support.js';

const NAMES = Object.keys(STATES) as StateName[];

/** Returns the texts' positions in the page, to check their order. */
const positions = (html: string, ...needles: readonly string[]): number[] =>
  needles.map((needle) => html.indexOf(needle));

const SECTIONS = [
  '<h1',
  'id="fix"',
  'id="map"',
  'id="limits"',
  'id="requirements"',
  'id="left-open"',
  'id="how-far-to-trust"',
];

const made = new Map<StateName, ReturnType<(typeof STATES)[StateName]>>();
const rendered = new Map<StateName, string>();

/** Makes a state's run once, because some have a load of minutes. */
function runIn(name: StateName) {
  const run = made.get(name) ?? STATES[name]();
  made.set(name, run);
  return run;
}

/** Renders a state's page once, because a page is half a megabyte. */
function pageOf(name: StateName): string {
  const page = rendered.get(name) ?? renderPage(runIn(name));
  rendered.set(name, page);
  return page;
}

for (const name of NAMES)
  test(`${name}: sections are in order, and the same input gives the same page`, () => {
    const html = pageOf(name);
    const order = positions(html, ...(name === 'not-started' ? ['<h1', 'id="how-far-to-trust"'] : SECTIONS));
    assert.ok(order.every((at) => at > 0));
    assert.deepEqual(
      order,
      order.toSorted((one, other) => one - other),
    );
    assert.equal(html, renderPage(runIn(name)));
  });

for (const name of NAMES)
  test(`${name}: every internal link has a target, and every id is unique`, () => {
    const html = pageOf(name);
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length);
    const dead = [...html.matchAll(/ href="#([^"]+)"/g)]
      .map(([, id]) => id)
      .filter((id) => !ids.includes(id));
    assert.deepEqual([...new Set(dead)], []);
  });

test('an interrupted run states that first', () => {
  for (const name of ['interrupted', 'no-footer'] as const) {
    const html = pageOf(name);
    const [alarm = -1, heading = -1] = positions(html, 'This run was cut short.', '<h1');
    assert.ok(alarm > 0 && alarm < heading);
    assert.match(html, /<title>[^<]*\(cut short\)/);
  }
  assert.doesNotMatch(pageOf('all-green'), /class="cut-short"/);
});

test('the heading of a run that never started ends with its address, and what was tried is a section', () => {
  const input = STATES['not-started']();
  const obstacle = {
    code: 'refused',
    message: 'nothing listens at http://127.0.0.1:1/v1 .',
    hint: 'Start it.',
  } as const;
  const html = renderPage({
    ...input,
    document: runDocument({ ...input.document.results, obstacle }, input),
  });
  assert.match(html, /<h1[^>]*>.*nothing listens at http:\/\/127\.0\.0\.1:1\/v1(?:<[^>]+>)*<\/h1>/s);
  assert.match(html, /<section><h2>What was tried<\/h2>/);
});

test('required behaviours have the same total everywhere', () => {
  const input = STATES['one-failure']();
  const html = renderPage(input);
  const { inScope } = requiredCountOf(input.document.results);
  assert.match(html, new RegExp(`1 of ${inScope} required behaviours fails`));
  assert.match(html, new RegExp(`of (?:<!-- -->)?${inScope} required behaviours(?:<!-- -->)? in scope`));
  const ofParts = [...html.matchAll(/(\d+) of (\d+) required holds?/g)];
  const sum = (group: 1 | 2) => ofParts.reduce((total, match) => total + Number(match[group]), 0);
  assert.deepEqual([sum(1), sum(2)], [inScope - 1, inScope]);
});

test('long bodies are cut with a note, and a finding shows three of 200 exchanges', () => {
  const html = pageOf('two-hundred');
  assert.match(html, /cut here: [\d,]+ of [\d,]+ characters not shown/);
  const card = html.slice(html.indexOf('data-id="rate-headers-present"', html.indexOf('id="requirements"')));
  const own = card.slice(0, card.indexOf('data-id=', 1));
  assert.equal(own.match(/<div class="exchange"/g)?.length, 1);
  assert.equal(own.match(/<details class="exchange"/g)?.length, 2);
  assert.match(html, /and (?:<!-- -->)?172(?:<!-- -->)? more/);
});

/** Returns a page with one requirement that failed many times, each with the given value. */
const failingPage = (actual: string, amount: number) =>
  renderPage(
    inputOf({
      findings: Array.from({ length: amount }, (_, index) => ({
        kind: 'violated',
        requirement: 'create-invalid-value',
        message: `case ${String.fromCharCode(97 + index)} was accepted`,
        expected: '400',
        actual,
        exchanges: ['x1'],
      })),
    }),
  );
const rowsOf = (html: string) => html.match(/<tr><th scope="row"><bdi>case [a-z]/g)?.length ?? 0;
const blocksOf = (html: string) => html.match(/class="finding"/g)?.length ?? 0;

test('many short findings share one table, and a few long ones are separate', () => {
  for (const [actual, amount, rows, blocks] of [
    ['201', 15, 15, 0],
    ['201', 2, 0, 2],
    ['x'.repeat(100), 5, 0, 5],
  ] as const) {
    const html = failingPage(actual, amount);
    assert.deepEqual([rowsOf(html), blocksOf(html)], [rows, blocks]);
  }
});

test('a page links only to the interface and its own files, and loads nothing', () => {
  const html = pageOf('forty-failures');
  assert.doesNotMatch(html, /<link|<img|@import|url\(|src=/);
  const addresses = [...html.matchAll(/href="([^"#][^"]*)"/g)].map(([, address]) => address);
  const beside = addresses.filter(
    (address) => address && [...Object.values(FILES), PLAYWRIGHT_PAGE].includes(address),
  );
  assert.ok(beside.includes(PLAYWRIGHT_PAGE));
  const others = addresses.filter((address) => !beside.includes(address));
  assert.ok(others.every((address) => address?.startsWith('https://example.com/interface')));
});

test('a page of 100,000 samples is below 3 MB', () => {
  const input = STATES.heavy();
  const html = renderPage(input);
  assert.equal(
    input.log.series[0]?.moments.reduce((sum, { served, refused }) => sum + served + refused, 0),
    100_000,
  );
  assert.ok(html.length < 3_000_000, `${html.length} characters`);
});

const linksOf = (html: string, id: string) => {
  const card = html.slice(html.indexOf('data-id="' + id + '"', html.indexOf('id="requirements"')));
  return [...card.slice(0, card.indexOf('</details>')).matchAll(/href="#(chart-[a-z-]+)"/g)].map(
    ([, name]) => name,
  );
};

test('a card of a load requirement links to its chart, or to its failing plan’s', () => {
  const sound = pageOf('all-green');
  const drawn = linksOf(sound, 'rate-429');
  assert.ok(drawn.length > 1);
  for (const name of drawn) assert.ok(sound.includes(`id="${name}"`), name);
  assert.deepEqual(linksOf(sound, 'list-ok'), []);
  const findings = [
    {
      kind: 'violated' as const,
      requirement: 'rate-429' as const,
      message: 'The free plan gets more than its allowance.',
      plan: 'free' as const,
      exchanges: [],
    },
  ];
  assert.deepEqual(linksOf(renderPage({ ...inputOf({ load: wholeLoad(), findings }) }), 'rate-429'), [
    'chart-window-free',
  ]);
});

test('what was not tested is said once, by risk, and without names of options', () => {
  const input = inputOf({
    findings: [
      notApplicable('ban-observed', 'opt-in', 'not asked for'),
      notApplicable('rate-day-quota', 'opt-in', 'not asked for'),
      notApplicable('get-after-removal', 'removal-date', 'before 2030-12-05 (1,470 days left)'),
    ],
  });
  const html = renderPage(input);
  const text = html
    .slice(html.indexOf('<h2>Not tested</h2>'), html.indexOf('id="map"'))
    .replace(/<[^>]*>/g, ' ');
  assert.match(text, /Bans\s+The day&#39;s quota|Bans\s+The day's quota/);
  assert.match(text, /The removal of getPet, not due before 2030-12-05/);
  const first = html.slice(0, html.indexOf('id="map"')).replace(/<[^>]*>/g, ' ');
  assert.doesNotMatch(first.slice(first.indexOf('skip to')), / --[a-z]/);
  assert.equal(html.split('not tested without a key').length, 1);
});

test('the first screen of a failed run says what was not tested, before what to fix', () => {
  const html = renderPage(
    inputOf({ findings: [violated('list-ok'), notApplicable('ban-observed', 'opt-in', 'not asked for')] }),
  );
  const first = html.slice(html.indexOf('<h1'), html.indexOf('id="fix"')).replace(/<[^>]*>/g, ' ');
  assert.match(first, /Not tested: bans and the day's quota \(opt-in\)\./);
});

test('one inconclusive requirement is not spoken of as several', () => {
  const page = renderPage(inputOf({ findings: [inconclusive('get-ok')] }));
  assert.match(page, /1 inconclusive/);
  assert.match(page, /how to test it</);
  assert.doesNotMatch(page, /could not determine them|of them blocked|how to test them/);
});

test('the sentence of a certificate is whole, with what the operator says was tested', () => {
  const subject = [
    { name: 'oci://registry.example/petstore', digest: { sha256: 'd'.repeat(64) } },
    { name: 'gitCommit', digest: { gitCommit: 'e'.repeat(40) } },
  ];
  const log = certifiedLog({ header: { subject } });
  const results = resultsOf(log, loadLedger().requirements);
  const html = renderPage({ document: runDocument(results), log, curlOf: () => '' });
  assert.match(html, /is certified for[^<]+gitCommit:e{40}; the kit measured only the address\.</);
});

test('recorded traffic has its name in the contents, and no plan without a known key', () => {
  const input = inputOf({});
  const { results } = input.document;
  const traffic = [
    { source: 'har', basePath: '/v1', graceMs: 250, exchanges: [], end: null, command: null, leftOut: null },
  ] as const;
  const sided = {
    ...results,
    scope: { ...results.scope, plans: [] },
    sides: [{ side: 'client', verdict: 'conformant', counts: results.counts, requirements: [] }],
  } as const;
  const html = renderPage({
    ...input,
    log: { ...input.log, traffic },
    document: { ...input.document, results: sided },
  });
  assert.match(html, /href="#scenarios">Traffic</);
  assert.doesNotMatch(html, /Plans tested|>Scenarios</);
});

test('a run that showed all of a client says so under “Not tested”, whichever keys it had', () => {
  const input = inputOf({});
  const { results } = input.document;
  const rows = input.document.rows.filter(({ outcome }) => outcome === 'passed');
  const html = renderPage({
    ...input,
    document: {
      ...input.document,
      rows,
      untested: [],
      results: {
        ...results,
        requirements: results.requirements.filter(({ outcome }) => outcome === 'passed'),
        scope: { ...results.scope, plans: ['free'] },
        sides: [{ side: 'client', verdict: 'conformant', counts: results.counts, requirements: [] }],
      },
    },
  });
  assert.match(html, /<h2>Not tested<\/h2><p>Everything that a request can show was tested/);
});

test('known mistakes of a passed row do not read as found in this server', () => {
  const html = renderPage(inputOf({}));
  assert.doesNotMatch(html, /catches \d+ flaws?/);
  assert.match(html, /known mistakes? turns? it red|known mistake/);
});

/** Returns a requirement's card. */
const cardOf = (html: string, id: string): string =>
  html.split('<details class="card').find((card) => card.split('>', 1)[0]?.includes(`data-id="${id}"`)) ?? '';

test('only the card of a passed row says that none of its known mistakes was found', () => {
  const html = renderPage(inputOf({ findings: [violated('list-ok')] }));
  assert.match(cardOf(html, 'get-ok'), /None of them was found in this server/);
  assert.match(cardOf(html, 'list-ok'), /each shown on a broken server/);
  assert.doesNotMatch(cardOf(html, 'list-ok'), /None of them was found/);
});

test('a selection shows its own rows in full, and every other row with its statement', () => {
  const whole = renderPage(inputOf({}));
  const html = renderPage(
    inputOf({ scope: { selection: { requirements: ['list-ok'] }, selected: ['list-ok'] } }),
  );
  assert.match(cardOf(html, 'list-ok'), /How it is judged.*list-ok-broken-1/s);
  assert.match(cardOf(html, 'get-ok'), /class="statement".*not selected/s);
  assert.match(html, /The kill matrix: \d of \d+ flaws, by the selection/);
  assert.match(whole, /get-ok-broken-1.*variant-44/s);
  assert.doesNotMatch(html, /get-ok-broken-1|variant-44/);
});
