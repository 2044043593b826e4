import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import type { Browser, Page } from '@playwright/test';
import { compareResults } from '../../../outcome/acceptance/compare.js';
import { comparisonPage } from '../compare-page.js';
import { historyRun, type History } from '../../../outcome/acceptance/history.js';
import { historyPage } from '../history/page.js';
import {
  exampleProfile,
  exampleResults,
  inconclusive,
  notApplicable,
  observed,
  violated,
} from '../../example-run.test.support.js';
import { launchChromium, seriousFaults, type Watched, withPage } from './chromium.test.support.js';

let browser: Browser;
before(async () => {
  browser = await launchChromium();
});
after(async () => {
  await browser?.close();
});

const LONG = `https://staging.example.com/${'very-long-path-without-a-break/'.repeat(8)}`;

const comparison = compareResults(
  exampleResults({
    header: { label: '2.4.0' },
    findings: [violated('get-ok'), violated('list-limit-max-items'), observed('list-order', 'by id')],
  }),
  exampleResults({
    header: { label: '2.4.1' },
    findings: [
      violated('list-ok', LONG),
      violated('list-limit-max-items'),
      violated('auth-challenge'),
      inconclusive('create-ok', LONG),
      notApplicable('get-unknown'),
      observed('list-order', LONG),
      observed('list-limit-out-of-range', '400', 'limit=0'),
    ],
  }),
);

/** Returns 400 runs: a week's fault, one build's flaky row, runs that never started, runs of suites only. */
function nights(): History {
  const runs = Array.from({ length: 400 }, (_, night) => {
    const results = exampleResults({
      header: {
        label: `2.${Math.floor(night / 10)}`,
        startedAt: new Date(Date.UTC(2025, 9, 1 + night, 3)).toISOString(),
        ...(night % 6 === 5 && {
          scope: {
            ...exampleResults().scope,
            selection: { only: 'suites' },
            suiteKey: 'free',
            selected: null,
            includes: [],
          },
        }),
      },
      findings: [
        ...(night >= 120 && night < 127 ? [violated('list-limit-default')] : []),
        ...(night >= 390 ? [violated('rate-headers-present'), inconclusive('list-limit-default')] : []),
        ...(night % 50 === 7 ? [violated('list-shows-created')] : []),
        ...(night > 300 ? [violated('auth-challenge')] : []),
      ],
      profiles: [exampleProfile(5 + (night % 11))],
    });
    const idle = { code: 'refused', message: `nothing listens at ${LONG}.`, hint: 'Start it.' } as const;
    return historyRun(
      `run-${night}`,
      night % 60 === 33 || night === 396 ? { ...results, obstacle: idle } : results,
    );
  });
  return {
    runs,
    requirements: exampleResults().requirements,
    damaged: [{ folder: LONG, problem: 'the file is not complete JSON' }],
    loadRuns: [],
  };
}

const PAGES: Readonly<Record<string, string>> = {
  comparison: comparisonPage(comparison, { before: './a/index.html', after: './b/index.html' }),
  'comparison without changes': comparisonPage(compareResults(exampleResults(), exampleResults())),
  'history of 400 nights': historyPage(nights()),
  'history of one night': historyPage({
    ...nights(),
    runs: nights().runs.slice(0, 1),
    damaged: [],
    loadRuns: [],
  }),
  'empty history': historyPage({ runs: [], requirements: [], damaged: [], loadRuns: [] }),
};

const openAll = (page: Page) =>
  page.evaluate(`for (const fold of [...document.querySelectorAll('details')].slice(0, 3)) fold.open = true`);

/** Fails if a page is wider than the screen, or if it says or fetches something. */
async function expectFit({ page, events, requests }: Watched): Promise<void> {
  for (const width of [390, 800, 1400]) {
    await page.setViewportSize({ width, height: 900 });
    const widest = await page.locator('html').evaluate((root) => root.scrollWidth);
    assert.ok(widest <= width, `${widest} of ${width}`);
    assert.ok(await page.locator('h1').isVisible());
  }
  assert.deepEqual([events, requests], [[], []]);
}

const { 'history of 400 nights': _, ...few } = PAGES;

/** Sixty nights have every kind of cell; axe-core takes most of a minute for four hundred. */
const SHORT: Readonly<Record<string, string>> = {
  ...few,
  'history of 60 nights': historyPage({ ...nights(), runs: nights().runs.slice(-60) }),
};

for (const [name, html] of Object.entries(SHORT))
  test(`${name}: axe-core finds no serious violation in either theme, and the page fits the screen`, async () => {
    await withPage(browser, html, { bypassCSP: true }, async (watched) => {
      await openAll(watched.page);
      assert.deepEqual(await seriousFaults(watched.page), []);
      await expectFit(watched);
    });
  });

// The pages with the most on them; those with less have the same scripts and styles.
for (const name of ['comparison', 'history of 400 nights'])
  for (const javaScriptEnabled of [true, false])
    test(`${name}: under its own policy the page fits the screen and fetches nothing, scripts ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
      await withPage(browser, PAGES[name] ?? '', { javaScriptEnabled }, expectFit);
    });

test('400 nights: every cell has a date and a link, and the print is short', async () => {
  await withPage(
    browser,
    PAGES['history of 400 nights'] ?? '',
    { javaScriptEnabled: false },
    async ({ page }) => {
      const cells = await page
        .locator('.cells a')
        .evaluateAll((links) =>
          links.map((link) => [link.getAttribute('title') ?? '', link.getAttribute('href') ?? '']),
        );
      assert.ok(cells.length > 1_000, `${cells.length} cells`);
      for (const [title = '', href = ''] of cells) {
        assert.match(title, /\d{4}-\d{2}-\d{2}/);
        assert.match(href, /^\.\/run-\d+\/index\.html/);
      }
      await page.emulateMedia({ media: 'print' });
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      const pages = pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
      assert.ok(pages >= 2 && pages <= 12, `${pages} pages`);
    },
  );
});

test('the keyboard stops only at nights that need attention', async () => {
  await withPage(browser, PAGES['history of 400 nights'] ?? '', {}, async ({ page }) => {
    const stops = await page.locator('.verdict-row .cells a:not([tabindex="-1"])').count();
    const all = await page.locator('.verdict-row .cells a').count();
    assert.ok(stops > 0 && stops < all, `${stops} of ${all}`);
  });
});
