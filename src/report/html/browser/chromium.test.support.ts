import { access } from 'node:fs/promises';
import { chromium } from '@playwright/test';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';

const CHROMIUM = '/usr/bin/chromium';

/** Debian's Chromium. Throws an Error that says how to get it when it is not there. */
export async function launchChromium(): Promise<Browser> {
  try {
    await access(CHROMIUM);
  } catch (cause) {
    throw new Error(`${CHROMIUM} is missing, and the page is tested in a real browser: apt-get install chromium`, {
      cause,
    });
  }
  return chromium.launch({ executablePath: CHROMIUM });
}

/** What a page did besides being shown. */
export interface Watched {
  readonly page: Page;
  /** Addresses that it asked for, its own left out. */
  readonly requests: string[];
  /** Dialogs, errors and complaints on the console. */
  readonly events: string[];
}

/** The address that a page under test has: never looked up, since the answer is given here. */
export const ADDRESS = 'http://127.0.0.1:9/report.html';

/** Shows a page, does something with it, and closes it again. */
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
      if (address.startsWith(ADDRESS)) await route.fulfill({ contentType: 'text/html; charset=utf-8', body: html });
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
