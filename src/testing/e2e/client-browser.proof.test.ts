import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import type { ClientScenario } from '../../base/interface/names.js';
import { play } from '../../drive/client-scenarios/play.js';
import { scenarioOf } from '../../drive/client-scenarios/scenarios.js';
import { judgeClient } from '../../judge/clients/judge-client.js';
import { launchChromium } from '../../report/pages/browser/chromium.test.support.js';
import type { ClientExchange, Traffic } from '../../wire/exchange/client-exchange.js';

const SCENARIOS: readonly ClientScenario[] = ['limited', 'limited-by-date', 'limited-in-parallel'];

/**
 * Calls ten listings together. A patient page waits for each one's Retry-After, and some of its listings are
 * equal. An impatient one waits 10 ms, many times, and its listings differ: then a repetition within the wait
 * is certain, however slowly a busy machine's browser sends its queue.
 */
const CALLS = `async ({ baseUrl, key, isPatient }) => {
  async function call(path, attempt = 0) {
    const response = await fetch(baseUrl + path, { headers: { Authorization: 'Bearer ' + key } });
    if (response.status !== 429 || attempt > (isPatient ? 4 : 40)) return response.status;
    const after = response.headers.get('Retry-After');
    const wait = /^\\d+$/.test(after) ? after * 1000 : Date.parse(after) - Date.now();
    await new Promise((done) => setTimeout(done, isPatient ? wait + 80 * 2 ** attempt : 10));
    return call(path, attempt + 1);
  }
  return Promise.all(Array.from({ length: 10 }, (_, nth) => call('/pets?limit=' + (isPatient ? (nth % 3) + 1 : nth + 1))));
}`;

test('a page that calls more than its browser sends at once is not blamed for the queue, only for its own haste', async (t) => {
  const site = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end('<title>app</title>'),
  );
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  t.after(() => site.close());
  const address = site.address();
  const home = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
  const browser = await launchChromium();
  try {
    const judged = async (isPatient: boolean): Promise<boolean> => {
      const records = await Promise.all(
        SCENARIOS.map(async (name): Promise<Traffic> => {
          const exchanges: ClientExchange[] = [];
          const key = 'pk0b7c55e19fd24a3386';
          await using stage = await play(scenarioOf(name), {
            key,
            nextId: () => `t${exchanges.length + 1}`,
            onExchange: (exchange) => void exchanges.push(exchange),
          });
          const page = await browser.newPage();
          await page.goto(home);
          await page.evaluate(`(${CALLS})(${JSON.stringify({ baseUrl: stage.baseUrl, key, isPatient })})`);
          await page.close();
          return { ...stage.facts, exchanges, end: await stage.end(true) };
        }),
      );
      return judgeClient(records, ['client-waits']).some(({ kind }) => kind === 'violated');
    };
    assert.equal(await judged(true), false);
    assert.equal(await judged(false), true);
  } finally {
    await browser.close();
  }
});
