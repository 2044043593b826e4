import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Answer } from '../../wire/exchange/types.js';
import { memoryJournal } from '../../log/journal.js';
import { judging } from '../../judge/checks/judging.js';
import { secret } from '../../wire/targets/secret.js';
import { loadAnswer, requestsOf, loadStore } from '../load/requests.js';
import type { Origin } from '../load/keeper.js';
import { DeferredChecks } from './deferred-checks.js';

const context = { basePath: '/v1', userAgent: 'kit', run: 'cafe0123', secret: secret('pk') };
const figures = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };
const origin: Origin = { profile: 'burst', key: 'free', figures, passive: true, inPassing: false };
const list = requestsOf('free', 'cafe0123', loadStore([]))('listPets');
const tools = judging();

const json = (status: number, value: unknown, ...more: readonly (readonly [string, string])[]): Answer => ({
  kind: 'response',
  status,
  headers: [['Content-Type', 'application/json'], ...more],
  text: JSON.stringify(value),
});

/** Returns the journal records of the checks of some responses. */
async function written(
  answers: readonly Answer[],
  from: Origin = origin,
  known: ConstructorParameters<typeof DeferredChecks>[2] = [],
  everyMs = 0,
) {
  const journal = memoryJournal();
  const checks = new DeferredChecks(tools, journal, known);
  for (const [index, answer] of answers.entries()) {
    const at = 1 + index * everyMs;
    const times = { intendedAt: at, sentAt: at, answeredAt: at + 1 };
    checks.take(loadAnswer(`l${index}`, list, context, times, answer), from);
  }
  await checks.drain();
  checks.close();
  return { records: journal.records, bodies: checks.refusalBodies };
}

const pet = { id: 1, name: 'Rex', categoryId: 3 };

const kindsOf = async (answers: readonly Answer[], everyMs = 0) =>
  (await written(answers, origin, [], everyMs)).records.flatMap((each) =>
    each.type === 'finding' ? [[each.finding.kind, each.finding.requirement]] : [],
  );

/** Returns what responses 10 ms apart say of the key. */
const charged = async (...answers: readonly Answer[]) =>
  (await kindsOf(answers, 10)).filter(([, row]) => row === 'auth-valid-key');

describe('deferred checks of load responses', () => {
  it('charges the refusal of a valid key between successes, and no ban, which lasts', async () => {
    const refused = (status: number): Answer =>
      json(status, { code: 'unauthorized', message: 'no such key', status });
    const fine = json(200, [pet]);
    assert.deepEqual(await charged(fine, refused(401), fine), [['violated', 'auth-valid-key']]);
    assert.deepEqual(await charged(fine, refused(403), fine, fine), [['violated', 'auth-valid-key']]);
    assert.deepEqual(await charged(fine, refused(403), refused(403)), []);
    assert.deepEqual(await charged(fine, refused(401), json(429, {}), fine), []);
    const unpassive = await written([fine, refused(403), fine], { ...origin, passive: false }, [], 10);
    assert.deepEqual(
      unpassive.records.filter(({ type }) => type === 'finding'),
      [],
    );
  });

  it('counts responses that satisfy a passive requirement', async () => {
    const { records } = await written([json(200, [pet]), json(200, [pet]), json(200, [])]);
    const tally = records.find((each) => each.type === 'tally' && each.requirement === 'pet-shape');
    assert.deepEqual(tally, {
      type: 'tally',
      requirement: 'pet-shape',
      profile: 'burst',
      kept: 2,
      answers: ['listPets 200'],
    });
    assert.ok(!records.some(({ type }) => type === 'exchange'));
  });

  it('reports the same fault at most three times, with its request', async () => {
    const { records } = await written(Array.from({ length: 500 }, () => json(200, [{ ...pet, id: '1' }])));
    const told = records.flatMap((each) => (each.type === 'finding' ? [each.finding] : []));
    assert.deepEqual(
      told.map(({ requirement }) => requirement),
      ['pet-shape', 'pet-shape', 'pet-shape'],
    );
    assert.match(JSON.stringify(told[0]), /under load, burst free, GET \/v1\/pets\?limit=1/);
  });

  it('does not judge a status code that replaces 429', async () => {
    const { records } = await written([json(503, {})], { ...origin, passive: false });
    assert.deepEqual(records, []);
    const judged = await written([json(503, {})]);
    assert.ok(
      judged.records.some(
        (each) => each.type === 'finding' && each.finding.requirement === 'declared-status',
      ),
    );
  });

  it('charges no status code again that a row of the suites is charged with', async () => {
    const times = { intendedAt: 1, sentAt: 1, answeredAt: 2 };
    const intent = { kind: 'expects', chargedTo: 'list-ok', statuses: [200] } as const;
    const known = [loadAnswer('x1', { ...list, intent }, context, times, json(203, [pet])).exchange];
    const rows = async (status: number) =>
      (await written([json(status, [pet])], origin, known)).records.flatMap((each) =>
        each.type === 'finding' ? [each.finding.requirement] : [],
      );
    assert.deepEqual(await rows(203), []);
    assert.deepEqual(await rows(202), ['declared-status']);
  });

  it('accepts 502, 503 and 504 within a moment as inconclusive, and reports two outages as violations', async () => {
    const violated = ['violated', 'declared-status'];
    for (const away of [json(502, {}), json(503, {}, ['Retry-After', '1']), json(504, {})]) {
      assert.deepEqual(await kindsOf([json(200, [pet]), away, away, json(200, [pet])], 1_000), [
        ['inconclusive', 'declared-status'],
      ]);
      assert.deepEqual(await kindsOf([away, json(200, [pet]), away], 60_000), [violated]);
      assert.deepEqual(await kindsOf([away, away, away, away], 4_000), [violated]);
    }
    assert.deepEqual(await kindsOf([json(500, {})], 1_000), [violated]);
  });

  it('reports a server error once, with its share of all responses', async () => {
    const { records } = await written([json(200, [pet]), json(500, {}), json(429, {}), json(500, {})]);
    const told = records.flatMap((each) => (each.type === 'finding' ? [each.finding] : []));
    assert.deepEqual(
      told.map((finding) => finding.kind === 'violated' && finding.actual),
      ['500 on 2 of 4 responses under load'],
    );
  });

  it('judges responses in passing immediately and others later', () => {
    for (const inPassing of [true, false]) {
      const journal = memoryJournal();
      const times = { intendedAt: 1, sentAt: 1, answeredAt: 2 };
      const answer = loadAnswer('l1', list, context, times, json(200, [{ ...pet, id: '1' }]));
      new DeferredChecks(tools, journal).take(answer, { ...origin, inPassing });
      assert.equal(journal.records.length > 0, inPassing);
    }
  });

  it('checks the body of every 429', async () => {
    const error = { code: 'rate_limited', message: 'too many', status: 429 };
    const { bodies } = await written([json(429, error), json(429, { ...error, status: 403 }), json(429, [])]);
    assert.deepEqual(
      bodies.map((body) => body.error),
      [true, false, false],
    );
  });
});
