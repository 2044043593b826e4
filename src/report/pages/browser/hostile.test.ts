import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import type { Browser } from '@playwright/test';
import { FILES, PLAYWRIGHT_PAGE } from '../../../log/files.js';
import { renderPage } from '../render-page.js';
import { hostileInput } from '../synthetic/hostile.test.support.js';
import { launchChromium, type Watched, withPage } from './chromium.test.support.js';

let browser: Browser;
before(async () => {
  browser = await launchChromium();
});
after(async () => {
  await browser?.close();
});

/** Characters that hide or reverse their neighbours, and two control characters. */
const HIDDEN = new Set([0x07, 0x1b, 0x202a, 0x202b, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]);

/** Opens and hovers everything that could trigger an attack. */
const PROVOKE = `
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  for (const element of document.querySelectorAll('body *'))
    for (const kind of ['mouseover', 'focus', 'load', 'error', 'animationstart'])
      element.dispatchEvent(new Event(kind));
`;

/** Fails if something of the target ran or asked for something, even though everything was provoked. */
async function expectNothingRan({ page, requests, events }: Watched): Promise<void> {
  await page.evaluate(PROVOKE);
  await page.waitForLoadState();
  assert.equal(await page.evaluate('window.pwned'), undefined);
  assert.deepEqual({ requests, events }, { requests: [], events: [] });
  assert.equal(await page.evaluate('location.pathname'), '/report.html');
}

test('the page executes and fetches nothing, shows hidden characters, and a long word does not widen it', async () => {
  await withPage(
    browser,
    renderPage(hostileInput()),
    { viewport: { width: 390, height: 844 } },
    async (watched) => {
      await expectNothingRan(watched);
      const { page } = watched;
      const text = String(await page.evaluate('document.body.textContent'));
      assert.equal(
        text.split('').find((character) => HIDDEN.has(character.charCodeAt(0))),
        undefined,
      );
      for (const label of ['U+202E', 'U+2066', 'U+0000', 'U+001B', 'U+D83D', 'U+2028'])
        assert.ok(text.includes(label), label);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
    },
  );
});

test('even without CSP the page contains only its own elements, attributes and links, and executes nothing', async () => {
  await withPage(browser, renderPage(hostileInput()), { bypassCSP: true }, async (watched) => {
    const found = await watched.page.evaluate(`({
      scripts: document.querySelectorAll('script').length,
      styles: document.querySelectorAll('style').length,
      foreign: document.querySelectorAll('img, iframe, object, embed, link, base, form, meta[http-equiv=refresh]').length,
      handlers: [...document.querySelectorAll('*')].flatMap((each) => each.getAttributeNames())
        .filter((name) => name.startsWith('on') || name === 'style' || name === 'srcdoc'),
      addresses: [...document.querySelectorAll('[href], [src], [action]')]
        .map((each) => each.getAttribute('href') ?? '').filter((address) => !address.startsWith('#')),
      shown: getComputedStyle(document.querySelector('h1')).display,
    })`);
    const beside = [
      FILES.log,
      FILES.results,
      FILES.junit,
      FILES.ctrf,
      FILES.har,
      FILES.summary,
      FILES.todo,
      PLAYWRIGHT_PAGE,
    ];
    assert.deepEqual(found, {
      scripts: 1,
      styles: 1,
      foreign: 0,
      handlers: [],
      addresses: beside,
      shown: 'block',
    });
    await expectNothingRan(watched);
  });
});

test('CSP blocks scripts, inline handlers and requests if escaping fails', async () => {
  const broken = renderPage(hostileInput()).replace(
    '</main>',
    '<script>window.pwned=1</script><img src="http://127.0.0.1:9/x" onerror="window.pwned=2"></main>',
  );
  await withPage(browser, broken, {}, async ({ page, requests }) => {
    assert.equal(await page.evaluate('window.pwned'), undefined);
    assert.deepEqual(requests, []);
  });
});
