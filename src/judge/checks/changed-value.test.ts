import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJson } from '../../base/kernel/json.js';
import { describeUnlike, mannerOf, withManner } from './changed-value.js';

/** Reads a value as a response has it. */
const json = (text: string) => {
  const read = readJson(text);
  assert.ok(read.ok);
  return read.value;
};

const CASES = [
  ['9007199254740993', '9007199254740992', 'rounded'],
  ['1234567890123', '1234567954432', 'rounded'],
  ['5000000000', '705032704', 'wrapped'],
  ['3000000000', '-1294967296', 'wrapped'],
  ['-2', '4294967294', 'wrapped'],
  ['9007199254740993', '2147483647', 'cut'],
  ['9007199254740993', '9007199254', 'cut'],
  ['9007199254740993', '-9007199254740993', 'sign lost'],
  ['-7', '7', 'sign lost'],
  ['7', '"7"', 'as text'],
  ['7', '0', 'as 0'],
  ['7', 'null', 'missing'],
  ['7', '12', null],
  ['7', '7.0', null],
] as const;
for (const [sent, got, manner] of CASES)
  test(`an integer ${sent} that comes back as ${got} is ${manner ?? 'only another'}`, () =>
    assert.equal(mannerOf(sent, json(got)), manner));

const TEXTS = [
  ['Rex the Third', 'Rex the', 'cut'],
  ['Rex', 'rex', 'in another case'],
  ['Rex', '', 'empty'],
  ['Rex', ' Rex', 'without blanks'],
  ['Zoë', 'Zo?', 'in another encoding'],
  ['Zoë', 'ZoÃ«', 'in another encoding'],
  ['Rex', 'Max', null],
  ['Rex', 'Rex', null],
] as const;
for (const [sent, got, manner] of TEXTS)
  test(`a text ${JSON.stringify(sent)} that comes back as ${JSON.stringify(got)} is ${manner ?? 'only another'}`, () =>
    assert.equal(mannerOf(sent, got), manner));

test('the manner follows the member', () => {
  assert.equal(withManner('categoryId', '5000000000', json('705032704')), 'categoryId wrapped');
  assert.equal(withManner('name', 'Rex', 'Max'), 'name');
});

test('a text that only looks like the expected one is said to', () => {
  const [composed, decomposed] = ['Zo\u00eb', 'Zoe\u0308'];
  assert.equal(describeUnlike(decomposed, composed), `"${composed}" (looks the same, in Unicode form NFC)`);
  assert.equal(describeUnlike(composed, decomposed), `"${decomposed}" (looks the same, in Unicode form NFD)`);
  const mixed = [`${composed} ${decomposed}`, `${decomposed} ${composed}`] as const;
  assert.equal(describeUnlike(...mixed), `"${mixed[1]}" (looks the same, in other code points)`);
  assert.equal(describeUnlike(composed, 'Zoe'), '"Zoe"');
  assert.equal(describeUnlike(composed, composed), `"${composed}"`);
  assert.equal(describeUnlike(undefined, json('7')), '7');
});
