import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FAMILIES, familyOf } from '../../base/interface/families.js';
import type { RequirementId } from '../../base/interface/types.js';
import { broken, PLAIN, simulate } from '../../testing/simulated/simulate.js';
import { strictPacer, smallBucket } from '../../testing/limiters/limiters.js';
import { MISCOUNTING } from './flawed-counting.test.support.js';
import { WRONG_HEADERS } from './flawed-headers.test.support.js';
import { WRONG_WINDOWS } from './flawed-windows.test.support.js';
import { SOUND } from './sound.test.support.js';

describe('a limiter of few requests at once', () => {
  for (const [name, row, behaviour] of [
    ['a pacer of one request', 'rate-all-operations', { make: strictPacer }],
    ['a bucket of a third', 'rate-all-operations', { make: smallBucket }],
  ] as const)
    it(`keeps ${row}: ${name}`, async () => {
      const around = { ...PLAIN, latencyMs: 0.4, jitterMs: 0.1 };
      const { findings } = await simulate(behaviour, around);
      const kinds = findings.filter(({ requirement }) => requirement === row).map(({ kind }) => kind);
      assert.ok(kinds.includes('kept') && !kinds.includes('violated'), kinds.join());
    });
});

describe('a limiter with one mistake turns a row of its family red, and no other', () => {
  const flawed = { ...MISCOUNTING, ...WRONG_WINDOWS, ...WRONG_HEADERS };
  for (const [name, { behaviour, row, also = [], around = {}, isOpen = false }] of Object.entries(flawed))
    it(`${name}: ${row}`, async () => {
      const { findings } = await simulate(behaviour(), { ...PLAIN, ...around });
      const red = broken(findings) as readonly RequirementId[];
      const family = familyOf(row);
      const rows: readonly RequirementId[] = family === null ? [row] : FAMILIES[family];
      const isSaid = findings.some(
        ({ kind, requirement }) => requirement === row && (kind === 'inconclusive' || kind === 'untried'),
      );
      assert.ok(red.some((id) => rows.includes(id)) || (isOpen && isSaid), red.join());
      assert.deepEqual(
        red.filter((id) => !rows.includes(id) && !also.includes(id)),
        [],
      );
    });
});

describe('manners of the questions', () => {
  for (const [name, { behaviour, around = {} }] of Object.entries(SOUND))
    it(`a key meets at most eight refusals in a row, and no row is red: ${name}`, async () => {
      const { findings, mostRefused } = await simulate(behaviour, { ...PLAIN, ...around });
      assert.deepEqual(broken(findings), []);
      assert.ok(Math.max(...mostRefused.values()) <= 8, JSON.stringify([...mostRefused]));
    });

  it('a Free key gets at most 300 requests, in less than five windows', async () => {
    const sound = SOUND['fixed window from the first request'];
    assert.ok(sound !== undefined);
    const { requests, seconds } = await simulate(sound.behaviour, PLAIN);
    assert.ok((requests.get('free') ?? 0) <= 300, String(requests.get('free')));
    assert.ok(seconds < 5 * PLAIN.minuteSeconds, String(seconds));
  });
});
