import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import type { Browser, Page } from '@playwright/test';
import { renderPage } from '../render-page.js';
import { STATES } from '../synthetic/states.test.support.js';
import { ADDRESS, launchChromium, withPage, type Watched } from './chromium.test.support.js';

let browser: Browser;
const html = renderPage(STATES['one-failure']());
before(async () => {
  browser = await launchChromium();
});
after(async () => {
  await browser?.close();
});

const card = (page: Page, id: string) => page.locator(`details.card[data-id="${id}"]`);
const isOpen = (page: Page, id: string) =>
  card(page, id)
    .getAttribute('open')
    .then((value) => value !== null);
const hash = (page: Page) => page.evaluate('location.hash');

// A page costs a second of the processor, so one page serves the tests of a state that need the same scripts.

/** Loads the page under test anew, with a hash. */
async function load(page: Page, hash: string): Promise<void> {
  // Without this, a change of the hash alone loads nothing.
  await page.goto('about:blank');
  await page.goto(ADDRESS + hash);
}

/** Opens a card by its cell of the map, with the keyboard. */
async function expectCellOpensCard(page: Page): Promise<void> {
  const cell = page.locator('a.cell[data-id="list-limit-default"]');
  assert.equal(await cell.getAttribute('aria-label'), 'list-limit-default: failed, newly failing');
  await cell.focus();
  assert.ok(await cell.locator('.tip').isVisible());
  await page.keyboard.press('Enter');
  await page.locator('#list-limit-default .statement').waitFor({ state: 'visible' });
}

/** A desk and a phone, px; the desk comes last, for the tests that follow. */
const VIEWPORTS = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

/** Fails unless the first fix, or the heading of fixes if there is none, ends on the first screen. */
async function expectFixesFirst(page: Page, first = '#fix .lines li >> nth=0'): Promise<void> {
  for (const viewport of VIEWPORTS) {
    await page.setViewportSize(viewport);
    const box = await page.locator(first).boundingBox();
    const end = box && box.y + box.height;
    assert.ok(end !== null && end <= viewport.height, `ends at ${end}, ${viewport.width} px wide`);
    assert.ok(await page.locator('#about dl.facts').isVisible());
  }
}

/** Fails unless exploration is a table of kinds, with curl lines and classes folded. */
async function expectExploration({ page, events }: Watched): Promise<void> {
  const section = page.locator('#explored');
  assert.match(
    await section.innerText(),
    /120 of 400 requests, seed 7: found 1 story, ended early: interrupted/,
  );
  assert.equal(await section.locator('table:visible tbody tr').count(), 14);
  assert.equal(await section.locator('pre.wire:visible').count(), 0);
  await section.getByText('As curl lines').click();
  assert.equal(await section.locator('pre.wire:visible').count(), 2);
  await section.getByText('Each class, with figures').click();
  assert.ok(await section.getByText('half a surrogate pair').last().isVisible());
  assert.deepEqual(events, []);
}

