import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchangeOf, judging, list } from '../../../judge/checks/exchange.test.support.js';
import { worldOf } from '../../../judge/world/world-after.js';
import { RESIDENT_CLASSES, residentOf } from './residents.js';

const STATUSES = ['"available"', '"pending"', '"sold"', undefined] as const;

const ODD_NAMES: Readonly<Record<number, string>> = { 5: 'Žofka', 11: 'Al', 17: 'Maximilian' };

function animal(id: string, at: number): string {
  const status = STATUSES[at % STATUSES.length];
  const name = ODD_NAMES[at] ?? `Rex ${id}`;
  return `{"id":${id},"name":"${name}","categoryId":${at % 3}${status === undefined ? '' : `,"status":${status}`}}`;
}

/** Returns the world after a listing of so many animals. */
const storeOf = (count: number) =>
  worldOf(
    [exchangeOf({ text: list(...Array.from({ length: count }, (_, at) => animal(String(at + 1), at))) })],
    judging,
  );

test('each class of animals from before the run has another animal, over the whole range of a listing', () => {
  const world = storeOf(60);
  for (const variety of [0, 1, 7, 2 ** 31]) {
    const chosen = RESIDENT_CLASSES.map((name) => Number(residentOf(name, world, variety)));
    // At most one part of a listing has none left.
    assert.ok(new Set(chosen).size >= RESIDENT_CLASSES.length - 1, String(chosen));
    const inParts = chosen.slice(-12);
    inParts.forEach((id, part) => assert.equal(Math.floor((id - 1) / 5), part, `${id} of part ${part}`));
  }
  assert.equal(residentOf('with a name beyond ASCII', world, 3), '6');
});

test('a small store has an animal for each class that it can show, and an empty one for none', () => {
  const few = storeOf(2);
  assert.equal(residentOf('with the largest id', few, 0), '2');
  assert.equal(residentOf('with the smallest id', few, 9), '1');
  assert.equal(residentOf('with status sold', few, 0), null);
  assert.deepEqual(
    RESIDENT_CLASSES.filter((name) => residentOf(name, storeOf(0), 0) !== null),
    [],
  );
});
