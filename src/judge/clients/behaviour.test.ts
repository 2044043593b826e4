import assert from 'node:assert/strict';
import { test } from 'node:test';
import { behaviourOf } from './behaviour.js';
import { recordOf, refused, sent } from './traffic.test.support.js';

const valueOf = (subject: string, ...exchanges: Parameters<typeof recordOf>[0]): string | undefined =>
  behaviourOf([recordOf(exchanges)]).find((each) => each.subject === subject)?.value;

test('a client’s behaviour is read from its longest chain of refusals', () => {
  assert.equal(
    valueOf('After a 429', refused('1', [0, 0]), refused('1', [1060, 1060]), sent({ at: [2180, 2181] })),
    'waits for Retry-After, then 60 ms and 120 ms; 3 tries',
  );
  assert.equal(valueOf('After a 429', refused('1', [0, 0])), 'does not send the request again');
  assert.equal(
    valueOf('After a 429', refused('2', [0, 0]), sent({ at: [500, 501] })),
    'waits 500 ms against Retry-After of 2 s; 2 tries',
  );
});

test('a client that gives up does not send the request again, whatever its next run sends', () => {
  const [subject, scenarios] = ['After a 429', [0, 5000].map((at) => recordOf([refused('1', [at, at])]))];
  assert.equal(
    behaviourOf(scenarios).find((each) => each.subject === subject)?.value,
    'does not send the request again',
  );
  assert.equal(
    behaviourOf([recordOf([refused('1', [0, 0]), refused('1', [1, 1], { connection: 'other' })])]).find(
      (each) => each.subject === subject,
    )?.value,
    'sends equal requests later',
  );
});

test('a request that is sent too early is told, not a longer chain of patient ones', () => {
  assert.equal(
    valueOf(
      'After a 429',
      refused('1', [0, 0]),
      refused('1', [1060, 1060]),
      sent({ at: [2180, 2181] }),
      refused('2', [10_000, 10_000]),
      sent({ at: [10_400, 10_401] }),
    ),
    'waits 400 ms against Retry-After of 2 s; 2 tries',
  );
});

test('what it does with creations, at a 503, and with its keys is noted', () => {
  const creation = { method: 'POST', body: '{"name":"Rex","categoryId":1}' };
  assert.equal(valueOf('Refused creations', refused('1', [0, 0], creation)), 'does not send them again');
  assert.equal(
    valueOf(
      'Refused creations',
      refused('1', [0, 0], creation),
      sent({ ...creation, status: 201, at: [1100, 1101] }),
    ),
    'sends them again',
  );
  assert.equal(
    valueOf('After a 503', sent({ status: 503 }), sent({ at: [10, 11] })),
    'sends the request again',
  );
  const agents = ['one/1', 'two/2'].map((agent, at) => {
    const exchange = sent({ at: [at * 10, at * 10 + 1] });
    return { ...exchange, request: { ...exchange.request, headers: [['User-Agent', agent]] as const } };
  });
  assert.equal(
    valueOf('One key', ...agents),
    'is used with 2 User-Agents: perhaps several clients, judged as one',
  );
  assert.equal(valueOf('Keys', sent(), sent({ key: { kind: 'plan', plan: 'pro' } })), 'free and pro');
});
