import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeAnswer } from './judge-answer.js';
import { newWorld, type World } from '../world/world.js';
import { worldAfter, worldOf } from '../world/world-after.js';
import type { RequirementId } from '../../base/interface/types.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { Finding } from '../findings/finding.js';
import { AT, createdOf, exchangeOf, judging, list, pageOf, pet } from './exchange.test.support.js';

const context = {
  ...judging,
  rates: { perMinute: 60, perDay: 1_000, minuteSeconds: 60, daySeconds: 86_400 },
};
const rowsOf = (findings: readonly Finding[]): string =>
  [...new Set(findings.flatMap((one) => (one.kind === 'violated' ? [one.requirement] : [])))].sort().join();

const census = pageOf(list(pet(1), pet(2), pet(3)), {
  path: '/v1/pets?limit=100',
  probe: 'GET /pets?limit=100',
});
const expects = (chargedTo: RequirementId, ...statuses: number[]) =>
  ({ kind: 'expects', statuses, chargedTo }) as const;
const error = (status: number) => ({ status, text: `{"code":"x","message":"x","status":${status}}` });
const fetched = (id: number, given: Parameters<typeof exchangeOf>[0]) =>
  exchangeOf({ operation: 'getPet', path: `/v1/pets/${id}`, intent: expects('get-ok', 200), ...given });
const listedAt = (path: string, given: Parameters<typeof exchangeOf>[0]) =>
  exchangeOf({ path: `/v1${path}`, ...given });
const BIG = '9007199254740993';
const sent = { name: 'Rex 4', categoryId: '1', status: 'available' } as const;
const createdAs = (text: string, given: Parameters<typeof exchangeOf>[0] = {}) =>
  createdOf(text, given).exchange;

interface Case {
  readonly exchange: Exchange;
  readonly sent?: { readonly name: string; readonly categoryId: string; readonly status?: 'available' };
  readonly asked?: string;
  readonly before?: readonly Exchange[];
}

function judged({ exchange, sent: body, asked, before = [] }: Case): string {
  const world = [census.exchange, ...before].reduce<World>(
    (so, one) => worldAfter(so, one, sent),
    newWorld(context),
  );
  const { findings, disputed } = judgeAnswer(exchange, { id: asked, sent: body }, world, context);
  return [rowsOf(findings), ...(disputed ? [`fetch ${disputed}`] : [])].filter(Boolean).join(' ');
}

