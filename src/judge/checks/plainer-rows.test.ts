import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainerThan, rowOfListing } from './plainer-rows.js';
import { exchangeOf } from './exchange.test.support.js';

const listing = (chargedTo: 'list-ok' | 'list-limit-bounds', status: number) =>
  exchangeOf({ intent: { kind: 'expects', statuses: [200], chargedTo }, status });

test('a wrong status code of listings is charged to the plainest that had one', () => {
  const [plain, bound] = [listing('list-ok', 206), listing('list-limit-bounds', 206)];
  const sound = [listing('list-ok', 200), listing('list-limit-bounds', 200)];
  assert.equal(rowOfListing('declared-status', sound), 'declared-status');
  assert.equal(rowOfListing('declared-status', [...sound, bound]), 'list-limit-bounds');
  assert.equal(rowOfListing('declared-status', [bound, plain]), 'list-ok');
  assert.equal(rowOfListing('list-limit-bounds', [bound, plain]), 'list-ok');
  assert.equal(rowOfListing('list-ok', [bound, plain]), 'list-ok');
});

test('a listing that was rate-limited, refused for its key or not answered charges no row', () => {
  const others = [429, 401, 403].map((status) => listing('list-ok', status));
  assert.equal(
    rowOfListing('declared-status', [...others, exchangeOf({ none: 'timeout' })]),
    'declared-status',
  );
});

test('a wrong status code of a refusal is charged to the plainest request that got it', () => {
  assert.deepEqual(plainerThan('auth-bearer-only'), ['auth-missing-key', 'auth-invalid-key']);
  assert.deepEqual(plainerThan('auth-missing-key'), []);
  assert.deepEqual(plainerThan('create-ok'), []);
});
