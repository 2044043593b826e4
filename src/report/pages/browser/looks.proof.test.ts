import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import type { Browser, Page } from '@playwright/test';
import { renderPage } from '../render-page.js';
import { STATES, type StateName } from '../synthetic/states.test.support.js';
import { launchChromium, seriousFaults, withPage } from './chromium.test.support.js';

let browser: Browser;
before(async () => {
  browser = await launchChromium();
});
after(async () => {
  await browser?.close();
});

/** States with different page contents; the others only repeat them. */
const SHOWN: readonly StateName[] = ['one-failure', 'forty-failures', 'interrupted', 'not-started'];

for (const state of SHOWN)
  test(`${state}: axe-core finds no serious violation in either theme, and the page fits every screen width`, async () => {
    await withPage(browser, renderPage(STATES[state]()), { bypassCSP: true }, async ({ page, events }) => {
      await page.evaluate(`for (const card of [...document.querySelectorAll('details.card:not(.quiet)')].slice(0, 4)) card.open = true;
        for (const card of [...document.querySelectorAll('details.quiet')].slice(0, 3)) card.open = true;`);
      assert.deepEqual(await seriousFaults(page), []);
      await page.evaluate(`for (const fold of document.querySelectorAll('details')) fold.open = true`);
      for (const width of [320, 900, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width, `${width}`);
      }
      assert.deepEqual(events, []);
    });
  });

/** Counts the printed pages of a run's page. */
async function printedPages(page: Page): Promise<number> {
  const pdf = await page.pdf({ preferCSSPageSize: true });
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
}

test('forty failures print on at most twelve pages after the decision, each with expected and received', async () => {
  const html = renderPage(STATES['forty-failures']());
  await withPage(browser, html, { javaScriptEnabled: false }, async ({ page }) => {
    await page.emulateMedia({ media: 'print' });
    const failed = page.locator('.card.o-failed');
    const amount = await failed.count();
    assert.ok(amount >= 40);
    // A card that follows from another's fault has its figures there.
    const following = await page.locator('.card.o-failed.follows').count();
    for (const [part, least] of [
      ['> summary .gist', amount],
      ['.sides', amount - following],
    ] as const) {
      const shown = await Promise.all((await failed.locator(part).all()).map((one) => one.isVisible()));
      assert.ok(shown.filter(Boolean).length >= least, part);
    }
    const pages = await printedPages(page);
    assert.ok(pages <= 1 + 12, `${pages} pages`);
  });
});

test('the printed page expands failures and hides the navigation, without scripts', async () => {
  const html = renderPage(STATES['one-failure']());
  await withPage(browser, html, { javaScriptEnabled: false, colorScheme: 'dark' }, async ({ page }) => {
    await page.emulateMedia({ media: 'print' });
    const failed = page.locator('#list-limit-default');
    assert.ok(await failed.locator('.statement').isVisible());
    assert.ok(await failed.locator('.sides').isVisible());
    assert.equal(await page.locator('#list-ok .statement').isVisible(), false);
    assert.equal(await page.locator('nav.contents').isVisible(), false);
    const pages = await printedPages(page);
    assert.ok(pages > 2 && pages < 20, `${pages} pages`);
  });
});
