import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asked, Part, QuestionName } from '../../judge/limits/asked.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import { sentenceOf } from './sentences.js';

const FIGURES = { perMinute: 60, perDay: 1_000, minuteSeconds: 60, daySeconds: 86_400 };
const AT = 1_800_000_000_000;

const asked = (
  question: QuestionName,
  part: Part,
  second: number,
  status = 200,
  more: Partial<Asked> = {},
): Asked => ({
  ...sampleWith({ sentAt: AT + second * 1000, answeredAt: AT + second * 1000 + 5, status }),
  question,
  part,
  ...more,
});

const told = (question: QuestionName, all: readonly Asked[]) => {
  const { sentence, marks } = sentenceOf(question, all, FIGURES);
  return [sentence, ...marks.map(({ kind, at, text }) => `${kind} ${(at - AT) / 1000}: ${text}`)];
};

const REFUSAL = asked('whole', 'burst', 1, 429);

test('a return is marked where a refusal is over, also if the steady run begins with it', () => {
  const steady = [asked('steady', 'paced', 60), asked('steady', 'paced', 61), asked('steady', 'paced', 62)];
  assert.deepEqual(told('steady', [REFUSAL, ...steady]), [
    '3 requests at 95 % of the plan over 2 s: 0 refused.',
    'retry-after 60: Retry-After is over: 200',
  ]);
  assert.deepEqual(told('steady', [asked('whole', 'burst', 1), ...steady]).slice(1), []);
  assert.deepEqual(told('back', [REFUSAL, asked('back', 'return', 9, 429)]).slice(1), [
    'retry-after 9: Retry-After is over: 429',
    'first-refusal 9.005: 429 to GET /pets',
  ]);
});

test('a request of the steady run that got no response is not reported as refused', () => {
  const steady = [0, 1, 2, 3].map((second) => asked('steady', 'paced', second, [200, 429, 0, 503][second]));
  assert.equal(
    told('steady', steady)[0],
    '4 requests at 95 % of the plan over 3 s: 1 refused, 2 without a usable response.',
  );
});

test('a server that stopped is not told as one that allows nothing', () => {
  for (const question of ['whole', 'back', 'steady', 'edge', 'second'] as const)
    assert.equal(told(question, [asked(question, 'lone', 70, 0)])[0], 'No response to 1 request.');
});

test('a request after another wait is no return', () => {
  const second = [asked('second', 'lone', 70), asked('second', 'return', 71, 429)];
  assert.deepEqual(told('second', [REFUSAL, ...second]).slice(1), ['first-refusal 71.005: 429 to GET /pets']);
});

test('a request at Reset and requests at once are marked with what they got', () => {
  assert.deepEqual(told('reset', [REFUSAL, asked('reset', 'return', 9, 429)]), [
    '429 a second after Reset, before Retry-After.',
    'reset 9: a second after Reset: 429',
    'first-refusal 9.005: 429 to GET /pets',
  ]);
  const edge = [200, 200, 429].map((status) => asked('edge', 'together', 3, status, { left: 1 }));
  assert.deepEqual(told('edge', edge), [
    '2 requests allowed; 3 parallel requests with 1 left: 2 allowed.',
    'at-once 3: 3 parallel requests with 1 left: 2 allowed',
    'first-refusal 3.005: 429 to GET /pets',
  ]);
});

test('an edge that was not reached is reported as such', () => {
  assert.deepEqual(told('edge', [asked('edge', 'burst', 3), asked('edge', 'burst', 4, 429)]), [
    '1 request allowed; the edge was not reached, so no parallel requests were sent.',
    'first-refusal 4.005: 429 to GET /pets',
  ]);
});

test('more than the plan is reported as such', () => {
  const burst = Array.from({ length: 61 }, (_, at) => asked('whole', 'burst', at / 100));
  assert.equal(
    told('whole', [...burst, asked('whole', 'burst', 1, 429)])[0],
    '61 requests, of a plan of 60, allowed; request 62 (GET /pets) got 429.',
  );
});