const CASES: readonly (readonly [what: string, rows: string, of: Case])[] = [
  ['a sound listing', '', { exchange: listedAt('/pets', { text: list(pet(1), pet(2), pet(3)) }) }],
  ['a listing with 500', 'list-ok', { exchange: listedAt('/pets', error(500)) }],
  [
    'a filter with 500',
    'declared-status',
    {
      exchange: listedAt('/pets?status=sold', {
        ...error(500),
        intent: { kind: 'declared', statuses: [200] },
      }),
    },
  ],
  ['a listing with 418', 'list-ok', { exchange: listedAt('/pets', error(418)) }],
  ['a listing with 401', 'auth-valid-key', { exchange: listedAt('/pets', error(401)) }],
  ['a listing with 429', '', { exchange: listedAt('/pets', error(429)) }],
  ['no response', '', { exchange: listedAt('/pets', { none: 'timeout' }) }],
  ['an envelope', 'pets-array', { exchange: listedAt('/pets', { text: '{"pets":[]}' }) }],
  [
    'too many animals',
    'list-limit-max-items',
    { exchange: listedAt('/pets?limit=1', { text: list(pet(1), pet(2)) }) },
  ],
  ['an id twice', 'pet-id-unique', { exchange: listedAt('/pets', { text: list(pet(1), pet(1)) }) }],
  ['a listed id beyond int64', 'pet-int64', { exchange: listedAt('/pets', { text: list(pet(BIG + BIG)) }) }],
  [
    'another name than listed before',
    'fetch 1',
    { exchange: listedAt('/pets', { text: list(pet(2), pet(1).replace('Rex', 'Tom'), pet(3)) }) },
  ],
  [
    'another name than fetched before',
    'list-matches-get',
    {
      exchange: listedAt('/pets', { text: list(pet(2), pet(1).replace('Rex', 'Tom'), pet(3)) }),
      before: [fetched(1, { text: pet(1) })],
    },
  ],
  [
    'another name than created',
    'list-matches-created',
    {
      exchange: listedAt('/pets', { text: list(pet(1), pet(2), pet(3), pet(4).replace('Rex', 'Tom')) }),
      before: [createdAs(pet(4))],
    },
  ],
  [
    'a listing that lacks a creation',
    '',
    {
      exchange: listedAt('/pets', {
        text: list(pet(1), pet(2), pet(3)),
        sentAt: Date.parse('2026-11-20T10:00:09Z'),
      }),
      before: [createdAs(pet(4))],
    },
  ],
  [
    'a listing that lacks an animal from before',
    '',
    { exchange: listedAt('/pets', { text: list(pet(1), pet(2)) }) },
  ],
  ['a sound fetch', '', { exchange: fetched(1, { text: pet(1) }), asked: '1' }],
  ['a fetch with 404', 'get-until-removal', { exchange: fetched(1, error(404)), asked: '1' }],
  [
    'a fetch with 404 after one with 200',
    'get-ok',
    { exchange: fetched(1, error(404)), asked: '1', before: [fetched(2, { text: pet(2) })] },
  ],
  [
    'a fetch with 404 of an animal that others added a moment ago',
    '',
    { exchange: fetched(9, error(404)), asked: '9', before: [listedAt('/pets', { text: list(pet(9)) })] },
  ],
  [
    'a later fetch with 404 of an animal that others added',
    'get-until-removal',
    {
      exchange: fetched(9, { ...error(404), sentAt: AT + 3_000 }),
      asked: '9',
      before: [listedAt('/pets', { text: list(pet(9)) })],
    },
  ],
  [
    'a fetch with 404 of a creation',
    '',
    { exchange: fetched(4, error(404)), asked: '4', before: [createdAs(pet(4))] },
  ],
  ['a fetch with 500', 'get-ok', { exchange: fetched(1, error(500)), asked: '1' }],
  ['a fetch with 501', 'get-until-removal', { exchange: fetched(1, error(501)), asked: '1' }],
  ['a fetch with 403', 'auth-valid-key', { exchange: fetched(1, error(403)), asked: '1' }],
  ['a fetch of another animal', 'get-ok', { exchange: fetched(1, { text: pet(2) }), asked: '1' }],
  [
    'a fetch of another animal instead of a creation',
    'get-matches-created',
    { exchange: fetched(4, { text: pet(2) }), asked: '4', before: [createdAs(pet(4))] },
  ],
  [
    'a fetch with another name than listed',
    'list-matches-get',
    { exchange: fetched(1, { text: pet(1).replace('Rex', 'Tom') }), asked: '1' },
  ],
  [
    'a fetch with another status than listed',
    '',
    { exchange: fetched(1, { text: pet(1, '"status":"sold"') }), asked: '1' },
  ],
  [
    'a fetch with another name than created',
    'get-matches-created',
    {
      exchange: fetched(4, { text: pet(4).replace('Rex', 'Tom') }),
      asked: '4',
      before: [createdAs(pet(4))],
    },
  ],
  [
    'a fetched category beyond int64',
    'pet-int64',
    {
      exchange: fetched(1, { text: pet(1).replace('"categoryId":1', `"categoryId":${BIG}${BIG}`) }),
      asked: '1',
    },
  ],
  ['a sound creation', '', { exchange: createdAs(pet(4)), sent }],
  ['a creation with 200', 'create-ok', { exchange: createdAs(pet(4), { status: 200 }), sent }],
  ['a creation with 400', 'create-ok', { exchange: createdAs('', error(400)), sent }],
  ['a creation with 503', 'create-ok', { exchange: createdAs('', error(503)), sent }],
  [
    'another name in the response',
    'created-pet-echo',
    { exchange: createdAs(pet(4).replace('Rex', 'Tom')), sent },
  ],
  [
    'another category in the response',
    'created-pet-echo',
    { exchange: createdAs(pet(4).replace('"categoryId":1', '"categoryId":2')), sent },
  ],
  [
    'a category that lost its digits',
    'pet-int64',
    {
      exchange: createdAs(pet(4).replace('"categoryId":1', '"categoryId":9007199254740992')),
      sent: { ...sent, categoryId: BIG },
    },
  ],
  [
    'another status in the response',
    'created-pet-echo',
    { exchange: createdAs(pet(4, '"status":"sold"')), sent },
  ],
  [
    'a creation with an id of before',
    'pet-id-unique',
    { exchange: createdAs(pet(3), { sentAt: AT + 1_000 }), sent: { ...sent, name: 'Rex 3' } },
  ],
  [
    'a creation with an id that a listing showed meanwhile',
    '',
    { exchange: createdAs(pet(3)), sent: { ...sent, name: 'Rex 3' } },
  ],
  [
    'a creation with the id of one beside it',
    'pet-id-unique',
    { exchange: createdAs(pet(4)), sent, before: [createdAs(pet(4))] },
  ],
  [
    'a created id beyond int64',
    'pet-int64',
    { exchange: createdAs(pet(BIG + BIG)), sent: { ...sent, name: `Rex ${BIG}${BIG}` } },
  ],
];

for (const [what, rows, of] of CASES)
  test(`${what} violates ${rows === '' ? 'nothing' : rows}`, () => assert.equal(judged(of), rows));

test('what a response meets by comparison is reported', () => {
  const world = worldOf([census.exchange], context);
  const { held } = judgeAnswer(fetched(1, { text: pet(1) }), { id: '1' }, world, context);
  assert.deepEqual(held, ['pet-int64', 'get-ok', 'list-matches-get']);
});

test('an id that load only met counts for new ids', () => {
  const world = { ...newWorld(context), met: new Set(['4']) };
  assert.equal(rowsOf(judgeAnswer(createdAs(pet(4)), { sent }, world, context).findings), 'pet-id-unique');
});
