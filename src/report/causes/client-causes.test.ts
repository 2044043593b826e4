import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClientExchange } from '../../wire/exchange/client-exchange.js';
import { recordOf, refused, sent, START } from '../../judge/clients/traffic.test.support.js';
import { adviceFor, clientCauses } from './client-causes.js';
import { CLIENT_SETTINGS, settingFor } from './client-settings.js';

const red = (id: 'client-waits' | 'client-int64' | 'client-does-not-hammer') =>
  ({ id, outcome: 'failed' }) as const;

/** Returns the cause of waits that are too short. */
const causeOf = (...exchanges: readonly ClientExchange[]): string | undefined =>
  clientCauses([red('client-waits'), red('client-does-not-hammer')], [recordOf(exchanges)])[0]?.title;

/** Returns one request that is refused again after each wait, ms. */
const again = (retryAfter: string, waits: readonly number[]): readonly ClientExchange[] => {
  let at = 0;
  return [0, ...waits].map((wait) => refused(retryAfter, [(at += wait), at]));
};

/** Returns one request, long after the others, that is refused and sent again after a wait, ms. */
function later(retryAfter: string, wait: number): readonly ClientExchange[] {
  const [at, target] = [100_000 + wait * 10, `/v1/pets?limit=${wait}`];
  return [
    refused(retryAfter, [at, at + 1], { target }),
    sent({ target, at: [at + 1 + wait, at + 2 + wait] }),
  ];
}

describe('what a client’s mistake looks like', () => {
  test('each common mistake is recognized by its waits, and no other is guessed', () => {
    assert.match(causeOf(...again('2', [3, 5, 4])) ?? '', /immediately/);
    const next = sent({ target: '/v1/pets?limit=9', at: [500, 501] });
    assert.match(causeOf(...again('2', [3, 5, 4]), next) ?? '', /immediately/, 'whatever it does next');
    assert.match(causeOf(...again('20', [1000, 2000, 4000])) ?? '', /own schedule \(1 s, 2 s, 4 s\)/);
    assert.match(causeOf(...again('20', [300, 310, 305])) ?? '', /the same time each time/);
    assert.match(causeOf(...again('2', [1500, 1900])) ?? '', /rounds Retry-After down/);
    assert.equal(causeOf(...again('20', [5000, 300, 9000])), undefined);
    const between = sent({ target: '/v1/pets?limit=9', at: [116_700, 116_701] });
    const half = [...again('1', [520, 505, 500]), ...later('3', 1_500), ...later('2', 1_040), between];
    assert.match(causeOf(...half) ?? '', /only a part of Retry-After: about 51 %/);
    const odd = [...again('10', [500, 505, 500]), ...later('10', 4_000)];
    assert.equal(causeOf(...odd), undefined, 'a wait that is no part of a fixed time');
    const other = { connection: 'c1', target: '/v1/pets?limit=2' };
    assert.match(
      causeOf(refused('2', [0, 10]), sent({ ...other, at: [400, 401] })) ?? '',
      /other requests with the same key/i,
    );
    const date = new Date(START + 9000).toUTCString();
    const byDate = [refused('1', [0, 10]), refused(date, [1020, 1030]), sent({ at: [1400, 1401] })];
    assert.match(causeOf(...byDate) ?? '', /not as a date/);
  });

  test('hammering has the cause of the waits, which say it, and a green client has none', () => {
    const [cause] = clientCauses(
      [red('client-does-not-hammer'), red('client-waits')],
      [recordOf(again('2', [3, 5, 4]))],
    );
    assert.deepEqual(cause?.rows, ['client-waits', 'client-does-not-hammer']);
    assert.deepEqual(clientCauses([{ id: 'client-waits', outcome: 'passed' }], [recordOf([])]), []);
    assert.match(clientCauses([red('client-int64')], [])[0]?.title ?? '', /doubles/);
  });

  test('a red row is mended in one or two lines, with the setting of the library that the User-Agent names', () => {
    assert.match(adviceFor(red('client-waits'), ['node'])[0] ?? '', /Date\.parse/);
    assert.deepEqual(
      adviceFor(red('client-int64'), ['axios/1.7.2', 'axios/1.7.2']).map((line) => line.includes('axios')),
      [false, true],
    );
    assert.equal(adviceFor(red('client-int64'), ['Go-http-client/1.1']).length, 1);
    assert.deepEqual(adviceFor({ id: 'client-waits', outcome: 'passed' }, ['axios/1']), []);
    assert.deepEqual(adviceFor({ id: 'pet-shape', outcome: 'failed' }, ['axios/1']), []);
  });

  test('a User-Agent names its library by its whole first word', () => {
    for (const { agent, settings, library } of CLIENT_SETTINGS)
      for (const row of Object.keys(settings) as (keyof typeof settings)[])
        assert.match(settingFor(`${agent}/1.0`, row) ?? '', new RegExp(`^With ${library}: .*\\.$`));
    assert.match(settingFor('got (https://github.com/sindresorhus/got)', 'client-int64') ?? '', /^With got/);
    assert.match(settingFor('node', 'client-int64') ?? '', /^With fetch/);
    for (const agent of ['gothic/1', 'nodejs-thing/2', '', 'x axios/1'])
      assert.equal(settingFor(agent, 'client-int64'), null, agent);
  });
});
