import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { redactor } from '../../exchange/redact.js';
import type { Sample } from '../../limits/sample.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import { secret } from '../../targets/secret.js';
import { dayPlaceIn, type DayPlace } from './drive.js';

const KEY = 'pk-a-key-of-a-test-0123456789';
const at = (sentAt: number): Sample => sampleWith({ intendedAt: sentAt, sentAt, answeredAt: sentAt + 5 });
const directory = mkdtempSync(join(tmpdir(), 'place-'));
after(() => rmSync(directory, { recursive: true }));

const placeOf = (baseUrl: string, key = KEY): DayPlace =>
  dayPlaceIn(directory, { baseUrl }, secret(key), redactor([KEY]));

async function read(place: DayPlace, since = 0, until = Infinity): Promise<readonly number[]> {
  const times: number[] = [];
  for await (const { sentAt } of place.read(since, until)) times.push(sentAt);
  return times;
}

test('the day file returns the appended samples within the given times', async () => {
  const place = placeOf('http://127.0.0.1:1/v1');
  assert.deepEqual(await read(place), []);
  place.append([at(1), at(2)]);
  place.append([]);
  place.append([at(3), at(4)]);
  assert.deepEqual(await read(place), [1, 2, 3, 4]);
  assert.deepEqual(await read(place, 2, 4), [2, 3]);
  place.forget();
  assert.deepEqual(await read(place), []);
});

test('a day file belongs to one address and key, and contains neither', async () => {
  const place = placeOf('http://127.0.0.1:2/v1');
  place.append([{ ...at(1), retryAfter: `after ${KEY}` }]);
  assert.deepEqual(await read(placeOf('http://127.0.0.1:3/v1')), []);
  assert.deepEqual(await read(placeOf('http://127.0.0.1:2/v1', 'another-key-of-a-test')), []);
  const [file = ''] = readdirSync(directory);
  const text = file + readFileSync(join(directory, file), 'utf8');
  assert.ok(!text.includes(KEY) && !text.includes('127.0.0.1'), text);
  place.forget();
});

test('a truncated line is skipped, and later lines are read', async () => {
  const place = placeOf('http://127.0.0.1:4/v1');
  place.append([at(1)]);
  const [file = ''] = readdirSync(directory);
  appendFileSync(join(directory, file), '\n["listPets",2,2');
  place.append([at(3)]);
  appendFileSync(join(directory, file), '\n["listPets",4,4');
  assert.deepEqual(await read(place), [1, 3]);
});
