import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import type { Browser, Page } from '@playwright/test';
import { renderPage } from '../render-page.js';
import { STATES } from '../synthetic/states.test.support.js';
import { launchChromium, withPage } from './chromium.test.support.js';

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

// A page costs more than a second of the processor, so one page serves what needs the same address and scripts.

/** Opens a card by its cell of the map, with the keyboard. */
async function expectCellOpensCard(page: Page): Promise<void> {
  const cell = page.locator('a.cell[data-id="list-limit-default"]');
  assert.equal(await cell.getAttribute('aria-label'), 'list-limit-default: failed, newly failing');
  await cell.focus();
  assert.ok(await cell.locator('.tip').isVisible());
  await page.keyboard.press('Enter');
  await page.locator('#list-limit-default .statement').waitFor({ state: 'visible' });
}

test('a cell of the map opens its card by keyboard', async () => {
  await withPage(browser, html, {}, ({ page }) => expectCellOpensCard(page));
});

test('a card opens by its URL hash without scripts', async () => {
  await withPage(browser, html, { javaScriptEnabled: false, hash: '#list-limit-default' }, async ({ page }) => {
    await page.locator('#list-limit-default .statement').waitFor({ state: 'visible' });
    assert.ok(await card(page, 'list-limit-default').locator('> summary').isVisible());
  });
});

/** A desk and a phone, px. */
const VIEWPORTS = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

for (const state of ['one-failure', 'forty-failures', 'interrupted'] as const)
  test(`the list of fixes begins on the first screen: ${state}`, async () => {
    await withPage(browser, renderPage(STATES[state]()), {}, async ({ page }) => {
      for (const viewport of VIEWPORTS) {
        await page.setViewportSize(viewport);
        const box = await page.locator(state === 'interrupted' ? '#fix h2' : '#fix .lines li >> nth=0').boundingBox();
        const end = box && box.y + box.height;
        assert.ok(end !== null && end <= viewport.height, `ends at ${end}, ${viewport.width} px wide`);
        assert.ok(await page.locator('#about dl.facts').isVisible());
      }
    });
  });

test('without scripts only the tools are missing, and a cell opens its card', async () => {
  await withPage(browser, html, { javaScriptEnabled: false }, async ({ page }) => {
    for (const id of ['fix', 'map', 'limits', 'requirements', 'left-open', 'how-far-to-trust'])
      assert.ok(await page.locator(`#${id} > h2`).isVisible(), id);
    assert.equal(await page.locator('.tools').isVisible(), false);
    assert.equal(await page.locator('details.card:visible').count(), await page.locator('details.card').count());
    // Before a click: after one, focus shows no tip.
    await expectCellOpensCard(page);
    await card(page, 'list-ok').locator('> summary').click();
    assert.ok(await page.locator('#list-ok .statement').isVisible());
  });
});

for (const javaScriptEnabled of [true, false])
  test(`exploration shows a table of kinds, with classes folded, scripts ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
    const explored = renderPage(STATES.interrupted());
    await withPage(browser, explored, { javaScriptEnabled }, async ({ page, events }) => {
      const section = page.locator('#explored');
      assert.match(await section.innerText(), /120 of 400 requests, seed 7: found 1 story, ended early: interrupted/);
      assert.equal(await section.locator('table:visible tbody tr').count(), 14);
      assert.equal(await section.locator('pre.wire:visible').count(), 0);
      await section.getByText('As curl lines').click();
      assert.equal(await section.locator('pre.wire:visible').count(), 2);
      await section.getByText('Each class, with figures').click();
      assert.ok(await section.getByText('half a surrogate pair').last().isVisible());
      assert.deepEqual(events, []);
    });
  });

test('the slash key focuses the filter; the URL contains filter and open card', async () => {
  await withPage(browser, html, {}, async ({ page, events }) => {
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
    assert.equal(await page.locator('details.card:visible').count(), await page.locator('details.card').count());
    assert.deepEqual(events, []);
  });
  await withPage(browser, html, { hash: '#list-limit-default&q=limit' }, async ({ page }) => {
    assert.equal(await page.locator('#filter').inputValue(), 'limit');
    assert.equal(await isOpen(page, 'list-limit-default'), true);
    assert.equal(await card(page, 'auth-challenge').isVisible(), false);
  });
});

test('a link to a card hidden by the filter clears the filter', async () => {
  await withPage(browser, html, { hash: '#q=authentication' }, async ({ page }) => {
    await page.locator('#fix a[href="#list-limit-default"]').click();
    await page.locator('#list-limit-default .statement').waitFor({ state: 'visible' });
    assert.equal(await page.locator('#filter').inputValue(), '');
  });
});

test('a card opens by its URL hash; its button copies the curl line; another changes the theme', async () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  await withPage(browser, html, { permissions, hash: '#list-limit-default' }, async ({ page }) => {
    await page.locator('#list-limit-default .statement').waitFor({ state: 'visible' });
    const button = page.locator('#list-limit-default button.copy').first();
    await button.click();
    await page.waitForFunction('document.querySelector("#list-limit-default button.copy").textContent === "Copied"');
    assert.match(
      String(await page.evaluate('navigator.clipboard.readText()')),
      /^curl .*\$PETSTORE_KEY.*staging\.example\.com/s,
    );
    const paper = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    const before = await paper();
    await page.locator('#theme').click();
    await page.locator('#theme').click();
    assert.notEqual(await paper(), before);
  });
});
