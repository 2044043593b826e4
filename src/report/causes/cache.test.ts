import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AT, exchangeOf } from '../../judge/checks/exchange.test.support.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { RequirementResult } from '../../outcome/results/results.js';
import { cacheBefore } from './cache.js';
import { rateHeadersWith } from '../../base/interface/rate-headers.js';

const KEYLESS = { kind: 'none' } as const;

const listed = (
  path: string,
  remaining: number,
  credential: Exchange['credential'] = { kind: 'valid', plan: 'free' },
) =>
  exchangeOf({
    path,
    credential,
    headers: rateHeadersWith({ limit: 60, remaining, reset: AT / 1000 + 60 }),
  });

const failing = (exchanges: readonly Exchange[]): RequirementResult => ({
  id: 'auth-missing-key',
  level: 'must',
  part: 5,
  statement: '',
  outcome: 'failed',
  findings: [
    { message: 'a request without a key was answered 200', exchanges: exchanges.map(({ id }) => id) },
  ],
  evidence: 1,
});

const causeOf = (served: readonly Exchange[], keyless: readonly Exchange[]) =>
  cacheBefore({ requirements: [failing(keyless)], exchanges: [...served, ...keyless] });

test('a cache is suspected if keyless responses repeat a key’s Remaining and Reset', () => {
  const served = [listed('/v1/pets', 58), listed('/v1/pets/1', 57)];
  const keyless = [listed('/v1/pets', 58, KEYLESS), listed('/v1/pets/1', 57, KEYLESS)];
  const cause = causeOf(served, keyless);
  assert.equal(cause?.name, 'cache-before-service');
  assert.deepEqual(cause?.rows, ['auth-missing-key']);
});

test('a service without key check is not taken for a cache', () => {
  const served = [listed('/v1/pets', 58), listed('/v1/pets/1', 57)];
  for (const told of [
    [60, 60],
    [56, 55],
    [58, 58],
  ] as const)
    assert.equal(
      causeOf(served, [listed('/v1/pets', told[0], KEYLESS), listed('/v1/pets/1', told[1], KEYLESS)]),
      null,
    );
});
