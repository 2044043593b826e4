import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chargedToPlainest } from '../../judge/checks/plainer-rows.js';
import { judgeService } from '../../judge/service/judge-service.js';
import type { RequirementId } from '../../base/interface/types.js';
import { TRAFFIC_ROWS } from '../../judge/service/rows.js';
import { isViolated } from '../../judge/findings/finding.js';
import { flaws, mayTurn, startAltered, variants, type AlteredOptions } from '../../proof/index.js';
import { shownExchange } from '../../wire/exchange/client-exchange.js';
import { fileOf } from '../../wire/har/har.test.support.js';
import { readHar } from '../../wire/har/read-har.js';
import { ordinaryTraffic } from './har-client.test.support.js';

/** Rows that a status breaks. */
const STATUS_ROWS: ReadonlySet<RequirementId> = new Set([
  'declared-status',
  'list-ok',
  'create-ok',
  'get-ok',
]);

/** Traffic does not show which ids have no animal: what comes with 200 is judged as an animal. */
const isTakenForAnimal = (row: RequirementId, turns: readonly RequirementId[]): boolean =>
  row === 'pet-shape' && turns.includes('get-unknown');

async function redRows(t: Parameters<typeof fileOf>[0], options: Partial<AlteredOptions>) {
  // A file names no window, so the judge takes the minute for a real one.
  await using server = await startAltered({ animals: 48, ...options, minuteSeconds: 60 });
  const har = await ordinaryTraffic(server.baseUrl, server.keys.business);
  let count = 0;
  const { traffic } = await readHar({
    file: fileOf(t, har),
    baseUrl: server.baseUrl,
    keys: {},
    nextId: () => `t${(count += 1)}`,
    onExchange: () => undefined,
  });
  const exchanges = traffic.exchanges.map((exchange) => shownExchange(exchange, traffic));
  // As a log is read: each mistake is charged once.
  return chargedToPlainest(judgeService([traffic]), { exchanges, isJudged: () => true }).filter(isViolated);
}

describe('an ordinary client’s traffic', () => {
  test('turns no row of a sound server red', async (t) => {
    assert.deepEqual(await redRows(t, {}), []);
    // A server of another day is judged by that day.
    for (const { name, options, warns } of variants.filter(({ asOf }) => asOf === undefined)) {
      const red = await redRows(t, { ...options, variants: [name] });
      assert.deepEqual(
        red.filter(({ requirement }) => !warns.includes(requirement)),
        [],
        name,
      );
    }
  });

  test('turns only rows red that a flaw breaks', async (t) => {
    let caught = 0;
    for (const flaw of flaws) {
      const { name, options } = flaw;
      const allowed = mayTurn(flaw);
      // Traffic shows some faults only by their status.
      const isBeyond = !flaw.turns.some((row) => TRAFFIC_ROWS.has(row));
      const red = await redRows(t, { ...options, flaws: [name] });
      if (red.length > 0) caught += 1;
      const wrong = red.filter(
        (finding) =>
          !allowed.has(finding.requirement) &&
          !isTakenForAnimal(finding.requirement, flaw.turns) &&
          !(
            STATUS_ROWS.has(finding.requirement) &&
            (isBeyond || (finding.kind === 'violated' && finding.warns))
          ),
      );
      assert.deepEqual(wrong, [], name);
    }
    assert.ok(caught > 120, `${caught} flaws show in ordinary traffic`);
  });
});
