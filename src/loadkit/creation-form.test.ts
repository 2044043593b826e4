import assert from 'node:assert/strict';
import test from 'node:test';
import * as fc from 'fast-check';
import type { PlanName } from '../base/interface/types.js';
import { figuresOf } from '../drive/load/figures.js';
import { wireContext } from '../drive/load/requests.js';
import { judging } from '../judge/checks/judging.js';
import { memoryJournal } from '../log/journal.js';
import { parseTarget } from '../wire/targets/load-target.js';
import { AnswerJudge, type JudgedKey } from './judge-answers.js';
import { watchKey } from './key-watch.js';
import { requestSource } from './requests.js';
import { RATE_HEADERS } from '../base/interface/rate-headers.js';

const PLAN: PlanName = 'business';
const KEY = 'pk-a-key-of-this-test';
const TARGET = parseTarget(
  `name: t\nbaseUrl: http://127.0.0.1:9/v1\nkeys: { ${PLAN}: ${KEY} }\n`,
  'the target',
  {},
);
const JUDGING = judging();
const SENT_AT = Date.UTC(2026, 0, 1);
const HEADERS = [
  RATE_HEADERS.limit,
  '1000',
  RATE_HEADERS.remaining,
  '999',
  RATE_HEADERS.reset,
  String(SENT_AT / 1000 + 30),
  'Date',
  new Date(SENT_AT).toUTCString(),
];
const JSON_TYPE = ['Content-Type', 'application/json'];

/**
 * Judges responses to creations in turn; returns the violated rows of each, and how many met each
 * requirement.
 *
 * @param before requests without a response: names count them
 */
function judgeOfCreations(before = 0) {
  const secret = TARGET.keys[PLAN] ?? assert.fail();
  const figures = figuresOf(TARGET, PLAN);
  const watch = watchKey(figures, TARGET.windows, 'allow');
  const context = wireContext(TARGET, { run: '0123abcd' }, PLAN, secret);
  const journal = memoryJournal();
  const judge = new AnswerJudge(
    JUDGING,
    journal,
    new Map<PlanName, JudgedKey>([[PLAN, { figures, watch, context }]]),
    null,
  );
  const source = requestSource('0123abcd', null, judge.newKnown, 0, JUDGING.contract);
  const turn = { operation: 'createPet', weight: 1, limits: [], statuses: [] } as const;
  for (let one = 0; one < before; one += 1) source.prepare(turn, PLAN, 0);
  return {
    /** @param bodyOf returns the response's body for the sent name */
    created: (bodyOf: (name: string) => Buffer, headers = JSON_TYPE) => {
      const request = source.prepare(turn, PLAN, 0);
      const moment = { sentAt: SENT_AT, answeredAt: SENT_AT + 5, isBeyond: false, traceparent: () => '' };
      const bytes = bodyOf(request.asked.sent?.name ?? '');
      const { violates } = judge.judge(request, moment, {
        kind: 'response',
        status: 201,
        headers: [...headers, ...HEADERS],
        bytes,
      });
      return { violates, rows: judge.ofPhase().map(({ requirement }) => requirement) };
    },
    /** Returns the number of responses that met each requirement. */
    kept: () => {
      judge.close();
      return Object.fromEntries(
        journal.records.flatMap((each) => (each.type === 'tally' ? [[each.requirement, each.kept]] : [])),
      );
    },
  };
}

const text = (name: string, id: string): string =>
  `{"id":${id},"name":"${name}","categoryId":1,"status":"available"}`;
const body =
  (id: string, change = (whole: string, _name: string): string => whole) =>
  (name: string): Buffer =>
    Buffer.from(change(text(name, id), name));

/** Ids of the first animals: no change to one place of an id below makes one of them. */
const FIRST_ID = 600_000;
const TAKEN = String(FIRST_ID + 7);

/** Judges a response after a hundred sound ones, and again as the only one after a first. */
function twice(one: (name: string) => Buffer, headers?: string[]) {
  const [known, fresh] = [judgeOfCreations(), judgeOfCreations(99)];
  for (let id = 1; id <= 100; id += 1) known.created(body(String(FIRST_ID + id)));
  // An equal id must be known to both, and an equal form only to the first.
  fresh.created(body(TAKEN, (whole) => ` ${whole.replace(',', ' ,')}`));
  return [known.created(one, headers), fresh.created(one, headers)] as const;
}

