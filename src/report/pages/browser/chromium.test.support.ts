import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContextOptions, type Page } from '@playwright/test';

const CHROMIUM = '/usr/bin/chromium';

/** Variable with the address of the browser that all test files share; a file that runs by itself has none. */
const SHARED = 'PETSTORE_TESTS_BROWSER';
// Read first: a command that runs in a test's process replaces the environment.
const sharedAt = process.env[SHARED];

/**
 * Returns Debian's Chromium: the one that the test files share, or a new one. `close` ends the contexts of
 * this connection, and a new one. Throws an Error with the remedy if it is missing.
 */
export async function launchChromium(): Promise<Browser> {
  if (sharedAt !== undefined) return chromium.connect(sharedAt);
  return chromium.launch({ executablePath: await installed() });
}

/** Starts the Chromium that test processes started from here on share. Resolves with how to end it. */
export async function shareChromium(): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({ executablePath: await installed(), host: '127.0.0.1' });
  process.env[SHARED] = server.wsEndpoint();
  return () => server.close();
}

async function installed(): Promise<string> {
  try {
    await access(CHROMIUM);
  } catch (cause) {
    throw new Error(
      `${CHROMIUM} is missing, and the page is tested in a real browser: apt-get install chromium`,
      {
        cause,
      },
    );
  }
  return CHROMIUM;
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** axe-core's colour rules: the themes differ only in colours. */
const OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/** A violated axe-core rule, and its place. */
export interface Fault {
  readonly rule: string;
  readonly where: readonly string[];
}

/**
 * Returns serious and critical axe-core findings: by all rules in the light theme, by colour rules in the
 * dark one.
 */
export async function seriousFaults(page: Page): Promise<readonly Fault[]> {
  await page.addScriptTag({ path: AXE });
  const inTheme = async (colorScheme: 'light' | 'dark', options: object): Promise<readonly Fault[]> => {
    await page.emulateMedia({ colorScheme });
    return page.evaluate(`axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...options })})
      .then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => ({ rule: id, where: nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)) })))`);
  };
  return [...(await inTheme('light', {})), ...(await inTheme('dark', { runOnly: OF_COLOUR }))];
}

/** Side effects of a page. */
export interface Watched {
  readonly page: Page;
  /** Requested addresses, except its own. */
  readonly requests: string[];
  /** Dialogs, errors and console messages. */
  readonly events: string[];
}

/** Address of the page under test. No request reaches it, because the test serves the response. */
export const ADDRESS = 'http://127.0.0.1:9/report.html';

/** Opens a page, runs an action on it, and closes it. */
export async function withPage<Result>(
  browser: Browser,
  html: string,
  options: BrowserContextOptions & { readonly hash?: string },
  use: (watched: Watched) => Promise<Result>,
): Promise<Result> {
  const { hash = '', ...contextOptions } = options;
  const context = await browser.newContext(contextOptions);
  try {
    const page = await context.newPage();
    const requests: string[] = [];
    const events: string[] = [];
    page.on('dialog', (dialog) => {
      events.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('pageerror', (error) => events.push(`error: ${error.message}`));
    page.on('console', (message) => events.push(`console: ${message.text()}`));
    await context.route('**/*', async (route) => {
      const address = route.request().url();
      if (address.startsWith(ADDRESS))
        await route.fulfill({ contentType: 'text/html; charset=utf-8', body: html });
      else {
        requests.push(address);
        await route.abort();
      }
    });
    await page.goto(ADDRESS + hash);
    return await use({ page, requests, events });
  } finally {
    await context.close();
  }
}
