import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeUnderLoad } from '../../proof/selftest/without-suites.js';
import { startBareHttp } from './bare-http-server.js';
import { startExpress } from './express-server.js';
import { startFastify } from './fastify-server.js';
import type { ForeignOptions, ForeignServer } from './foreign-server.js';
import { isOpenBySlowness } from '../e2e/support/results.js';
import { targetOf } from './judged.js';

/**
 * In a minute of 5 s, headers in whole seconds still mean something. A busy machine sends 300 requests in a
 * small part of it, but perhaps not 1000. Requests spread over a window show little about its edges.
 */
const OPTIONS: ForeignOptions = { minuteSeconds: 5 };

interface Expected {
  readonly failed: readonly string[];
  readonly open: readonly string[];
}

async function assertUnderLoad(
  start: (options: ForeignOptions) => Promise<ForeignServer>,
  expected: Expected,
): Promise<void> {
  const server = await start(OPTIONS);
  try {
    const trial = {
      plans: ['free', 'pro'],
      includes: [],
    } as const;
    const { requirements } = await judgeUnderLoad(targetOf(server, 'business', OPTIONS), trial);
    const having = (...outcomes: readonly string[]) =>
      requirements.filter(({ outcome }) => outcomes.includes(outcome));
    const idsOf = (rows: typeof requirements) => rows.map(({ id }) => id);
    const shown = (rows: typeof requirements) =>
      JSON.stringify(rows.map(({ id, findings, reason }) => ({ id, findings, reason })));
    const red = having('failed', 'warned', 'error');
    assert.deepEqual(idsOf(red), expected.failed, shown(red));
    // On a busy machine more is open, and says why; nothing more is red.
    if (requirements.some(isOpenBySlowness)) return;
    const open = having('inconclusive');
    assert.deepEqual(idsOf(open), expected.open, shown(open));
    assert.ok(idsOf(having('passed')).includes('rate-429'));
  } finally {
    await server.close();
  }
}

/** Each mostly waits for its windows to end. */
describe('servers of three kinds under load', { concurrency: true }, () => {
  it('Express with express-rate-limit keeps every limit', () =>
    assertUnderLoad(startExpress, { failed: [], open: [] }));

  it('a sliding log over node:http keeps every limit', () =>
    assertUnderLoad(startBareHttp, { failed: [], open: [] }));

  it('Fastify with @fastify/rate-limit keeps the limits and sends Reset in seconds from now', () =>
    assertUnderLoad(startFastify, { failed: ['rate-headers-wellformed'], open: ['rate-reset-truthful'] }));
});