test('a creation is judged alike whether its form is known or new', () => {
  const cases: readonly (readonly [string, (name: string) => Buffer, string?])[] = [
    ['sound', body('5000')],
    ['a taken id', body(TAKEN), 'pet-id-unique'],
    ['another name', body('5000', (whole, name) => whole.replace(name, `${name}x`)), 'created-pet-echo'],
    [
      'an earlier name',
      body('5000', (whole, name) => whole.replace(name, 'conformance-0123abcd-load-1-1')),
      'created-pet-echo',
    ],
    [
      'another category',
      body('5000', (whole) => whole.replace('"categoryId":1', '"categoryId":2')),
      'created-pet-echo',
    ],
    ['another status', body('5000', (whole) => whole.replace('available', 'sold')), 'created-pet-echo'],
    ['no status of the three', body('5000', (whole) => whole.replace('available', 'SOLD')), 'pet-shape'],
    ['no id', body('5000', (whole) => whole.replace('"id":5000,', '')), 'pet-shape'],
    ['an id beyond int64', body('9223372036854775808'), 'pet-int64'],
    ['a fraction', body('5000.5'), 'pet-shape'],
    ['an id as text', body('"5000"'), 'pet-shape'],
    ['a leading zero', body('05000'), 'json-media-type'],
    ['two ids', body('5000', (whole) => whole.replace('{', '{"id":5001,')), 'json-media-type'],
    ['more after it', body('5000', (whole) => `${whole}}`), 'json-media-type'],
    ['an id of zero', body('0')],
    ['an id below zero', body('-5000')],
    ['an id in another notation', body('5e3')],
    ['the largest id', body('9223372036854775807')],
    ['a further member', body('5000', (whole) => whole.replace('}', ',"age":3}'))],
    ['a further object with an id', body('5000', (whole) => whole.replace('{', '{"shop":{"id":5001},'))],
  ];
  for (const [what, one, requirement] of cases) {
    const [known, fresh] = twice(one);
    assert.deepEqual(known, fresh, what);
    assert.deepEqual(known.rows, requirement === undefined ? [] : [requirement], what);
  }
});

test('headers that belong to the body are judged on each creation', () => {
  for (const headers of [['Content-Type', 'text/html'], [], [...JSON_TYPE, 'Content-Encoding', 'utf-8']]) {
    const [known, fresh] = twice(body('5000'), headers);
    assert.deepEqual(known, fresh);
    assert.deepEqual(known.rows, ['json-media-type']);
  }
});

test('any change to one character of a response is judged as in a response of its own', () => {
  const changed = fc.record({
    at: fc.nat(120),
    drop: fc.nat(2),
    put: fc.constantFrom('', '0', '1', '"', ',', ' ', '.', 'a', '}'),
  });
  fc.assert(
    fc.property(
      changed,
      fc.constantFrom('5000', '999999999999999', '9007199254740993'),
      ({ at, drop, put }, id) => {
        const change = (whole: string): string => whole.slice(0, at) + put + whole.slice(at + drop);
        const [known, fresh] = twice(body(id, change));
        assert.deepEqual(known, fresh);
      },
    ),
    { numRuns: 60 },
  );
});

test('every form of a body is recognized, and each response counts once', () => {
  const forms = [
    text,
    (name: string, id: string) =>
      `{ "name": "${name}", "categoryId": 1, "status": "available", "id": ${id} }\n`,
    // The id is found twice, so neither is taken for it.
    (name: string, id: string) => text(name, id).replace('{', `{"shop":{"id":${id}},`),
    // A body with a time has no form.
    (name: string, id: string) => text(name, id).replace('}', `,"created":"2026-01-01T00:00:${id}Z"}`),
  ];
  const { created, kept } = judgeOfCreations();
  for (let id = 1; id <= 200; id += 1)
    assert.deepEqual(
      created((name) => Buffer.from(forms[id % forms.length]?.(name, String(id)) ?? '')).rows,
      [],
    );
  // Each form's memory of ids is one.
  for (const form of forms)
    assert.deepEqual(created((name) => Buffer.from(form(name, '9'))).rows, ['pet-id-unique']);
  const counts = kept();
  assert.deepEqual(
    [counts['created-pet-echo'], counts['pet-shape'], counts['pet-id-unique']],
    [204, 204, 200],
  );
});

const nested = (shop: number) => body('6.0', (whole) => whole.replace('{', `{"shop":{"id":${shop}},`));

test('the id of another object is not taken for the id of the animal', () => {
  const { created } = judgeOfCreations();
  assert.deepEqual(created(nested(1)).rows, []);
  assert.deepEqual(created(nested(2)).rows, ['pet-id-unique']);
});