test('one failure', async (t) => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  await withPage(browser, html, { permissions }, async ({ page, events }) => {
    await t.test('the list of fixes begins on the first screen', () => expectFixesFirst(page));

    await t.test('a cell of the map opens its card by keyboard', () => expectCellOpensCard(page));

    await t.test('the slash key focuses the filter; the URL contains filter and open card', async () => {
      await load(page, '');
      await page.keyboard.press('/');
      await page.keyboard.type('filter failed');
      assert.equal(await page.locator('details.card:visible').count(), 0);
      await page.locator('#filter').fill('limit failed');
      assert.deepEqual(
        await page
          .locator('details.card:visible')
          .evaluateAll((cards) => cards.map((card) => card.getAttribute('data-id'))),
        ['list-limit-default'],
      );
      assert.equal(await hash(page), '#q=limit%20failed');
      assert.match((await page.locator('.found-count').textContent()) ?? '', /^1 of \d+ requirements match/);
      await page.getByRole('button', { name: /^Show 1 of \d+$/ }).click();
      assert.ok(await page.locator('#requirements h2').isVisible());
      await card(page, 'list-limit-default').locator('> summary').click();
      await page.waitForURL(/#list-limit-default&q=limit%20failed$/);
      await page.locator('#filter').focus();
      await page.keyboard.press('Escape');
      assert.equal(
        await page.locator('details.card:visible').count(),
        await page.locator('details.card').count(),
      );
    });

    await t.test('the URL brings filter and open card back', async () => {
      await load(page, '#list-limit-default&q=limit');
      assert.equal(await page.locator('#filter').inputValue(), 'limit');
      assert.equal(await isOpen(page, 'list-limit-default'), true);
      assert.equal(await card(page, 'auth-challenge').isVisible(), false);
    });

    await t.test('a link to a card hidden by the filter clears the filter', async () => {
      await load(page, '#q=authentication');
      await page.locator('#fix a[href="#list-limit-default"]').click();
      await page.locator('#list-limit-default .statement').waitFor({ state: 'visible' });
      assert.equal(await page.locator('#filter').inputValue(), '');
    });

    await t.test('a card opens by its URL hash; its button copies the curl line', async () => {
      await load(page, '#list-limit-default');
      await page.locator('#list-limit-default .statement').waitFor({ state: 'visible' });
      const button = page.locator('#list-limit-default button.copy').first();
      // The word stays for two seconds: on a busy machine a look may come too late.
      const said = page.evaluate(`new Promise((resolve, reject) => {
        const button = document.querySelector('#list-limit-default button.copy');
        new MutationObserver(() => resolve(button.textContent)).observe(button, { childList: true });
        setTimeout(() => reject(new Error('the button said nothing for a minute')), 60_000);
      })`);
      await button.click();
      assert.equal(await said, 'Copied');
      assert.match(
        String(await page.evaluate('navigator.clipboard.readText()')),
        /^curl .*\$PETSTORE_KEY.*staging\.example\.com/s,
      );
    });

    assert.deepEqual(events, []);
  });
});

test('one failure, without scripts', async (t) => {
  await withPage(browser, html, { javaScriptEnabled: false }, async ({ page }) => {
    await t.test('only the tools are missing, and a cell opens its card', async () => {
      for (const id of ['fix', 'map', 'limits', 'requirements', 'left-open', 'how-far-to-trust'])
        assert.ok(await page.locator(`#${id} > h2`).isVisible(), id);
      assert.equal(await page.locator('.tools').isVisible(), false);
      assert.equal(
        await page.locator('details.card:visible').count(),
        await page.locator('details.card').count(),
      );
      // Before a click: after one, focus shows no tip.
      await expectCellOpensCard(page);
      await card(page, 'list-ok').locator('> summary').click();
      assert.ok(await page.locator('#list-ok .statement').isVisible());
    });

    await t.test('a card opens by its URL hash', async () => {
      await load(page, '#list-limit-default');
      await page.locator('#list-limit-default .statement').waitFor({ state: 'visible' });
      assert.ok(await card(page, 'list-limit-default').locator('> summary').isVisible());
    });
  });
});

test('forty failures: the list of fixes begins on the first screen', async () => {
  await withPage(browser, renderPage(STATES['forty-failures']()), {}, ({ page }) => expectFixesFirst(page));
});

test('an interrupted run: its heading stands on the first screen, and exploration is a table, with classes folded', async () => {
  await withPage(browser, renderPage(STATES.interrupted()), {}, async (watched) => {
    await expectFixesFirst(watched.page, '#fix h2');
    await expectExploration(watched);
  });
});

test('an interrupted run, without scripts: exploration is a table, with classes folded', async () => {
  await withPage(browser, renderPage(STATES.interrupted()), { javaScriptEnabled: false }, expectExploration);
});
